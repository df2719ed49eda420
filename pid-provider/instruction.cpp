#include "pid-provider/instruction.hpp"

#include <cstring>

namespace strut {
namespace {

// What follows an opcode in 64-bit mode (SDM, volume 2, appendix A), a character each:
//   .  nothing     m  ModRM       b  imm8        M  ModRM and imm8    z  imm16 or imm32    Z  ModRM and that
//   v  as z, 64 bits with REX.W   w  imm16       e  enter's imm16 and imm8                 a  an address
//   j  rel8        J  rel32       g  F6, F7: an immediate with /0 and /1 only              x  no instruction
constexpr char kOneByte[] =
    "mmmmbzxxmmmmbzxx"   // 00: 0F is an escape
    "mmmmbzxxmmmmbzxx"   // 10
    "mmmmbzxxmmmmbzxx"   // 20: 26, 2E are prefixes
    "mmmmbzxxmmmmbzxx"   // 30: 36, 3E are prefixes
    "................"   // 40: REX
    "................"   // 50
    "xxxmxxxxzZbM...."   // 60: 62 is EVEX; 64 to 67 are prefixes
    "jjjjjjjjjjjjjjjj"   // 70
    "MZxMmmmmmmmmmmmm"   // 80
    "..........x....."   // 90
    "aaaa....bz......"   // a0
    "bbbbbbbbvvvvvvvv"   // b0
    "MMw.xxMZe.w..bx."   // c0: C4, C5 are VEX; CF is iret
    "mmmmxxx.mmmmmmmm"   // d0
    "jjjjbbbbJJxj...."   // e0
    "x.xx..gg......mm";  // f0: F0, F2, F3 are prefixes
constexpr char kTwoByte[] =
    "mmmmx.....x.xmxx"   // 00
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmmxxxxmmmmmmmm"   // 20
    "......x.xxxxxxxx"   // 30: 38, 3A are escapes
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "MMMMmmm.mmxxmmmm"   // 70
    "JJJJJJJJJJJJJJJJ"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...mMmxx...mMmmm"   // a0
    "mmmmmmmmmmMmmmmm"   // b0
    "mmMmMMMm........"   // c0
    "mmmmmmmmmmmmmmmm"   // d0
    "mmmmmmmmmmmmmmmm"   // e0
    "mmmmmmmmmmmmmmmm";  // f0
static_assert(sizeof kOneByte == 257 && sizeof kTwoByte == 257);

/// Takes the parts one after the other; knows how many bytes there are.
class Reader {
 public:
  Reader(std::span<const std::byte> code, uint64_t address)
      : code_(code.first(std::min(code.size(), kLongestInstruction))), cut_(code.size() < kLongestInstruction) {
    made_.address = address;
  }

  std::expected<Instruction, Undecodable> read() {
    char form = read_prefixes_and_opcode();
    if (!failed_ && form == 'x') fail(Undecodable::Invalid);
    if (!failed_) read_operands(form);
    if (!failed_ && !is_sensible()) fail(Undecodable::Invalid);
    if (failed_) return std::unexpected(reason_);
    made_.length = static_cast<uint8_t>(at_);
    made_.flow = flow();
    return made_;
  }

 private:
  void fail(Undecodable reason) {
    if (!failed_) reason_ = reason;
    failed_ = true;
  }
  uint8_t peek() const { return at_ < code_.size() ? static_cast<uint8_t>(code_[at_]) : 0; }
  uint8_t take() {
    if (at_ >= code_.size()) {
      fail(cut_ ? Undecodable::Cut : Undecodable::TooLong);
      return 0;
    }
    return static_cast<uint8_t>(code_[at_++]);
  }
  /// A little-endian number of 1, 2, 4 or 8 bytes, sign-extended.
  int64_t take_number(unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= uint64_t{take()} << (8 * i);
    if (bytes >= 8) return static_cast<int64_t>(number);
    uint64_t sign = uint64_t{1} << (8 * bytes - 1);
    return static_cast<int64_t>((number ^ sign) - sign);
  }

  bool take_prefix(uint8_t byte) {
    switch (byte) {
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65: made_.segment = byte; break;
      case 0x66: made_.operand_size = true; break;
      case 0x67: made_.address_size = true; break;
      case 0xf0: made_.lock = true; break;
      case 0xf2: made_.repne = true; break;
      case 0xf3: made_.rep = true; break;
      default: return false;
    }
    made_.rex = 0;  // one that is not the last prefix says nothing
    return true;
  }

  char read_prefixes_and_opcode() {
    while (!failed_) {
      uint8_t byte = take();
      if (take_prefix(byte)) continue;
      if (byte >> 4 == 4) {
        made_.rex = byte;
        continue;
      }
      if (byte == 0xc4 || byte == 0xc5) return read_vex(byte);
      if (byte == 0x62) return read_evex();
      if (byte == 0x0f) return read_escaped();
      made_.opcode = byte;
      return kOneByte[byte];
    }
    return 'x';
  }

  char read_escaped() {
    uint8_t byte = take();
    if (byte == 0x38 || byte == 0x3a) {
      made_.map = byte == 0x38 ? OpcodeMap::ThreeE8 : OpcodeMap::ThreeEA;
      made_.opcode = take();
      return byte == 0x38 ? 'm' : 'M';
    }
    made_.map = OpcodeMap::Two;
    made_.opcode = byte;
    return kTwoByte[byte];
  }

  /// A prefix that says what a VEX prefix would say itself makes it no instruction (SDM, volume 2, 2.3.2 to 2.3.4).
  bool may_be_extended() const {
    return made_.rex == 0 && !made_.lock && !made_.rep && !made_.repne && !made_.operand_size;
  }

  char read_vex(uint8_t first) {
    if (!may_be_extended()) return 'x';
    made_.encoding = Encoding::Vex;
    uint8_t second = take();
    unsigned map = 1;
    made_.rex = static_cast<uint8_t>(0x40 | (second & 0x80 ? 0 : 4));
    if (first == 0xc4) {
      uint8_t third = take();
      map = second & 0x1f;
      made_.rex = static_cast<uint8_t>(0x40 | (~second >> 5 & 7) | (third >> 4 & 8));
    }
    if (map < 1 || map > 3) return 'x';
    return extended_form(map);
  }

  char read_evex() {
    if (!may_be_extended()) return 'x';
    made_.encoding = Encoding::Evex;
    uint8_t first = take(), second = take();
    take();
    made_.rex = static_cast<uint8_t>(0x40 | (~first >> 5 & 7) | (second >> 4 & 8));
    unsigned map = first & 7;
    if ((first & 8) != 0 || (second & 4) == 0 || map == 0 || map == 4 || map == 7) return 'x';
    return extended_form(map);
  }

  /// VEX and EVEX instructions have a ModRM byte, all but vzeroupper and vzeroall.
  char extended_form(unsigned map) {
    made_.map = static_cast<OpcodeMap>(map);
    made_.opcode = take();
    if (map == 3) return 'M';
    if (map != 1) return 'm';
    if (made_.opcode == 0x77) return made_.encoding == Encoding::Vex ? '.' : 'x';
    char form = kTwoByte[made_.opcode];
    return form == 'M' ? 'M' : 'm';
  }

  void read_modrm() {
    made_.modrm_at = static_cast<uint8_t>(at_);
    made_.modrm = take();
    // Moves to and from control and debug registers take mod as 3 whatever it says (SDM, volume 2, MOV).
    bool always_registers = made_.encoding == Encoding::Legacy && made_.map == OpcodeMap::Two && made_.opcode >= 0x20 &&
                            made_.opcode <= 0x23;
    if (made_.mod() == 3 || always_registers) return;
    unsigned bytes = made_.mod() == 1 ? 1 : made_.mod() == 2 ? 4 : 0;
    if ((made_.modrm & 7) == 4) {
      made_.sib = take();
      if (made_.mod() == 0 && (made_.sib & 7) == 5) bytes = 4;
    } else if (made_.is_rip_relative()) {
      bytes = 4;
    }
    if (bytes == 0) return;
    made_.displacement_at = static_cast<uint8_t>(at_);
    made_.displacement_bytes = static_cast<uint8_t>(bytes);
    made_.displacement = static_cast<int32_t>(take_number(bytes));
  }

  void read_immediate(unsigned bytes) {
    if (bytes == 0) return;
    made_.immediate_at = static_cast<uint8_t>(at_);
    made_.immediate_bytes = static_cast<uint8_t>(bytes);
    made_.immediate = take_number(bytes);
  }

  void read_operands(char form) {
    if (form == 'm' || form == 'M' || form == 'Z' || form == 'g') read_modrm();
    unsigned by_size = made_.operand_size && !made_.wide() ? 2 : 4;
    switch (form) {
      case 'b':
      case 'M':
      case 'j': return read_immediate(1);
      case 'J': return read_immediate(4);
      case 'z':
      case 'Z': return read_immediate(by_size);
      case 'v': return read_immediate(made_.wide() ? 8 : by_size);
      case 'w': return read_immediate(2);
      case 'a': return read_immediate(made_.address_size ? 4 : 8);
      case 'e':
        read_immediate(2);
        take();
        return;
      case 'g':
        if (made_.extension() < 2) read_immediate(made_.opcode == 0xf6 ? 1 : by_size);
        return;
      default: return;
    }
  }

  /// False: opcodes that their extension or form makes no instruction (SDM, volume 2, table A-6).
  bool is_sensible() const {
    if (made_.encoding != Encoding::Legacy) return true;
    if (made_.map == OpcodeMap::Two) return made_.opcode != 0xb8 || made_.rep;
    if (made_.map != OpcodeMap::One) return true;
    switch (made_.opcode) {
      case 0x8f: return made_.extension() == 0;
      case 0xc6:
      case 0xc7: return made_.extension() == 0 || made_.modrm == 0xf8;
      case 0xfe: return made_.extension() < 2;
      case 0xff: return made_.extension() < 7;
      case 0x8d: return made_.mod() != 3;
      default: return true;
    }
  }

  Flow flow() const {
    if (made_.encoding != Encoding::Legacy) return Flow::Next;
    if (made_.map == OpcodeMap::One) return flow_of_one_byte();
    if (made_.map != OpcodeMap::Two) return Flow::Next;
    switch (made_.opcode) {
      case 0x07:
      case 0x35: return Flow::Far;  // sysret, sysexit
      case 0x0b:
      case 0xb9:
      case 0xff: return Flow::Stop;  // ud2, ud1, ud0
      default: return made_.opcode >> 4 == 8 ? Flow::JumpIf : Flow::Next;
    }
  }

  Flow flow_of_one_byte() const {
    switch (made_.opcode) {
      case 0xc2:
      case 0xc3: return Flow::Return;
      case 0xca:
      case 0xcb:
      case 0xcf: return Flow::Far;
      case 0xcc:
      case 0xcd:
      case 0xf1: return Flow::Trap;
      case 0xc7: return made_.modrm == 0xf8 ? Flow::Far : Flow::Next;  // xbegin
      case 0xe0:
      case 0xe1:
      case 0xe2:
      case 0xe3: return Flow::JumpIf;
      case 0xe8: return Flow::Call;
      case 0xe9:
      case 0xeb: return Flow::Jump;
      case 0xf4: return Flow::Stop;
      case 0xff: return flow_of_group_five();
      default: return made_.opcode >> 4 == 7 ? Flow::JumpIf : Flow::Next;
    }
  }

  Flow flow_of_group_five() const {
    switch (made_.extension()) {
      case 2: return Flow::CallIndirect;
      case 4: return Flow::JumpIndirect;
      case 3:
      case 5: return Flow::Far;
      default: return Flow::Next;
    }
  }

  std::span<const std::byte> code_;
  bool cut_;
  size_t at_ = 0;
  bool failed_ = false;
  Undecodable reason_ = Undecodable::Invalid;
  Instruction made_;
};

}  // namespace

std::string_view why(Undecodable reason) {
  switch (reason) {
    case Undecodable::Cut: return "an instruction reaches beyond the end";
    case Undecodable::TooLong: return "an instruction is longer than 15 bytes";
    case Undecodable::Invalid: break;
  }
  return "the bytes are no instruction";
}

std::expected<Instruction, Undecodable> decode(std::span<const std::byte> code, uint64_t address) {
  return Reader(code, address).read();
}

bool is_endbr64(const Instruction& instruction) {
  return instruction.is_legacy(OpcodeMap::Two, 0x1e) && instruction.rep && instruction.modrm == 0xfa;
}

bool is_nop(const Instruction& instruction) {
  if (instruction.is_legacy(OpcodeMap::One, 0x90)) return (instruction.rex & 1) == 0 && !instruction.rep;
  return instruction.is_legacy(OpcodeMap::Two, 0x1f);
}

uint8_t condition_of(const Instruction& instruction) {
  if (instruction.flow != Flow::JumpIf || instruction.opcode >> 4 == 0xe) return kNoCondition;
  return instruction.opcode & 15;
}

}  // namespace strut

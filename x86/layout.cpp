#include "x86/layout.hpp"

#include <algorithm>

namespace strut {
namespace {

// The bytes after an opcode in 64-bit mode (SDM, volume 2, appendix A), a character each:
//   .  nothing     m  ModRM       b  imm8        M  ModRM and imm8    z  imm16 or imm32    Z  ModRM and that
//   v  as z, 64 bits with REX.W   w  imm16       e  enter's imm16 and imm8                 a  an address
//   j  rel8        J  rel32       g  F6, F7: an immediate with /0 and /1 only              x  no instruction
//   I  ModRM and imm32
constexpr char kOneByte[] =
    "mmmmbzxxmmmmbzxx"   // 00: 0F is an escape
    "mmmmbzxxmmmmbzxx"   // 10
    "mmmmbzxxmmmmbzxx"   // 20: 26, 2E are prefixes
    "mmmmbzxxmmmmbzxx"   // 30: 36, 3E are prefixes
    "................"   // 40: REX
    "................"   // 50
    "xxxmxxxxzZbM...."   // 60: 62 is EVEX; 64 to 67 are prefixes
    "jjjjjjjjjjjjjjjj"   // 70
    "MZxMmmmmmmmmmmmm"   // 80: 8F is XOP, too
    "..........x....."   // 90
    "aaaa....bz......"   // a0
    "bbbbbbbbvvvvvvvv"   // b0
    "MMw.xxMZe.w..bx."   // c0: C4, C5 are VEX; CF is iret
    "mmmmxxx.mmmmmmmm"   // d0
    "jjjjbbbbJJxj...."   // e0
    "x.xx..gg......mm";  // f0: F0, F2, F3 are prefixes
constexpr char kTwoByte[] =
    "mmmmx.....x.xm.M"   // 00: 0F is 3DNow!, with its opcode in the place of an immediate
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmmxxxxmmmmmmmm"   // 20
    "......x.xxxxxxxx"   // 30: 38, 3A are escapes
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "MMMMmmm.mmxxmmmm"   // 70
    "JJJJJJJJJJJJJJJJ"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...mMmmm...mMmmm"   // a0: A6, A7 are VIA's PadLock
    "mmmmmmmmmmMmmmmm"   // b0
    "mmMmMMMm........"   // c0
    "mmmmmmmmmmmmmmmm"   // d0
    "mmmmmmmmmmmmmmmm"   // e0
    "mmmmmmmmmmmmmmmm";  // f0
static_assert(sizeof kOneByte == 257 && sizeof kTwoByte == 257);

/// Maps of opcodes; EVEX has two more (5 and 6, AVX512-FP16), XOP three (8 to 10).
constexpr uint8_t kOne = 0, kTwo = 1, kThreeE8 = 2, kThreeEA = 3, kXop8 = 8, kXop10 = 10;

Flow flow_of_group_five(const Layout& made) {
  switch (made.extension()) {
    case 2: return Flow::CallIndirect;
    case 4: return Flow::JumpIndirect;
    case 3:
    case 5: return Flow::Far;
    default: return Flow::Next;
  }
}

Flow flow_of_one_byte(const Layout& made) {
  switch (made.opcode) {
    case 0xc2:
    case 0xc3: return Flow::Return;
    case 0xca:
    case 0xcb:
    case 0xcf: return Flow::Far;
    case 0xcc:
    case 0xcd:
    case 0xf1: return Flow::Trap;
    case 0xc7: return made.modrm == 0xf8 ? Flow::Far : Flow::Next;  // xbegin
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3: return Flow::JumpIf;
    case 0xe8: return Flow::Call;
    case 0xe9:
    case 0xeb: return Flow::Jump;
    case 0xf4: return Flow::Stop;
    case 0xff: return flow_of_group_five(made);
    default: return made.opcode >> 4 == 7 ? Flow::JumpIf : Flow::Next;
  }
}

Flow flow_of(const Layout& made) {
  if (made.encoding != Encoding::Legacy) return Flow::Next;
  if (made.map == kOne) return flow_of_one_byte(made);
  if (made.map != kTwo) return Flow::Next;
  switch (made.opcode) {
    case 0x07:
    case 0x35: return Flow::Far;  // sysret, sysexit
    case 0x0b:
    case 0xb9:
    case 0xff: return Flow::Stop;  // ud2, ud1, ud0
    default: return made.opcode >> 4 == 8 ? Flow::JumpIf : Flow::Next;
  }
}

/// False: opcodes that their extension or form makes no instruction (SDM, volume 2, table A-6).
bool is_sensible(const Layout& made) {
  if (made.encoding != Encoding::Legacy) return true;
  if (made.map == kTwo) return made.opcode != 0xb8 || made.repeat;
  if (made.map != kOne) return true;
  switch (made.opcode) {
    case 0x8f: return made.extension() == 0;
    case 0xc6:
    case 0xc7: return made.extension() == 0 || made.modrm == 0xf8;
    case 0xfe: return made.extension() < 2;
    case 0xff: return made.extension() < 7;
    case 0x8d: return made.mod() != 3;
    default: return true;
  }
}

/// Takes the parts one after the other; knows how many bytes there are.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> code)
      : code_(code.first(std::min(code.size(), kLongestInstruction))), cut_(code.size() < kLongestInstruction) {}

  std::expected<Layout, Undecodable> read() {
    char form = read_prefixes_and_opcode();
    if (!failed_ && form == 'x') fail(Undecodable::Invalid);
    if (!failed_) read_operands(form);
    if (!failed_ && !is_sensible(made_)) fail(Undecodable::Invalid);
    if (failed_) return std::unexpected(reason_);
    made_.length = static_cast<uint8_t>(at_);
    made_.flow = flow_of(made_);
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
      case 0xf2:
      case 0xf3: made_.repeat = true; break;
      default: return false;
    }
    made_.rex = 0;  // without effect unless it is the last prefix
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
      // pop's ModRM byte has /0 there, a map below 8.
      if (byte == 0x8f && (peek() & 0x1f) >= kXop8) return read_xop();
      if (byte == 0x0f) return read_escaped();
      made_.opcode = byte;
      return kOneByte[byte];
    }
    return 'x';
  }

  char read_escaped() {
    uint8_t byte = take();
    if (byte == 0x38 || byte == 0x3a) {
      made_.map = byte == 0x38 ? kThreeE8 : kThreeEA;
      made_.opcode = take();
      return byte == 0x38 ? 'm' : 'M';
    }
    made_.map = kTwo;
    made_.opcode = byte;
    return kTwoByte[byte];
  }

  /// A prefix with a meaning that a VEX prefix has itself makes it invalid (SDM, volume 2, 2.3.2 to 2.3.4).
  bool may_be_extended() const { return made_.rex == 0 && !made_.lock && !made_.repeat && !made_.operand_size; }

  char read_vex(uint8_t first) {
    if (!may_be_extended()) return 'x';
    made_.encoding = Encoding::Vex;
    if (first == 0xc4) return read_three_bytes();
    made_.rex = static_cast<uint8_t>(0x40 | (take() & 0x80 ? 0 : 4));
    return extended_form(kTwo);
  }

  /// AMD64 manual, volume 6, 1.2.7: as VEX of three bytes, with maps of its own.
  char read_xop() {
    if (!may_be_extended()) return 'x';
    made_.encoding = Encoding::Xop;
    return read_three_bytes();
  }

  char read_three_bytes() {
    uint8_t second = take(), third = take();
    made_.rex = static_cast<uint8_t>(0x40 | (~second >> 5 & 7) | (third >> 4 & 8));
    return extended_form(second & 0x1f);
  }

  char read_evex() {
    if (!may_be_extended()) return 'x';
    made_.encoding = Encoding::Evex;
    uint8_t first = take(), second = take();
    take();
    made_.rex = static_cast<uint8_t>(0x40 | (~first >> 5 & 7) | (second >> 4 & 8));
    return (first & 8) != 0 || (second & 4) == 0 ? 'x' : extended_form(first & 7);
  }

  /// VEX, EVEX and XOP instructions have a ModRM byte, all but vzeroupper and vzeroall.
  char extended_form(uint8_t map) {
    made_.map = map;
    made_.opcode = take();
    if (made_.encoding == Encoding::Xop) return map == kXop8 ? 'M' : map == kXop10 ? 'I' : map < kXop10 ? 'm' : 'x';
    bool is_evex = made_.encoding == Encoding::Evex;
    if (map == kThreeEA) return 'M';
    if (map == kThreeE8 || (is_evex && (map == 5 || map == 6))) return 'm';
    if (map != kTwo) return 'x';
    if (made_.opcode == 0x77) return is_evex ? 'x' : '.';
    return made_.opcode >= 0x70 && kTwoByte[made_.opcode] == 'M' ? 'M' : 'm';
  }

  void read_modrm() {
    made_.modrm_at = static_cast<uint8_t>(at_);
    made_.modrm = take();
    // Moves to and from control and debug registers take mod as 3 whatever it says (SDM, volume 2, MOV).
    bool always_registers =
        made_.encoding == Encoding::Legacy && made_.map == kTwo && made_.opcode >= 0x20 && made_.opcode <= 0x23;
    if (made_.mod() == 3 || always_registers) return;
    unsigned bytes = made_.mod() == 1 ? 1 : made_.mod() == 2 ? 4 : 0;
    if ((made_.modrm & 7) == 4) {
      made_.sib = take();
      if (made_.mod() == 0 && (made_.sib & 7) == 5) bytes = 4;
    } else if ((made_.modrm & 0xc7) == 5) {
      bytes = 4;
    }
    if (bytes == 0) return;
    made_.displacement_at = static_cast<uint8_t>(at_);
    made_.displacement = static_cast<int32_t>(take_number(bytes));
  }

  void read_operands(char form) {
    if (form == 'm' || form == 'M' || form == 'Z' || form == 'I' || form == 'g') read_modrm();
    unsigned by_size = made_.operand_size && (made_.rex & 8) == 0 ? 2 : 4;
    switch (form) {
      case 'b':
      case 'M':
      case 'j': return read_immediate(1);
      case 'I':
      case 'J': return read_immediate(4);
      case 'z':
      case 'Z': return read_immediate(by_size);
      case 'v': return read_immediate((made_.rex & 8) != 0 ? 8 : by_size);
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
  void read_immediate(unsigned bytes) { made_.immediate = take_number(bytes); }

  std::span<const std::byte> code_;
  bool cut_;
  size_t at_ = 0;
  bool failed_ = false;
  Undecodable reason_ = Undecodable::Invalid;
  Layout made_;
};

}  // namespace

std::expected<Layout, Undecodable> layout_of(std::span<const std::byte> code) { return Reader(code).read(); }

}  // namespace strut

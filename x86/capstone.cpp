// The one file that knows Capstone's types, with its tables. The header is that of 4.0.2 (Debian 12) and of 5 (Debian
// 13).
#include <algorithm>
#include <bit>

#include <capstone/capstone.h>

#include "x86/unknown.hpp"

namespace strut {
namespace {

using Kind = Operand::Kind;

#include "x86/capstone_tables.inc"

/// Capstone's handle and the one instruction that it is asked for: a thread's own, because a handle serves one at a
/// time. Opened (30 µs) by the first question.
class Disassembler {
 public:
  Disassembler() {
    is_open_ = cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) == CS_ERR_OK;
    if (!is_open_) return;
    cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(handle_);
  }
  ~Disassembler() {
    if (instruction_) cs_free(instruction_, 1);
    if (is_open_) cs_close(&handle_);
  }
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  /// nullptr: it knows none there.
  const cs_insn* read(std::span<const std::byte> code, uint64_t address) {
    auto* bytes = reinterpret_cast<const uint8_t*>(code.data());
    size_t left = std::min(code.size(), kLongestInstruction);
    return instruction_ && cs_disasm_iter(handle_, &bytes, &left, &address, instruction_) ? instruction_ : nullptr;
  }
  /// nullptr: no instruction of Capstone's has this number.
  const char* name_of(unsigned id) const { return is_open_ ? cs_insn_name(handle_, id) : nullptr; }
  /// General registers that the last one writes.
  uint16_t written() const {
    cs_regs read, written;
    uint8_t reads = 0, writes = 0;
    uint16_t mask = 0;
    if (cs_regs_access(handle_, instruction_, read, &reads, written, &writes) != CS_ERR_OK) return 0xffff;
    for (unsigned i = 0; i < writes; i++)
      if (uint8_t number = number_of(written[i]); number != Gpr::kNone) mask |= static_cast<uint16_t>(1 << number);
    return mask;
  }

 private:
  csh handle_ = 0;
  bool is_open_ = false;
  cs_insn* instruction_ = nullptr;
};

Disassembler& disassembler() {
  thread_local Disassembler own;
  return own;
}

/// Turns one cs_insn into the header's form.
class Translation {
 public:
  Translation(const cs_insn& from, Instruction& made) : from_(from), x86_(from.detail->x86), made_(made) {}

  void fill() {
    made_.address = from_.address;
    made_.length = static_cast<uint8_t>(from_.size);
    made_.mnemonic = static_cast<uint16_t>(from_.id);
    made_.rex = x86_.rex;
    made_.modrm = x86_.modrm;
    made_.has_modrm = x86_.encoding.modrm_offset != 0;
    fill_opcode(behind_prefixes());
    for (uint8_t i = 0; i < x86_.op_count; i++) fill_operand(i);
    made_.flow = flow();
    made_.operation = operation();
  }

 private:
  const uint8_t* behind_prefixes() {
    const uint8_t* at = from_.bytes;
    for (;; at++) {
      switch (*at) {
        case X86_PREFIX_CS:
        case X86_PREFIX_SS:
        case X86_PREFIX_DS:
        case X86_PREFIX_ES:
        case X86_PREFIX_FS:
        case X86_PREFIX_GS: made_.segment = *at; break;
        case X86_PREFIX_OPSIZE: made_.operand_size = true; break;
        case X86_PREFIX_ADDRSIZE: made_.address_size = true; break;
        case X86_PREFIX_LOCK: made_.lock = true; break;
        case X86_PREFIX_REP:
        case X86_PREFIX_REPNE:
          made_.repeat = true;
          made_.repeat_to_equal = *at == X86_PREFIX_REPNE;
          break;
        default:
          if (*at >> 4 != 4) return at;  // REX, which says nothing before another prefix
      }
    }
  }

  /// From the bytes: the content of cs_x86.opcode differs from version to version.
  void fill_opcode(const uint8_t* at) {
    made_.encoding = encoding_of(at);
    switch (made_.encoding) {
      case Encoding::Vex: return at[0] == 0xc5 ? set_opcode(1, at[2]) : set_opcode(at[1] & 0x1f, at[3]);
      case Encoding::Xop: return set_opcode(at[1] & 0x1f, at[3]);
      case Encoding::Evex: return set_opcode(at[1] & 7, at[4]);
      case Encoding::Legacy: break;
    }
    if (at[0] != 0x0f) set_opcode(0, at[0]);
    else if (at[1] == 0x38 || at[1] == 0x3a) set_opcode(at[1] == 0x38 ? 2 : 3, at[2]);
    else set_opcode(1, at[1]);
  }

  void set_opcode(int map, uint8_t opcode) {
    made_.map = static_cast<OpcodeMap>(map);
    made_.opcode = opcode;
  }

  /// pop has /0 where XOP has a map from 8 on.
  static Encoding encoding_of(const uint8_t* at) {
    if (at[0] == 0xc4 || at[0] == 0xc5) return Encoding::Vex;
    if (at[0] == 0x62) return Encoding::Evex;
    return at[0] == 0x8f && (at[1] & 0x1f) >= 8 ? Encoding::Xop : Encoding::Legacy;
  }

  void fill_operand(uint8_t i) {
    const cs_x86_op& from = x86_.operands[i];
    Operand to{Kind::Other, from.size, Gpr::kNone, 0};
    if (from.type == X86_OP_REG) {
      to.reg = number_of(from.reg);
      if (to.reg != Gpr::kNone) to.kind = Kind::Register;
      if (is_vector_register(from.reg)) made_.has_vector = true;
    } else if (from.type == X86_OP_IMM) {
      to.kind = Kind::Constant;
      to.value = from.imm;
    } else if (from.type == X86_OP_MEM) {
      to.kind = Kind::Memory;
      if (!made_.has_memory) fill_memory(from.mem);
    }
    if (i < made_.operands.size()) made_.operands[i] = to;
  }

  void fill_memory(const x86_op_mem& from) {
    made_.has_memory = true;
    bool counts_from_ip = from.base == X86_REG_RIP || from.base == X86_REG_EIP;
    made_.memory = {counts_from_ip ? Gpr::kIp : number_of(from.base), number_of(from.index),
                    static_cast<uint8_t>(from.scale), from.disp};
    if (counts_from_ip) made_.displacement_at = x86_.encoding.disp_offset;
  }

  bool is_in_group(uint8_t group) const {
    const cs_detail& detail = *from_.detail;
    return std::find(detail.groups, detail.groups + detail.groups_count, group) != detail.groups + detail.groups_count;
  }

  Flow flow() const {
    bool is_direct = made_.operands[0].kind == Kind::Constant;
    switch (from_.id) {
      case X86_INS_JMP: return is_direct ? Flow::Jump : Flow::JumpIndirect;
      case X86_INS_CALL: return is_direct ? Flow::Call : Flow::CallIndirect;
      case X86_INS_RET: return Flow::Return;
      case X86_INS_LJMP:
      case X86_INS_LCALL:
      case X86_INS_RETF:
      case X86_INS_RETFQ:
      case X86_INS_IRET:
      case X86_INS_IRETD:
      case X86_INS_IRETQ:
      case X86_INS_SYSRET:
      case X86_INS_SYSEXIT:
      case X86_INS_XBEGIN: return Flow::Far;
      case X86_INS_INT:
      case X86_INS_INT1:
      case X86_INS_INT3: return Flow::Trap;
      case X86_INS_HLT:
      case X86_INS_UD2: return Flow::Stop;
      case X86_INS_LOOP:
      case X86_INS_LOOPE:
      case X86_INS_LOOPNE: return Flow::JumpIf;
      default: return is_in_group(X86_GRP_JUMP) ? Flow::JumpIf : Flow::Next;
    }
  }

  /// Hints that Capstone calls nops, too (0F 18 … 0F 1E), are none to the kernel.
  Operation operation() const {
    Operation operation = from_.id < kOperations.size() ? kOperations[from_.id] : Operation::Other;
    bool is_nop = made_.is_legacy(OpcodeMap::One, 0x90) || made_.is_legacy(OpcodeMap::Two, 0x1f);
    return operation == Operation::Nop && !is_nop ? Operation::Other : operation;
  }

  const cs_insn& from_;
  const cs_x86& x86_;
  Instruction& made_;
};

/// Capstone 4 reads ud0 and ud1 as Intel's first manuals had them: without a ModRM byte.
bool is_misread(const Instruction& made) {
  return made.is_legacy(OpcodeMap::Two, 0xb9) || made.is_legacy(OpcodeMap::Two, 0xff);
}

/// Registers that 4.0.2 leaves out, found by stepping instructions on a CPU. It lists %eax as written by test with a
/// constant operand.
uint16_t written_by(unsigned id, uint16_t says) {
  constexpr uint16_t kRaxBit = 1 << Gpr::kRax, kRdxBit = 1 << Gpr::kRdx;
  switch (id) {
    case X86_INS_CMP:
    case X86_INS_TEST: return 0;
    case X86_INS_XLATB:
    case X86_INS_CMPXCHG: return says | kRaxBit;
    case X86_INS_CMPXCHG8B:
    case X86_INS_CMPXCHG16B: return says | kRaxBit | kRdxBit;
    case X86_INS_ENTER: return says | 1 << Gpr::kRsp | 1 << Gpr::kRbp;
    default: return says;
  }
}

}  // namespace

std::expected<Instruction, Undecodable> decode(std::span<const std::byte> code, uint64_t address) {
  const cs_insn* known = disassembler().read(code, address);
  if (!known) return decode_unknown(code, address);
  Instruction made;
  Translation(*known, made).fill();
  if (is_misread(made)) return decode_unknown(code, address);
  made.may_write = written_by(known->id, disassembler().written());
  return made;
}

std::string_view mnemonic_of(const Instruction& i) {
  const char* name = i.mnemonic != 0 ? disassembler().name_of(i.mnemonic) : nullptr;
  return name ? name : "";
}

bool is_mnemonic(std::string_view name) {
  for (unsigned id = 1; id < X86_INS_ENDING; id++)
    if (const char* known = disassembler().name_of(id); known && known == name) return true;
  return false;
}

}  // namespace strut

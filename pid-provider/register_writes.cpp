#include "pid-provider/register_writes.hpp"

namespace strut {
namespace {

constexpr unsigned kRax = 0;

// What opcodes write, a character each:
//   m  the operand that ModRM's r/m names    r  the one that its reg names    a  %rax    o  the register in the opcode
//   -  flags at most    C  as m, but flags with /7 (cmp)    I  as m with /0 and /1 (inc, dec)    .  something else
//   U  flags with /0 and /1 (test), as m with /2 and /3 (not, neg)
constexpr char kOneByte[] =
    "mmrraa..mmrraa.."   // 00: add, or
    "mmrraa..mmrraa.."   // 10: adc, sbb
    "mmrraa..mmrraa.."   // 20: and, sub
    "mmrraa..------.."   // 30: xor, cmp
    "................"   // 40
    "................"   // 50
    "...r.....r.r...."   // 60: movsxd, imul
    "................"   // 70
    "CC.C--..mmrr.r.."   // 80: test, mov, lea
    "........a......."   // 90: cdqe
    "........--......"   // a0: test
    "oooooooooooooooo"   // b0: mov
    "mm....mm........"   // c0: shifts, mov
    "mmmm............"   // d0: shifts
    "................"   // e0
    "......UU......II";  // f0
constexpr char kTwoByte[] =
    "................"   // 00
    "................"   // 10
    "................"   // 20
    "................"   // 30
    "rrrrrrrrrrrrrrrr"   // 40: cmov
    "................"   // 50
    "................"   // 60
    "................"   // 70
    "................"   // 80
    "mmmmmmmmmmmmmmmm"   // 90: set
    "...............r"   // a0: imul
    "......rrr...rrrr"   // b0: movzx, popcnt, bsf, bsr, movsx
    "........oooooooo"   // c0: bswap
    "................"   // d0
    "................"   // e0
    "................";  // f0
static_assert(sizeof kOneByte == 257 && sizeof kTwoByte == 257);

/// m, r, a, o or -, where the opcode alone does not tell.
char resolved(char kind, unsigned extension) {
  switch (kind) {
    case 'C': return extension == 7 ? '-' : 'm';
    case 'U': return extension <= 1 ? '-' : extension <= 3 ? 'm' : '.';
    case 'I': return extension <= 1 ? 'm' : '.';
    default: return kind;
  }
}

/// The thread's own memory at an address from %fs, or the module's own.
bool is_sure_to_be_there(const Instruction& i) {
  if (i.is_rip_relative()) return i.segment == 0;
  bool is_absolute = i.has_sib() && i.mod() == 0 && i.sib == 0x25;
  return is_absolute && i.segment == 0x64;
}

/// Without a REX prefix the byte registers 4 to 7 are %ah to %bh.
bool is_of_bytes(const Instruction& i) {
  if (i.map == OpcodeMap::Two) return i.opcode >> 4 == 9;
  return i.opcode >> 4 == 0xb ? i.opcode < 0xb8 : (i.opcode & 1) == 0 && i.opcode != 0x98;
}
unsigned whole_register(const Instruction& i, unsigned number) {
  return is_of_bytes(i) && i.rex == 0 ? number & 3 : number;
}

/// Opcodes of 0F xx that look at vector registers and memory alone, or are jumps and hints.
bool is_without_registers(uint8_t opcode) {
  if (opcode == 0x50 || opcode == 0x7e || opcode == 0xd7) return false;  // movmskps, movd, pmovmskb
  return (opcode >= 0x10 && opcode <= 0x1f) || (opcode >= 0x28 && opcode <= 0x2b) || opcode == 0x2e || opcode == 0x2f ||
         (opcode >= 0x51 && opcode <= 0x8f) || opcode == 0xa3 || opcode == 0xc2 || opcode == 0xc6 || opcode >= 0xd0;
}

/// What the tables leave open.
bool may_write_otherwise(const Instruction& i, unsigned reg) {
  bool is_named = i.modrm_at != 0 && ((i.mod() == 3 && i.rm() == reg) || i.reg() == reg);
  if (i.encoding != Encoding::Legacy)
    return i.map == OpcodeMap::Two ? is_named && !is_without_registers(i.opcode) : i.opcode >= 0xf0;
  if (i.map == OpcodeMap::Two)
    return !is_without_registers(i.opcode) &&
           (i.opcode == 0x7e || i.opcode == 0x50 || i.opcode == 0xd7 ? is_named : true);
  if (i.map != OpcodeMap::One)
    return i.map == OpcodeMap::ThreeE8 || i.map == OpcodeMap::ThreeEA ? i.opcode >= 0xf0 || is_named : true;
  bool is_push = (i.opcode >= 0x50 && i.opcode < 0x58) || i.opcode == 0x68 || i.opcode == 0x6a ||
                 (i.opcode == 0xff && i.extension() == 6);
  bool is_pop = i.opcode >= 0x58 && i.opcode < 0x60;
  if (is_pop) return ((i.opcode & 7u) | (i.rex & 1u) << 3) == reg;
  return !is_push && i.flow != Flow::JumpIf && i.flow != Flow::Call && i.flow != Flow::CallIndirect;
}

}  // namespace

bool may_write(const Instruction& i, unsigned reg) {
  bool is_in_tables = i.encoding == Encoding::Legacy && (i.map == OpcodeMap::One || i.map == OpcodeMap::Two);
  if (is_nop(i) || is_endbr64(i)) return false;
  char kind = is_in_tables ? resolved((i.map == OpcodeMap::One ? kOneByte : kTwoByte)[i.opcode], i.extension()) : '.';
  switch (kind) {
    case '-': return false;
    case 'a': return reg == kRax;
    case 'o': return whole_register(i, (i.opcode & 7u) | (i.rex & 1u) << 3) == reg;
    case 'r': return whole_register(i, i.reg()) == reg;
    case 'm': return !i.has_memory() && whole_register(i, i.rm()) == reg;
    default: return may_write_otherwise(i, reg);
  }
}

std::optional<unsigned> only_written(const Instruction& i) {
  if (i.encoding != Encoding::Legacy || i.flow != Flow::Next || i.lock) return std::nullopt;
  if (is_nop(i) || is_endbr64(i)) return kNoRegister;
  if (i.map != OpcodeMap::One && i.map != OpcodeMap::Two) return std::nullopt;
  bool is_lea = i.is_legacy(OpcodeMap::One, 0x8d);
  if (i.has_memory() && !is_lea && !is_sure_to_be_there(i)) return std::nullopt;
  char kind = resolved((i.map == OpcodeMap::One ? kOneByte : kTwoByte)[i.opcode], i.extension());
  switch (kind) {
    case '-': return kNoRegister;
    case 'a': return kRax;
    case 'o': return whole_register(i, (i.opcode & 7u) | (i.rex & 1u) << 3);
    case 'r': return whole_register(i, i.reg());
    case 'm': return i.has_memory() ? std::nullopt : std::optional(whole_register(i, i.rm()));
    default: return std::nullopt;
  }
}

}  // namespace strut

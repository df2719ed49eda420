#include "pid-provider/register_writes.hpp"

namespace strut {
namespace {

constexpr unsigned kRax = 0;

// What opcodes write, a character each:
//   m  the operand that ModRM's r/m names    r  the one that its reg names    a  %rax    o  the register in the opcode
//   -  flags at most    C  as m, but flags with /7 (cmp)    U  flags with /0 and /1 (test), as m with /2 and /3 (not, neg)
//   I  as m with /0 and /1 (inc, dec)    .  something else
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

}  // namespace

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

// The instructions of D programs: dlang/ interprets them, and kassist/ can lower them to BPF.
//
// A clause is a straight piece of code with forward jumps only: it ends after at most as many steps as it has
// instructions. It works on integer registers (64 bits), text registers (strings of bounded size, each with a place of
// its own), the keys of the next tuple, and scratch memory of fixed size. Nothing else is allocated: a lowering can
// give every register, key and the scratch a fixed place. Predicates are code: a clause that jumps to its End before it
// recorded anything did not fire.
//
// All registers are undefined when a clause begins; verified code reads none that it did not write on every path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strut {

enum class DOp : uint8_t {
#define OP(name, operands, meaning) name,
#include "dlang/compiler/bytecode.inc"
#undef OP
};

/// One instruction. A letter in DOpRow::operands describes each operand, in the order a b c imm:
///   -  nothing, 0                       i  any number
///   d  integer register, written        j  how many instructions further, 1 and up, within the clause
///   r  integer register, read           k  index of a constant           x  index of a text
///   t  text register, written           g  index of a global scalar      v  of a thread's      l  of a clause's
///   s  text register, read              e  index of an array             A  of an aggregation  q  of an action
///   o  integer register, read, or none: 255 in a, -1 in imm
///   S  DSubject                         u  DBuiltin of an integer        U  of a string
///   m  DMemberName of an integer        M  of a string
///   K  number of a key                  L  key_number(), and key_bytes() above it
///   B  2 to 36                          y  2, 4 or 8
///   b  0 or 1
///   p  index of a variable of the probed program
///   n  number of an argument, 0 … 9     w  1, 2, 4, 8 (+ 16: signed)     z  1, 2, 4, 8 (+ 16)
struct DInstruction {
  DOp op = DOp::End;
  uint8_t a = 0;
  uint8_t b = 0;
  uint8_t c = 0;
  int32_t imm = 0;

  bool operator==(const DInstruction&) const = default;
};
static_assert(sizeof(DInstruction) == 8);

struct DOpRow {
  std::string_view name;
  std::string_view operands;
  std::string_view meaning;
};

/// The row of an instruction; `op` is one of the enumerators.
const DOpRow& row_of(DOp op);
/// Strings that the instruction reads may be NULL.
constexpr bool takes_null(DOp op) {
  switch (op) {
    case DOp::TextIsSet:
    case DOp::TextCopy:
    case DOp::TextCompare:
    case DOp::TextToken:
    case DOp::StoreGlobalText:
    case DOp::StoreThreadText:
    case DOp::StoreClauseText:
    case DOp::StoreElementText:
    case DOp::KeyText: return true;
    default: return false;
  }
}
/// How many instructions there are: greater bytes are none.
size_t op_count();

constexpr unsigned kDIntegerRegisters = 255;  ///< r0 … r254
constexpr unsigned kDTextRegisters = 32;      ///< t0 … t31
constexpr unsigned kDKeys = 16;               ///< elements of a tuple
constexpr uint8_t kNoRegister = 255;

/// The number of the key that an instruction sets. KeyBytes has the key's size above it.
constexpr int32_t kDKeyBits = 4;
static_assert(kDKeys == 1 << kDKeyBits);
constexpr uint32_t key_number(const DInstruction& i) { return static_cast<uint32_t>(i.imm) & (kDKeys - 1); }
constexpr uint32_t key_bytes(const DInstruction& i) { return static_cast<uint32_t>(i.imm) >> kDKeyBits; }
constexpr size_t kDMostCode = 1 << 18;  ///< instructions of a program, its clauses together
constexpr int32_t kSignedWidth = 16;    ///< in imm of Extend and Load

/// Scratch addresses: not canonical, so that no address of a target or the kernel is one. They fault where target
/// addresses are wanted, and target addresses fault where scratch is wanted.
constexpr uint64_t kDScratchBase = 0x0DEC'0000'0000'0000;
constexpr uint32_t kDScratchBytes = 16384;
/// Global variables that lie in memory are behind it, then those of threads and elements of arrays, each in a window of
/// its own that lasts until the firing's end.
constexpr uint64_t kDWindowBytes = uint64_t{1} << 24;
constexpr uint64_t kDGlobalBase = kDScratchBase + kDWindowBytes;
constexpr uint32_t kDMostGlobalBytes = kDWindowBytes / 2;
constexpr uint32_t kDMostClauseBytes = kDScratchBytes / 2;
constexpr uint64_t kDFirstWindow = kDGlobalBase + kDWindowBytes;
/// In the kernel they stay where they are: those of the current thread here, and elements behind them.
constexpr uint64_t kDThreadBase = kDFirstWindow;

/// A fault ends its clause: the clause's records are not committed, and the ERROR probe fires (DTrace Guide, "ERROR":
/// DTRACEFLT_*, with these numbers in arg4).
enum class DFault : uint8_t {
#define D_FAULT(fault, number, constant, value) fault = value,
#include "dlang/language/faults.inc"
#undef D_FAULT
};

/// "divide-by-zero", "invalid address (0x56)": as `error on enabled probe …` says it.
std::string describe(DFault fault, uint64_t address);

/// One line: "Add r2 r0 r1".
std::string disassemble(const DInstruction& instruction);

}  // namespace strut

// The possible places of a probe, the cost of a hit there, and reasons for refusals.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "pid-provider/control_flow.hpp"
#include "x86/instruction.hpp"

namespace strut {

/// The cost of a uprobe's hit by instruction (measured on 6.18: 0.5 µs emulated; 11 to 30 µs stepped in a virtual
/// machine, about 1 µs on hardware).
enum class UprobeCost : uint8_t { Emulated, Stepped };

/// Why no uprobe may be put on an instruction.
enum class UprobeRefusal : uint8_t {
  Prefix,    ///< lock, or a segment override other than %fs and %gs: the kernel refuses it
  Opcode,    ///< one that the kernel refuses (in, out, int3, hlt …)
  Misread,   ///< the kernel reads a VEX or EVEX opcode as a branch, or xchg %rax,%r8 as a nop, and would not execute it
  TrapFlag,  ///< pushf: the target would find the trap flag in the pushed flags
  OptimisedNop,  ///< a nop of five bytes: the kernel makes it a call of a page that children of fork(2) do not have
  SystemCall,    ///< a thread that clone3 begins would go on in the kernel's copy of the instruction, and crash
  Transaction,   ///< xbegin: its target is relative and would be taken from the kernel's copy
};
std::string_view why(UprobeRefusal refusal);

struct UprobePlace {
  uint64_t address = 0;  ///< for the file
  UprobeCost cost = UprobeCost::Stepped;
};

/// An instruction taken as it is. Rules measured on Linux 6.18: every opcode was offered to uprobe_multi, and those
/// that it takes were executed under it.
std::expected<UprobeCost, UprobeRefusal> uprobe_on(const Instruction& instruction);

/// The same with the place: the instruction itself.
std::expected<UprobePlace, UprobeRefusal> place_on(const Instruction& instruction);

/// True if uprobe_entry() looks no further than this instruction.
bool ends_entry_search(const Instruction& instruction);

/// Where a function's entry probe sits: on its first instruction, or behind it on the first that the kernel emulates,
/// as long as nothing in between changes %rsp, an argument's register or memory, or may be jumped to. A probe on offset
/// 0 of the same function would then fire before it: put both on the first instruction (uprobe_on) if both are wanted.
std::expected<UprobePlace, UprobeRefusal> uprobe_entry(const DecodedFunction& code);

/// How a function's returns are seen in the kernel.
enum class ReturnStrategy : uint8_t {
  Instructions,  ///< uprobes on its ReturnSites: safe whatever the function does, and stepped (ret cannot be emulated
                 ///< before 7.x)
  Uretprobe,     ///< the kernel replaces the return address: cheap, and deadly for code that reads it
  None,          ///< neither is safe
};
/// Facts about a process beyond its files.
struct ProcessTraits {
  /// Seccomp: 2 of /proc/PID/status; may kill on the system call of the kernel's trampoline.
  bool has_seccomp_filter = false;
  bool moves_stacks = false;  ///< a Go program: its runtime reads and rewrites return addresses
};
struct ReturnChoice {
  ReturnStrategy strategy = ReturnStrategy::None;
  std::string_view why;
};
/// Uretprobe only where it is proven harmless: the function makes no call (so that nothing can be thrown or unwound
/// through it) and no system call, and never reads its stack; and where every site could be refused, None with the
/// reason.
ReturnChoice return_strategy(const DecodedFunction& code, const ProcessTraits& process);

}  // namespace strut

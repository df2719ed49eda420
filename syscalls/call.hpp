// One system call of one thread: raw registers, then decoded.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "syscalls/abi.hpp"
#include "syscalls/call_context.hpp"
#include "syscalls/syscall.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// How a call was tampered with; bits of Call::tampering.
enum Tampering : uint8_t {
  kInjectedArgs = 1,    ///< an argument was poked
  kInjectedRetval = 2,  ///< result, error or number was replaced
  kDelayed = 4,
};

/// The arguments of a Call that stands for a function call and not for a system call (syscalls/function.hpp).
struct FunctionArguments {
  std::span<const ArgType> types;    ///< those after kMaxDecodedArgs are not decoded
  std::span<const uint64_t> values;  ///< one for each type, from wherever it was passed
  const Type* result = nullptr;
};

/// A call as the kernel sees it. Registers are zero-extended to 64 bits on the 32-bit ABIs.
struct Call {
  Abi abi = Abi::X86_64;
  uint32_t nr = 0;                    ///< without kX32Bit
  const SyscallDesc* desc = nullptr;  ///< nullptr: its entry was not seen; unknown_syscall() if the table has none
  const FunctionArguments* function = nullptr;  ///< nullptr: a system call. Else `desc` says nothing of arguments
  std::array<uint64_t, kRegisters> regs{};
  Pid pid{};
  Tid tid{};
  /// The thread's last shown call other than restart_syscall: the one that a restart_syscall resumes. nullptr: none.
  const SyscallDesc* interrupted = nullptr;
  uint64_t ip = 0;  ///< instruction pointer behind the call instruction
  uint64_t sp = 0;  ///< stack pointer: where sigreturn(2) finds its frame
  Timestamp entered;
  // known at exit
  bool returned = false;  ///< false at exit: it never returned (exit, death in the middle)
  /// At exit, not `returned`: it did return, to a thread that was killed before its result was read.
  bool unavailable = false;
  int64_t result = 0;  ///< %rax, sign-extended from 32 bits on i386
  int error = 0;       ///< errno 1..4095, or a restart code 512..; 0: success
  Timestamp left;
  uint64_t system_time_ns = 0;  ///< CPU time in the kernel that the call took (rusage); 0 if not measured
  uint8_t tampering = 0;

  /// The effects in the call's row; none where the call's entry was not seen.
  const Effects& effects() const {
    static constexpr Effects kNone;
    return desc ? desc->effects : kNone;
  }
};

/// Fills in ABI, number and row.
void set_number(Call& call, Abi abi, uint32_t nr);
/// The call returned `value`, as the kernel has it in the result's register: errors are negative, restart codes
/// included.
void set_result(Call& call, int64_t value);

enum class Phase : uint8_t { Enter, Exit };

/// One decoded argument. Names, labels and separators come from its description.
struct DecodedArg {
  const ArgType* type = nullptr;
  Value value;
};

/// A part of the data that a call read or wrote through a descriptor with dumped traffic (DecodeOptions::dump_reads).
struct Dump {
  enum class Of : uint8_t {
    Call,     ///< the call's one buffer: `bytes`
    Buffer,   ///< buffer number `index` of a vector: `bytes`, `count` of them; none if they could not be read
    Message,  ///< message number `index` of several begins: a vector of `count` buffers follows, as far as it was used
  };
  Of of = Of::Call;
  uint32_t index = 0;
  uint64_t count = 0;
  std::string_view bytes;  ///< in the arena
};

/// A call's values. Owns the arena they live in; reused from call to call by its thread.
struct DecodedCall {
  Arena arena;
  std::deque<FdTarget> fd_targets;  ///< stable addresses for Fd::target
  std::array<DecodedArg, kMaxDecodedArgs> args;
  size_t count = 0;  ///< arguments; those not known at enter are Pending until exit
  /// Leading arguments that were known at enter. If args[ready] changes in the call (Direction::InOut) it holds, at
  /// enter, its value before: strace shows that at once (`sendfile(4, 5, [5 <unfinished ...>`), and ` => …` when it
  /// returns.
  size_t ready = 0;
  /// At enter: all arguments are known and nothing but the plain result is to come. A call that never returns then
  /// ends in `) = ?`, any other in ` <unfinished ...>) = ?`.
  bool complete = false;
  Value result;  ///< at exit, if it returned without error
  /// At exit: Absent; a Text{Bare}; a Struct, with fields shown as `name value`; a Named or a Form, of which only the
  /// names are shown, and nothing where names are off (the result is the number); any other value unchanged.
  Value aux;
  std::span<const Dump> dumps;  ///< at exit; empty unless asked for
  uint32_t unseen = 0;          ///< how many Unseen values it holds

  void reset();
};

}  // namespace strut

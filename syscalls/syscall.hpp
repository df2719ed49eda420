// System calls as data: one description per call, found by number or name in each ABI.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "syscalls/abi.hpp"
#include "syscalls/effects.hpp"
#include "syscalls/type.hpp"

namespace strut {

struct Call;
struct DecodedCall;

/// The classes of -e trace=%class; strace(1) "Filtering" lists the calls of each.
enum Classes : uint32_t {
  kNone = 0,
  kDesc = 1u << 0,
  kFile = 1u << 1,
  kMemory = 1u << 2,
  kProcess = 1u << 3,
  kSignals = 1u << 4,
  kIpc = 1u << 5,
  kNetwork = 1u << 6,
  kStat = 1u << 7,
  kLstat = 1u << 8,
  kFstat = 1u << 9,
  kStatLike = 1u << 10,  ///< %%stat
  kStatfs = 1u << 11,
  kFstatfs = 1u << 12,
  kStatfsLike = 1u << 13,  ///< %%statfs
  kPure = 1u << 14,
  kCreds = 1u << 15,
  kClock = 1u << 16,
  kNeverReturns = 1u << 17,  ///< exit, exit_group: result is always `?`
};

/// When an argument's content is meaningful.
enum class Direction : uint8_t {
  In,     ///< at enter
  Out,    ///< at exit, if the call succeeded
  InOut,  ///< at both: shown as before => after where it changed
};

/// Says whether an argument exists in this call (open's mode only when creating). Looks at the ABI and the registers,
/// nothing else: it is asked at enter and again at exit and must say the same.
using ArgCondition = bool (*)(const Call&);

/// One argument.
struct ArgType {
  const char* name = nullptr;
  Type type{};
  Direction direction = Direction::In;
  bool labelled = false;    ///< shown as name=value (clone)
  bool on_failure = false;  ///< Out, InOut: decoded although the call failed
  /// Out: also decoded at enter, where it is not shown but kept for Decoder::at_enter (a length that the kernel
  /// overwrites). Decoder::phase() is the phase that is being decoded.
  bool remembered = false;
  bool shows_both = false;  ///< InOut: bytes are shown as before => after though nothing changed
  /// The text at enter ends before the separator: `clone(child_stack=NULL, flags=X <unfinished ...>`.
  bool late_comma = false;
  ArgCondition when = nullptr;  ///< nullptr: always
  int8_t reg = -1;              ///< the register it comes from, if not the next one; later ones count on from it
};

inline constexpr size_t kMaxArgs = 8;  ///< 6 registers; some calls show a register in two parts
inline constexpr size_t kRegisters = 6;
/// The limit of a decoded call's arguments: functions have more than system calls (syscalls/function.hpp).
inline constexpr size_t kMaxDecodedArgs = 48;

/// The text after the result, in parentheses: poll's ready set, fcntl(F_GETFL)'s flags. Absent: nothing. Called only
/// when the call succeeded, and not for calls shown raw.
using AuxDecode = Value (*)(Decoder&);

/// The arguments of one command of a multiplexer (ioctl, fcntl, prctl …), from the argument that depends on it on.
struct CommandRow {
  uint64_t command;
  Type result{};
  uint8_t count = 0;
  std::array<ArgType, 6> args{};
  AuxDecode aux = nullptr;  ///< nullptr: the call's
};
/// Rows sorted by command, and the argument that holds the command. Its rows replace the arguments from `from` on.
struct CommandTable {
  uint8_t command_arg;
  uint8_t from;
  std::span<const CommandRow> rows;
  uint64_t command_mask = ~0ull;  ///< bits of the argument that select the row (futex: without flags)
  const CommandRow* (*fallback)(const Call&) = nullptr;  ///< for commands without a row (ioctl by _IOC parts)
};

/// For the few calls with arguments that no row can express: decodes all of them, in the phase of `decoder.phase()`.
using ArgsDecode = void (*)(Decoder&, DecodedCall&);

/// Everything known about one call. Static data, never freed.
struct SyscallDesc {
  const char* name;
  uint32_t classes;
  Type result;
  uint8_t count;
  std::array<ArgType, kMaxArgs> args;
  const CommandTable* commands = nullptr;
  AuxDecode aux = nullptr;
  ArgsDecode custom = nullptr;
  Effects effects{};
};

/// A slot of an ABI's table.
struct SyscallSlot {
  uint32_t nr;  ///< as in the table, without kX32Bit
  const SyscallDesc* desc;
};

/// The calls of an ABI in ascending order of number.
std::span<const SyscallSlot> syscalls_of(Abi abi);

/// The description of a kernel's number, nullptr if the ABI has no such call. `nr` without kX32Bit.
const SyscallDesc* find_syscall(Abi abi, uint32_t nr);
/// The slot of a name, nullptr if the ABI has no such call. The kernel's number comes before that of a part.
const SyscallSlot* find_syscall(Abi abi, std::string_view name);

/// Bound of all call numbers of all ABIs: sizes bit sets.
inline constexpr uint32_t kSyscallLimit = 1024;

/// Slots from this number on are parts of multiplexing calls of i386 (syscalls/call_parts.hpp), numbered by us.
inline constexpr uint32_t kFirstPart = 768;
/// The description of a part, nullptr if there is none of this number.
const SyscallDesc* find_part(uint32_t nr);

/// The description that stands for numbers no table knows: six hexadecimal arguments, named "" (see name_of()).
const SyscallDesc& unknown_syscall();

/// "openat", "syscall_0x1bad" for unknown numbers.
std::string name_of(const Call& call);

}  // namespace strut

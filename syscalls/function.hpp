// Functions of libraries and programs as data, in the words of the system-call table, and a call of one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "syscalls/call.hpp"
#include "syscalls/type.hpp"

namespace strut {

/// How a result says that the call failed.
enum class Failure : uint8_t {
  Never,     ///< it cannot fail, or reports that otherwise
  Negative,  ///< below zero, errno has the reason: POSIX calls in the kernel
  Null,      ///< NULL, errno says why
  AllOnes,   ///< (void *)-1, (size_t)-1, MAP_FAILED; errno says why
  Number,    ///< the result is the error's number: pthread_*, posix_*
};

/// The other code that may look at, unwind or leave the function's frame while a call lasts.
enum class FrameUse : uint8_t {
  Open,            ///< any code, as far as is known: it runs callbacks, throws, or saves and walks stacks
  Own,             ///< none: its caller's return address may be replaced meanwhile
  Cancelled,       ///< pthread_cancel(3), which unwinds the thread's stack: a cancellation point
  MaybeCancelled,  ///< one that need not be
};

/// The arguments after the declared ones.
enum class Varargs : uint8_t {
  No,
  Printf,      ///< the arguments of the format string, which is the last declared argument
  Scanf,       ///< pointers to the format string's objects, which are filled in when the call returns
  PrintfList,  ///< a va_list of the format string's arguments: vprintf(3)
  ScanfList,   ///< a va_list of such pointers: vscanf(3)
  Syscall,     ///< the arguments of the system call with the last declared argument as number: syscall(2)
};

constexpr bool scans(Varargs varargs) { return varargs == Varargs::Scanf || varargs == Varargs::ScanfList; }
constexpr bool has_list(Varargs varargs) { return varargs == Varargs::PrintfList || varargs == Varargs::ScanfList; }

/// The most bytes of a format string that are looked at.
constexpr size_t kLongestFormat = 4096;

/// One function. The referenced data lives as long as it does: static data, or a FunctionLibrary (libcalls/).
struct FunctionDesc {
  std::string_view name;
  Type result{};
  std::span<const ArgType> args;
  Varargs varargs = Varargs::No;
  Failure failure = Failure::Never;
  /// The system call that it makes with its own arguments: they are that one's, and decoded as such. `args` is then
  /// empty.
  const SyscallDesc* syscall = nullptr;
  FrameUse frame = FrameUse::Open;
  bool known = true;  ///< false: its prototype is unknown; arguments are the first registers
};

/// The form of a function's name in output.
enum class FunctionLabel : uint8_t {
  Name,    ///< malloc
  Caller,  ///< main->malloc: calls of several modules are shown
  Module,  ///< malloc@libc.so.6: traced at the function, whatever its caller
};

/// A call of a function by a thread. Reused from call to call; not to be copied while `call.function` is set.
struct FunctionCall {
  const FunctionDesc* desc = nullptr;
  std::string_view symbol;  ///< by which it was traced; views are the backend's
  std::string_view module;  ///< file or soname that has its code; empty: not known
  std::string_view caller;  ///< the calling module; empty: unknown, or not requested
  FunctionLabel label = FunctionLabel::Name;
  Addr return_address{};
  uint32_t depth = 0;          ///< traced calls of the thread that were active when it was made
  bool active_before = false;  ///< it had begun when tracing did: its arguments are unknown
  Call call;  ///< for the decoder; `entered`, `left`, `returned`, `result` and `error` are the function's
  /// The stack pointer is at or above its frame though no return was seen: longjmp, an exception, a thread's end.
  bool abandoned = false;
  /// The registers that arguments of class INTEGER are passed in, whatever its prototype says.
  std::array<uint64_t, 6> integers{};
  uint64_t returned_bits = 0;  ///< %rax when it returned
  FunctionArguments arguments;
  std::array<uint64_t, kMaxDecodedArgs> values{};
  std::vector<ArgType> varargs;  ///< declared arguments and those of the format, where there is one
};

}  // namespace strut

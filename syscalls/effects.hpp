// The effects of a system call besides those in its arguments, as far as strut acts on them: a part of the call's row.
#pragma once

#include <cstdint>

namespace strut {

/// Bits of Effects::flags.
enum Effect : uint32_t {
  kMapsCode = 1u << 0,              ///< if argument 2 has PROT_EXEC (mmap(2), mprotect(2))
  kRestoresFrame = 1u << 1,         ///< sigreturn(2): replaces all registers
  kResumesCall = 1u << 2,           ///< restart_syscall(2)
  kReturnsReaped = 1u << 3,         ///< the result is the process that was reaped (wait4(2))
  kWaitsForChild = 1u << 4,         ///< wait4(2), waitid(2)
  kWaitsForFutex = 1u << 5,         ///< by the command in argument 1 (futex(2))
  kWaitsForDescriptors = 1u << 6,   ///< for the descriptors of the epoll instance in argument 0
  kPolls = 1u << 7,                 ///< for the array of pollfd in argument 0, of the length in argument 1
  kConsumesSignal = 1u << 8,        ///< the result is the signal (sigtimedwait(2))
  kMayRenameThread = 1u << 9,       ///< prctl(2), PR_SET_NAME
  kOverwritesArguments = 1u << 10,  ///< memory that is shown as it was passed
  kSendsMessage = 1u << 11,         ///< through the socket in argument 0; its protocol decides the meaning of the data
  kReceivesMessage = 1u << 12,
  kEntersNamespaces = 1u << 13,   ///< for the caller (unshare(2), setns(2))
  kKeepsDescriptors = 1u << 14,   ///< the descriptors refer to the same files when it returns
  kMovesOffset = 1u << 15,        ///< they do, except for /proc/PID/fdinfo: an eventfd's count
  kFillsText = 1u << 16,          ///< the buffer gets a path without a NUL (readlink(2))
  kReturnsMapping = 1u << 17,     ///< the result is where memory was mapped (mmap(2))
  kChangesUser = 1u << 18,        ///< for the caller (setuid(2))
  kArgumentsInMemory = 1u << 19,  ///< argument 0 points to all of them (i386's oldest mmap)
};

/// Which process or thread a call makes.
enum class Makes : uint8_t {
  Nothing,
  ByArgument,  ///< CLONE_ flags are argument 0 (clone(2))
  ByMemory,    ///< the flags are the first member of argument 0's structure (clone3(2))
  Child,       ///< fork(2)
  VforkChild,
};

/// How the kernel goes on with a call that a stop has interrupted, without a handler (signal(7), "Interruption of
/// system calls and library functions by stop signals").
enum class AfterStop : uint8_t {
  Anew,               ///< the call is made again
  AsRestart,          ///< by restart_syscall(2): it sleeps for a time that is counted from its beginning
  AsRestartRelative,  ///< by restart_syscall(2), unless TIMER_ABSTIME is in argument 1
  AsRestartFutex,     ///< by restart_syscall(2) for FUTEX_WAIT and FUTEX_WAIT_BITSET with a timeout (arguments 1 and 3)
  Fails,              ///< EINTR, with nothing done
};

/// Whether a call shows a thread's CPU affinity, or passes it on: sched_setaffinity(2), proc(5) "Cpus_allowed".
enum class MaskUse : uint8_t {
  Untouched,
  Inherited,        ///< a child or a kernel thread inherits the caller's, or the caller may lose the right to set it
  Any,              ///< shows or sets the mask of any thread, or reads files that strut does not see
  ReadsArgument0,   ///< reads the descriptor in argument 0, which may be a file of /proc
  ReadsArgument1,   ///< the descriptor in argument 1
  ByDeviceRequest,  ///< ioctl(2): some devices start kernel threads
};

/// The data that a call moves through the descriptor in argument 0 (-e read, -e write).
struct Transfer {
  enum class Way : uint8_t { Nothing, Read, Write } way = Way::Nothing;
  enum class Shape : uint8_t {
    Buffer,    ///< (fd, buf, count)
    Vector,    ///< (fd, iov, iovcnt)
    Message,   ///< (fd, msghdr)
    Messages,  ///< (fd, mmsghdr, count)
  } shape = Shape::Buffer;
};

/// The arguments of a call that name a signal and its receiver; kAbsent: the call has none.
struct SignalArguments {
  static constexpr int8_t kAbsent = -1;
  int8_t process = kAbsent;  ///< kill(2)'s: a process or a process group
  int8_t thread = kAbsent;
  int8_t descriptor = kAbsent;  ///< a pidfd
  int8_t signal = kAbsent;
};

/// A row without a part for it has none of these.
struct Effects {
  uint32_t flags = 0;
  Makes makes = Makes::Nothing;
  int8_t program = -1;  ///< the argument with the path of the program that replaces the caller's; argv and envp follow
  AfterStop after_stop = AfterStop::Anew;
  MaskUse cpu_mask = MaskUse::Untouched;
  Transfer transfer{};
  SignalArguments signal{};
  uint8_t not_searched = 0;  ///< bit n: argument n names a file that -P does not look for, as strace 7.2 does not

  constexpr bool have(Effect effect) const { return (flags & effect) != 0; }
  constexpr bool make_process() const { return makes != Makes::Nothing; }
  constexpr bool replace_program() const { return program >= 0; }
};

}  // namespace strut

// siginfo_t as values, for calls that take or give one and for the lines that announce signals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <signal.h>

#include "base/arena.hpp"
#include "syscalls/abi.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/call_context.hpp"
#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// sizeof(siginfo_t) in every ABI: SI_MAX_SIZE of <asm-generic/siginfo.h>.
inline constexpr size_t kSiginfoBytes = 128;

/// The names of the ids in a siginfo.
struct SiginfoNames {
  std::string_view comm;           ///< for the process si_pid; empty: not requested or unknown
  int32_t translated = 0;          ///< si_pid in strut's pid namespace; 0: the same or unknown
  const FdTarget* file = nullptr;  ///< behind si_fd
};

/// A siginfo in x86-64's layout as a Struct; with si_signo 0 an empty one. `abi` is the thread's: system calls of
/// its own table are shown by name. Pure.
Value decode_siginfo(Arena& arena, const siginfo_t& info, Abi abi = Abi::X86_64, const SiginfoNames& names = {});

/// The si_pid that decode_siginfo would show, nullopt if this siginfo has none: the process of the needed comm.
std::optional<int32_t> pid_of(const siginfo_t& info);
/// The si_fd that decode_siginfo would show, nullopt if this siginfo has none.
std::optional<int32_t> fd_of(const siginfo_t& info);

/// A siginfo in the target's memory and layout (a CustomDecode of kSiginfoBytes).
Value decode_siginfo_at(Decoder& decoder, uint64_t at, size_t bytes);
extern const Type kSiginfoRead;
inline constexpr Type kSiginfo = notation::reading(notation::custom(decode_siginfo_at, kSiginfoBytes), kSiginfoRead);

}  // namespace strut

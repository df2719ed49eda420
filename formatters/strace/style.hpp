// How strace's text looks: the options that change looks and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "formatters/common/palette.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {

/// -X: how named numbers are written.
enum class NamesAs : uint8_t { Abbrev, Raw, Verbose };
/// -x, -xx, --strings-in-hex.
enum class HexStrings : uint8_t { No, NonAscii, All, NonAsciiChars };
/// Number of digits behind the point of a time.
enum class Precision : uint8_t { Seconds = 0, Milliseconds = 3, Microseconds = 6, Nanoseconds = 9 };
enum class AbsoluteTime : uint8_t { No, TimeOfDay, UnixTime };
/// How the pid stands in front: never, `[pid N]` on a terminal, `N ` in a shared log.
enum class PidLeader : uint8_t { WhenSeveral, Always, Never };
enum class Colour : uint8_t { Never, Always };

/// --decode-fds: the shown details of descriptors; bits of StraceStyle::fd_shows.
enum FdShows : uint8_t {
  kFdPath = 1,
  kFdSocket = 2,
  kFdDevice = 4,
  kFdEventfd = 8,
  kFdPidfd = 16,
  kFdSignalfd = 32,
  kFdAll = 63,
};

struct StraceStyle {
  NamesAs names = NamesAs::Abbrev;
  HexStrings hex_strings = HexStrings::No;
  uint8_t fd_shows = 0;         ///< FdShows: -y is kFdPath, -yy kFdAll
  uint32_t result_column = 40;  ///< -a
  AbsoluteTime absolute_time = AbsoluteTime::No;
  Precision absolute_precision = Precision::Seconds;
  bool relative_time = false;  ///< -r
  Precision relative_precision = Precision::Microseconds;
  bool call_time = false;  ///< -T
  Precision call_precision = Precision::Microseconds;
  bool ip = false;              ///< -i
  bool syscall_number = false;  ///< -n
  bool arg_names = false;       ///< -N: show argument names
  bool secontext = false;
  PidLeader pid_leader = PidLeader::WhenSeveral;
  bool bracketed_pid = true;                 ///< `[pid N] ` (stderr) or `N     ` (-o FILE)
  bool quiet_exit = false;                   ///< no `+++ exited with N +++`
  bool quiet_attach = false;                 ///< no `Process N attached` / `detached`
  bool quiet_personality = false;            ///< no `[ Process PID=N runs in 32 bit mode. ]`
  bool quiet_superseded = false;             ///< no `+++ superseded by execve in pid N +++`
  SignalNumbers signals = ~SignalNumbers{};  ///< -e signal: `+++ killed by` other signals is not shown
  Colour colour = Colour::Never;
  Palette palette;                 ///< used if colour is not Never
  std::string program = "strace";  ///< the prefix of messages: argv[0]
  bool summary_only = false;       ///< -c: calls, signals and exits are not shown, only messages and personalities
  SyscallSet raw;   ///< -e raw: an interrupting restart code of these calls is written like any other error
  SyscallSet full;  ///< calls with detail fields in their structures (complement of -e abbrev, -v)
};

}  // namespace strut

#include "cli/strace/parsing.hpp"

namespace strut {
namespace {

// In the order in which strace 7.2 lists them where an abbreviation is ambiguous.
constexpr LongOption kStracesOptions[] = {
    {"columns", Takes::Value, 'a'},
    {"output-append-mode", Takes::Nothing, 'A'},
    {"detach-on", Takes::Value, 'b'},
    {"summary-only", Takes::Nothing, 'c'},
    {"summary", Takes::Nothing, 'C'},
    {"debug", Takes::Nothing, 'd'},
    {"daemonize", Takes::MaybeValue, kLongDaemonize},
    {"daemonised", Takes::MaybeValue, kLongDaemonize},
    {"daemonized", Takes::MaybeValue, kLongDaemonize},
    {"env", Takes::Value, 'E'},
    {"follow-forks", Takes::Nothing, kLongFollowForks},
    {"output-separately", Takes::Nothing, kLongOutputSeparately},
    {"help", Takes::Nothing, 'h'},
    {"instruction-pointer", Takes::Nothing, 'i'},
    {"interruptible", Takes::Value, 'I'},
    {"kill-on-exit", Takes::Nothing, kLongKillOnExit},
    {"stack-trace", Takes::MaybeValue, kLongStackTrace},
    {"stack-traces", Takes::MaybeValue, kLongStackTrace},
    {"stack-trace-frame-limit", Takes::Value, kLongFrameLimit},
    {"syscall-limit", Takes::Value, kLongSyscallLimit},
    {"syscall-number", Takes::Nothing, 'n'},
    {"arg-names", Takes::Nothing, 'N'},
    {"output", Takes::Value, 'o'},
    {"summary-syscall-overhead", Takes::Value, 'O'},
    {"attach", Takes::Value, 'p'},
    {"trace-path", Takes::Value, 'P'},
    {"relative-timestamps", Takes::MaybeValue, kLongRelativeTimestamps},
    {"string-limit", Takes::Value, 's'},
    {"summary-sort-by", Takes::Value, 'S'},
    {"absolute-timestamps", Takes::MaybeValue, kLongTimestamps},
    {"timestamps", Takes::MaybeValue, kLongTimestamps},
    {"syscall-times", Takes::MaybeValue, kLongSyscallTimes},
    {"user", Takes::Value, 'u'},
    {"summary-columns", Takes::Value, 'U'},
    {"no-abbrev", Takes::Nothing, 'v'},
    {"version", Takes::Nothing, 'V'},
    {"summary-wall-clock", Takes::Nothing, 'w'},
    {"strings-in-hex", Takes::MaybeValue, kLongHexStrings},
    {"const-print-style", Takes::Value, 'X'},
    {"pidns-translation", Takes::Nothing, kLongPidnsTranslation},
    {"successful-only", Takes::Nothing, 'z'},
    {"failed-only", Takes::Nothing, 'Z'},
    {"failing-only", Takes::Nothing, 'Z'},
    {"seccomp-bpf", Takes::Nothing, kLongSeccomp},
    {"tips", Takes::MaybeValue, kLongTips},
    {"argv0", Takes::Value, kLongArgv0},
    {"always-show-pid", Takes::Nothing, kLongAlwaysShowPid},
    {"color", Takes::Value, kLongColour},
    {"trace", Takes::Value, kLongQualifier},
    {"trace-fds", Takes::Value, kLongQualifier + 1},
    {"abbrev", Takes::Value, kLongQualifier + 2},
    {"verbose", Takes::Value, kLongQualifier + 3},
    {"raw", Takes::Value, kLongQualifier + 4},
    {"signals", Takes::Value, kLongQualifier + 5},
    {"status", Takes::Value, kLongQualifier + 6},
    {"read", Takes::Value, kLongQualifier + 7},
    {"write", Takes::Value, kLongQualifier + 8},
    {"fault", Takes::Value, kLongQualifier + 9},
    {"inject", Takes::Value, kLongQualifier + 10},
    {"kvm", Takes::Value, kLongQualifier + 11},
    {"namespace", Takes::MaybeValue, kLongQualifier + 12},
    {"quiet", Takes::MaybeValue, kLongQuiet},
    {"silent", Takes::MaybeValue, kLongQuiet},
    {"silence", Takes::MaybeValue, kLongQuiet},
    {"decode-fds", Takes::MaybeValue, kLongDecodeFds},
    {"decode-pids", Takes::Value, kLongQualifier + 13},
    {"secontext", Takes::MaybeValue, kLongSecontext},
};
constexpr auto kLongOptions = joined(kStracesOptions, kOwnOptions);

constexpr ShortOption kShortOptions[] = {
    {'a', Takes::Value, 'a'},   {'A', Takes::Nothing, 'A'}, {'b', Takes::Value, 'b'},   {'c', Takes::Nothing, 'c'},
    {'C', Takes::Nothing, 'C'}, {'d', Takes::Nothing, 'd'}, {'D', Takes::Nothing, 'D'}, {'e', Takes::Value, 'e'},
    {'E', Takes::Value, 'E'},   {'f', Takes::Nothing, 'f'}, {'F', Takes::Nothing, 'F'}, {'h', Takes::Nothing, 'h'},
    {'i', Takes::Nothing, 'i'}, {'I', Takes::Value, 'I'},   {'k', Takes::Nothing, 'k'}, {'n', Takes::Nothing, 'n'},
    {'N', Takes::Nothing, 'N'}, {'o', Takes::Value, 'o'},   {'O', Takes::Value, 'O'},   {'p', Takes::Value, 'p'},
    {'P', Takes::Value, 'P'},   {'q', Takes::Nothing, 'q'}, {'r', Takes::Nothing, 'r'}, {'s', Takes::Value, 's'},
    {'S', Takes::Value, 'S'},   {'t', Takes::Nothing, 't'}, {'T', Takes::Nothing, 'T'}, {'u', Takes::Value, 'u'},
    {'U', Takes::Value, 'U'},   {'v', Takes::Nothing, 'v'}, {'V', Takes::Nothing, 'V'}, {'w', Takes::Nothing, 'w'},
    {'x', Takes::Nothing, 'x'}, {'X', Takes::Value, 'X'},   {'y', Takes::Nothing, 'y'}, {'Y', Takes::Nothing, 'Y'},
    {'z', Takes::Nothing, 'z'}, {'Z', Takes::Nothing, 'Z'},
};

}  // namespace

std::span<const ShortOption> strace_short_options() { return kShortOptions; }
std::span<const LongOption> strace_long_options() { return kLongOptions; }
OptionTables strace_options() { return {kShortOptions, kLongOptions}; }

}  // namespace strut

// State of strace's options while they are parsed, before they are checked against each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/common/option_scanner.hpp"
#include "cli/strace/options.hpp"

namespace strut {

/// Ids of options are their letters; these have none, or take other values when they are spelled out.
enum LongOnly : int {
  kLongArgv0 = 256,
  kLongAlwaysShowPid,
  kLongColour,
  kLongDaemonize,
  kLongDecodeFds,
  kLongFollowForks,
  kLongFrameLimit,
  kLongHexStrings,
  kLongKillOnExit,
  kLongOutputSeparately,
  kLongPidnsTranslation,
  kLongQuiet,
  kLongRelativeTimestamps,
  kLongSeccomp,
  kLongSecontext,
  kLongStackTrace,
  kLongSyscallLimit,
  kLongSyscallTimes,
  kLongTimestamps,
  kLongTips,
  kLongQualifier,  ///< from here on: -e qualifiers spelled as options, distinguished by name
};

/// An option that is written as repeated letters (-t, -tt) or as a word with a value (--timestamps=…), not as both.
struct Repeated {
  int letters = 0;
  bool spelled = false;
};

/// -e quiet: suppressed messages.
enum Quiet : uint32_t {
  kQuietAttach = 1,
  kQuietExit = 2,
  kQuietPath = 4,
  kQuietPersonality = 8,
  kQuietSuperseded = 16,
  kQuietAll = 31,
};

struct StraceParsing {
  StraceOptions options;
  std::vector<std::string> warnings;
  std::string spelling;  ///< for the current option: "-s", "--string-limit"
  Repeated timestamps, fds, hex, quiet, daemon;
  Repeated follow;  ///< -f, --follow-forks
  uint32_t quiet_bits = 0;
  bool follow_by_old_letter = false;  ///< -F
  bool output_separately = false;
  bool version = false;
  bool sorted = false;          ///< -S
  bool columns_chosen = false;  ///< -U
  bool signals_chosen = false;  ///< -e signal
  size_t frame_limit = 0;       ///< --stack-trace-frame-limit; 0: not given
  int stack_traces = 0;         ///< how often -k was given
  bool always_show_pid = false;
  int status_letters = 0;  ///< -z, -Z
};

/// strace's options (strace(1)), short and long.
std::span<const ShortOption> strace_short_options();
std::span<const LongOption> strace_long_options();

/// Applies one option.
Result<void> take_strace_option(StraceParsing& parsing, const ScannedOption& option);

/// Applies `-e EXPRESSION`, or one of its qualifiers given as a long option.
Result<void> take_qualifier(StraceParsing& parsing, std::string_view expression);
Result<void> take_qualifier(StraceParsing& parsing, std::string_view qualifier, std::string_view value);

/// After the last option: sets the run's purpose, and calls complete_strace_options() for a trace.
Result<void> end_strace_options(StraceParsing& parsing);

/// Checks options against each other and derives settings. Adds warnings.
Result<void> complete_strace_options(StraceParsing& parsing);

/// An Error with `text` as its `why`, with or without the hint at -h.
enum class Hint : uint8_t { None, TryHelp };
std::unexpected<Error> refuse(std::string text, Hint hint = Hint::None);

}  // namespace strut

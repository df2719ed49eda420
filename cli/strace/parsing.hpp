// What strace's options leave behind while they are read, before they are checked against each other.
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
  kLongFormat,
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
  kLongQualifier,  ///< from here on: qualifiers of -e spelled as options, told apart by name
};

/// An option that is written as repeated letters (-t, -tt) or as a word with a value (--timestamps=…), not as both.
struct Repeated {
  int letters = 0;
  bool spelled = false;
};

/// -e quiet: what is not said.
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
  std::string spelling;  ///< of the option being taken: "-s", "--string-limit"
  Repeated timestamps, fds, hex, quiet, daemon;
  Repeated follow;  ///< -f, --follow-forks
  uint32_t quiet_bits = 0;
  bool follow_by_old_letter = false;  ///< -F
  bool output_separately = false;
  bool version = false;
  bool sorted = false;          ///< -S
  bool columns_chosen = false;  ///< -U
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

/// Behind the last option: what the run is for, and complete_strace_options() where it traces.
Result<void> end_strace_options(StraceParsing& parsing);

/// The checks of options against each other, and what follows from them. Adds warnings.
Result<void> complete_strace_options(StraceParsing& parsing);

/// An Error whose `why` is `text`, with or without the hint to -h.
enum class Hint : uint8_t { None, TryHelp };
std::unexpected<Error> refuse(std::string text, Hint hint = Hint::None);

}  // namespace strut

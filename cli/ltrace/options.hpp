// ltrace's command line (ltrace(1) of 0.7.3) and our own additions as a value: parsed from words, with no process, file
// or user looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "formatters/ltrace/text.hpp"
#include "libcalls/arming/filtered_choice.hpp"

namespace strut {

enum class LtraceAction : uint8_t { Trace, ShowHelp, ShowVersion };

/// The whole command line. `style` is complete except for the screen's width, which is needed where no -a gives the
/// column.
struct LtraceOptions {
  LtraceAction action = LtraceAction::Trace;
  OwnOptions own;
  LtraceStyle style;
  bool has_column = false;                ///< -a
  size_t max_elements = 4;                ///< -A
  bool count = false;                     ///< -c
  bool count_errors = false;              ///< --errors: with -c a column, else errno behind results
  bool demangle = false;                  ///< -C
  bool follow = false;                    ///< -f
  bool system_calls = false;              ///< -S
  bool default_filter = true;             ///< unless -L: without -e the main program's calls
  CallFilters filters;                    ///< -e, -x, -l, --caller, --callee
  std::vector<std::string> config_paths;  ///< -F: files and directories, lists with colons
  std::optional<std::string> output;      ///< -o
  std::vector<Pid> attach;                ///< -p
  std::optional<std::string> user;        ///< -u
  uint32_t stack_frames = 0;              ///< -w
  uint32_t max_depth = 0;                 ///< --depth: deeper nested calls are not shown; 0: all are
  uint64_t first_calls = 0;               ///< --first: only this many calls of each function are shown; 0: all
  bool tree = false;                      ///< --tree
  std::vector<std::string> command;
};

extern const char* const kLtraceUsage;

/// Its options, for shells.
OptionTables ltrace_options();

/// `words` are argv without argv[0]. The Error's `why` is the line behind "ltrace: ".
Result<LtraceOptions> parse_ltrace_options(std::span<const std::string> words);

}  // namespace strut

// strace's command line (strace(1) of 7.2) as a value: parsed from words, with no process, file or user looked at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "formatters/strace/style.hpp"
#include "formatters/strace/summary.hpp"
#include "trace/request.hpp"

namespace strut {

enum class ColourWhen : uint8_t { Auto, Always, Never };
enum class SummaryMode : uint8_t { No, Only, Also };
enum class Tips : uint8_t { No, Compact, Full };
/// The purpose of a run.
enum class StraceAction : uint8_t { Trace, ShowHelp, ShowVersion, ShowTips };

/// Everything the command line says. `request` and `style` are complete except for facts of the machine: the
/// command's path and environment, its user, the paths that -P's resolve to, whether the output is a terminal.
struct StraceOptions {
  StraceAction action = StraceAction::Trace;
  OwnOptions own;
  TraceRequest request;
  StraceStyle style;
  std::vector<std::string> command;      ///< with its arguments; empty: only -p
  std::optional<std::string> argv0;      ///< --argv0
  std::vector<std::string> environment;  ///< -E: NAME=VALUE sets, NAME removes; in order
  std::optional<std::string> user;       ///< -u: a name or UID:GID
  std::vector<std::string> trace_paths;  ///< -P as typed
  bool says_path_resolution = true;      ///< unless -e quiet=path-resolution
  std::optional<std::string> output;     ///< -o: FILE, `|COMMAND` or `!COMMAND`
  bool append = false;                   ///< -A
  bool separate_output = false;          ///< -ff, --output-separately
  ColourWhen colour = ColourWhen::Auto;
  SummaryMode summary = SummaryMode::No;
  SummaryStyle summary_style;
  Tips tips = Tips::No;
  std::optional<uint64_t> tip;  ///< --tips=ID; nullopt: any
  bool debug = false;           ///< -d
};

/// Its options, for shells.
OptionTables strace_options();
/// What `-e` may begin with, before its `=`; of synonyms the first.
std::vector<std::string> strace_qualifiers();

/// `words` are argv without argv[0]. `warnings` receives, in order, problems that do not stop the run; it is
/// filled even when an Error is returned. The Error's `why` is the text after "strace: ".
Result<StraceOptions> parse_strace_options(std::span<const std::string> words, std::vector<std::string>& warnings);

}  // namespace strut

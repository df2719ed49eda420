// truss's command line (illumos truss(1)) and our own additions as a value: parsed from words, with no process or file
// looked at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "cli/truss/functions.hpp"
#include "formatters/truss/style.hpp"
#include "trace/request.hpp"

namespace strut {

enum class TrussAction : uint8_t { Trace, ShowHelp, ShowVersion };

/// Everything the command line says. `request` is complete but for the command's path, whether stderr is a terminal,
/// and the functions that -u finds.
struct TrussOptions {
  TrussAction action = TrussAction::Trace;
  OwnOptions own;
  TraceRequest request;
  TrussStyle style;
  bool count = false;                     ///< -c
  bool force = false;                     ///< -F
  std::vector<FunctionChoice> functions;  ///< -u, -U, from left to right
  std::optional<std::string> output;      ///< -o
  std::vector<std::string> command;       ///< empty: -p
  std::vector<std::string> warnings;      ///< worth a line: ids named twice
};

extern const char* const kTrussUsage;
extern const char* const kTrussHelp;

/// Its options, for shells.
OptionTables truss_options();

/// `words` are argv without argv[0]. The Error's `why` is the line behind "truss: "; its advice is kTryUsage where the
/// usage is to follow.
Result<TrussOptions> parse_truss_options(std::span<const std::string> words);

}  // namespace strut

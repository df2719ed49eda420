// The command line of `strut dtrace`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "cli/dtrace/scripts.hpp"
#include "dlang/language/settings.hpp"

namespace strut {

/// One -n, -P, -m, -f, -i or -s.
struct DtraceProgram {
  enum class Kind : uint8_t { Name, Provider, Module, Function, Id, File } kind = Kind::Name;
  std::string text;                      ///< as typed; of a file its path
  const DtraceScript* script = nullptr;  ///< File: one of the binary's, by its name
};

struct DtraceOptions {
  enum class Action : uint8_t {
    Run,
    List,
    CompileOnly,
    Header,
    Object,
    ListScripts,
    Help,
    Version
  } action = Action::Run;
  OwnOptions own;
  std::vector<DtraceProgram> programs;
  std::vector<std::string> commands;   ///< -c
  std::vector<Pid> attach;             ///< -p
  std::vector<std::string> arguments;  ///< $1 …
  DSettings settings;
  std::string output;  ///< -o, or of -h and -G the script's name; empty: standard output
  bool verbose = false;

  /// -h, -G: the program's probes are for a program in C, and nothing is traced.
  bool builds() const { return action == Action::Header || action == Action::Object; }
};

extern const char* const kDtraceUsage;

/// Its options, for shells.
OptionTables dtrace_options();

/// Options and arguments may be mixed. Error: `op` says which -x cannot be set; else the line makes no sense, and
/// `advice` may be kTryHelp.
Result<DtraceOptions> parse_dtrace_options(std::span<const std::string> words);

}  // namespace strut

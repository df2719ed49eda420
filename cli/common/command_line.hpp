// The command lines of strut's own commands: options as data, parsed and explained by CLI11, which this room includes
// nowhere else. The four compatible tools follow getopt_long's rules (cli/common/option_scanner).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/common/option_scanner.hpp"

namespace strut {

/// One option, or a group's heading in the help (`names` is nullptr).
struct CommandOption {
  const char* names;  ///< "-p,--attach"
  Takes takes;
  int id;
  const char* value;  ///< placeholder of the value in the help: "PID"; empty: the option takes none
  const char* text;   ///< the explanation
};
constexpr CommandOption heading(const char* text) { return {nullptr, Takes::Nothing, 0, "", text}; }

/// A word that stands for a command of its own: `symbols` in `strut symbols`.
struct Subcommand {
  const char* name;
  const char* text;
};

/// Operands that a command takes besides options.
enum class Operands : uint8_t {
  None,
  Anywhere,  ///< between options, too
  Command,   ///< the first one ends the options: a command with its arguments
};

/// A command; -h and --help are added to its options. The referenced data must outlive it.
struct CommandText {
  const char* usage;        ///< "usage: " and one line for each form
  const char* description;  ///< the purpose
  Operands operands;
  std::span<const CommandOption> options = {};
  std::span<const Subcommand> subcommands = {};
  const char* footer = "";
};

struct TypedOption {
  int id = 0;
  std::string name;                  ///< without dashes; the long one where the option has both
  std::optional<std::string> value;  ///< nullopt: none was given
};

struct CommandWords {
  bool help = false;                 ///< --help; the rest is empty
  std::vector<TypedOption> options;  ///< in order
  std::vector<std::string> operands;
};

/// Error: an unknown option (with those that are close), an option without its value, or an operand that is not taken.
Result<CommandWords> parse_command(const CommandText& command, std::span<const std::string> words);

/// The output of `--help`, at most 80 columns wide.
std::string help_of(const CommandText& command);
/// Prints it to standard output. The status to exit with.
int print_help(const CommandText& command);

}  // namespace strut

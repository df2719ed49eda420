// strut's commands as shells complete them: names and options, out of the tables by which the commands read their
// words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/command_line.hpp"
#include "cli/common/option_scanner.hpp"

namespace strut {

/// One option, with all its names.
struct ShellOption {
  std::vector<std::string> names;  ///< "-p", "--attach"
  Takes takes = Takes::Nothing;
  std::string value;  ///< what the value is: "PID", "FILE", or its words: "text|json"; empty: not known
  std::string text;   ///< the explanation; may be empty
};

/// The words behind a command's options.
enum class ShellOperands : uint8_t { None, Files, Program, Commands, Shells };

struct ShellCommand {
  std::string name;
  std::string text;
  bool is_tool = false;  ///< a link to strut of this name is this command
  ShellOperands operands = ShellOperands::None;
  std::vector<ShellOption> options;
};

/// All commands, in the order of `strut help`.
std::vector<ShellCommand> shell_commands();

/// The options of one of strut's own commands.
std::vector<ShellOption> shell_options(const CommandText& command);
/// The options of a tool. Where `explained` has an option of the same id, its text and value are taken from there.
std::vector<ShellOption> shell_options(const OptionTables& tables, std::span<const CommandOption> explained);

/// `strut completion` itself.
extern const CommandText kCompletionCommand;

/// In one line, with blanks between them.
std::string with_blanks(std::span<const std::string> words);

/// The calls and classes that `-e trace=` takes, with blanks between them.
std::string call_words();

/// The words of a value "text|json" with blanks between them; empty if it is a placeholder.
std::string words_of_value(std::string_view value);

/// The words that `-e` may begin with, with blanks between them: "trace= signal=".
std::string expression_words();

/// Scripts that complete the words behind `program`: "strut", or the name of a tool, for a link of that name.
std::string bash_completion(std::span<const ShellCommand> commands, std::string_view program);
std::string zsh_completion(std::span<const ShellCommand> commands, std::string_view program);
std::string fish_completion(std::span<const ShellCommand> commands, std::string_view program);

}  // namespace strut

#include <algorithm>

#include "cli/completion/shell_command.hpp"

namespace strut {
namespace {

// commandline -ct is the word up to the cursor; names stand behind its last comma or `=`.
constexpr const char* kHelpers = R"script(
# Whether the line is of the command $argv[1], and no word behind its options stands yet. The others are its options
# with a value.
function __strut_in
    set -l words (commandline -opc)
    test (basename -- $words[1]) = $argv[1]; or set -e words[1]
    test "$words[1]" = $argv[1]; or return 1
    set -l value no
    for word in $words[2..]
        if test $value = yes
            set value no
        else if contains -- $word $argv[2..]
            set value yes
        else if not string match -q -- '-*' $word
            return 1
        end
    end
end

function __strut_runs
    set -l words (commandline -opc)
    contains -- $argv[1] (basename -- $words[1]) $words[2]
end

function __strut_calls
    set -l before (string match -r '^.*[,!=]' -- (commandline -ct))
    string split ' ' -- $__strut_calls | string replace -r '^' -- "$before"
end

function __strut_expression
    if string match -qr '^(trace|abbrev|verbose|raw|inject|fault)=' -- (commandline -ct)
        __strut_calls
    else
        string split ' ' -- $__strut_expressions
    end
end

)script";

/// The arguments of `complete` that offer a value.
struct Offer {
  std::string_view value, arguments;
};
constexpr Offer kOffers[] = {
    {"FILE", "-rF"},
    {"DIR", "-xa '(__fish_complete_directories)'"},
    {"PID", "-xa '(__fish_complete_pids)'"},
    {"USER", "-xa '(__fish_complete_users)'"},
    {"CALLS", "-xa '(__strut_calls)'"},
    {"EXPRESSION", "-xa '(__strut_expression)'"},
    {"COMMAND", "-xa '(__fish_complete_command)'"},
};

std::string offer_of(const ShellOption& option) {
  if (option.takes == Takes::Nothing) return {};
  std::string words = words_of_value(option.value);
  if (option.takes == Takes::MaybeValue) return words.empty() ? "" : " -a '" + words + "'";
  if (!words.empty()) return " -xa '" + words + "'";
  auto found = std::ranges::find(kOffers, std::string_view(option.value), &Offer::value);
  return found == std::end(kOffers) ? " -x" : " " + std::string(found->arguments);
}

std::string quoted(std::string_view text) {
  std::string all = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all + "'";
}

/// A line, begun by `complete` for its command.
std::string line_of(const std::string& complete, const ShellOption& option) {
  std::string text = complete;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  text += offer_of(option);
  if (!option.text.empty()) text += " -d " + quoted(option.text);
  return text + "\n";
}

/// The names of options whose value is the next word.
std::string names_with_value(const ShellCommand& command) {
  std::vector<std::string> names;
  for (const ShellOption& option : command.options)
    if (option.takes == Takes::Value) names.insert(names.end(), option.names.begin(), option.names.end());
  return with_blanks(names);
}

std::string operands_of(const std::string& complete, ShellOperands operands) {
  switch (operands) {
    case ShellOperands::Files: return complete + " -F\n";
    case ShellOperands::Commands: return complete + " -xa \"$__strut_commands\"\n";
    case ShellOperands::Shells: return complete + " -xa 'bash zsh fish'\n";
    default: return {};
  }
}

/// The lines of a command that follows `words` words of a line which begins with `program`.
std::string lines_of(const ShellCommand& command, const std::string& program, int words) {
  const std::string begin = "complete -c " + program + " -n '__strut_";
  const std::string complete = begin + "in " + command.name + " " + names_with_value(command) + "'";
  std::string text;
  for (const ShellOption& option : command.options) text += line_of(complete, option);
  if (command.operands != ShellOperands::Program) return text + operands_of(complete, command.operands);
  return text + begin + "runs " + command.name +
         "' -xa '(__fish_complete_subcommand --fcs-skip=" + std::to_string(words) + " " + names_with_value(command) +
         ")'\n";
}

std::string lines_of_strut(std::span<const ShellCommand> commands) {
  std::string text = "complete -c strut -f\n";
  for (const ShellCommand& command : commands)
    text += "complete -c strut -n __fish_use_subcommand -a " + command.name + " -d " + quoted(command.text) + "\n";
  for (const ShellCommand& command : commands) text += lines_of(command, "strut", 2);
  return text;
}

}  // namespace

std::string fish_completion(std::span<const ShellCommand> commands, std::string_view program) {
  std::vector<std::string> names;
  for (const ShellCommand& command : commands) names.push_back(command.name);
  std::string text = "# written by `strut completion fish`\n\nset -g __strut_commands '" + with_blanks(names) +
                     "'\nset -g __strut_calls '" + call_words() + "'\nset -g __strut_expressions '" +
                     expression_words() + "'\n" + kHelpers;
  if (program == "strut") return text + lines_of_strut(commands);
  for (const ShellCommand& command : commands)
    if (command.name == program) text += "complete -c " + command.name + " -f\n" + lines_of(command, command.name, 1);
  return text;
}

}  // namespace strut

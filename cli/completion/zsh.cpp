#include <algorithm>

#include "cli/completion/shell_command.hpp"

namespace strut {
namespace {

constexpr const char* kZshHelpers = R"script(
_strut_calls() {
  compset -P '*[,!=]'
  compadd -S '' -- ${=__strut_calls}
}

_strut_expression() {
  case $PREFIX in
    (trace|abbrev|verbose|raw|inject|fault)=*) _strut_calls ;;
    *) compadd -S '' -- ${=__strut_expressions} ;;
  esac
}
)script";

/// What completes a value.
struct Action {
  std::string_view value, action;
};
constexpr Action kActions[] = {
    {"FILE", "_files"},
    {"DIR", "_files -/"},
    {"PID", "_pids"},
    {"USER", "_users"},
    {"CALLS", "_strut_calls"},
    {"EXPRESSION", "_strut_expression"},
    {"COMMAND", "_command_names"},
};

std::string action_of(const ShellOption& option) {
  if (std::string words = words_of_value(option.value); !words.empty()) return "(" + words + ")";
  auto found = std::ranges::find(kActions, std::string_view(option.value), &Action::value);
  return found == std::end(kActions) ? " " : std::string(found->action);
}

/// Text within a specification of _arguments, in single quotes.
std::string escaped(std::string_view text) {
  std::string all;
  for (char c : text) {
    if (c == '\'') all += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\') all += std::string("\\") + c;
    else all += c;
  }
  return all;
}

/// How _arguments writes where the value of a name stands.
const char* value_mark(const std::string& name, Takes takes) {
  bool is_long = name.starts_with("--");
  if (takes == Takes::Value) return is_long ? "=" : "+";
  return takes == Takes::MaybeValue ? "=-" : "";
}

std::string specification(const ShellOption& option, const std::string& name) {
  std::string text = "    '*" + name + value_mark(name, option.takes);
  if (!option.text.empty()) text += "[" + escaped(option.text) + "]";
  if (option.takes != Takes::Nothing)
    text += (option.takes == Takes::MaybeValue ? "::" : ":") + escaped(option.value.empty() ? "value" : option.value) +
            ":" + action_of(option);
  return text + "' \\\n";
}

std::string operands_of(ShellOperands operands) {
  switch (operands) {
    case ShellOperands::None: return "    && return\n";
    case ShellOperands::Files: return "    '*:file:_files'\n";
    case ShellOperands::Program: return "    '(-):command: _command_names -e' '*::arguments: _normal'\n";
    case ShellOperands::Commands: return "    '1:command:(${=__strut_commands})'\n";
    case ShellOperands::Shells: return "    '1:shell:(bash zsh fish)'\n";
  }
  return {};
}

std::string function_of(const ShellCommand& command) {
  std::string text = "\n_strut_" + command.name + "() {\n  _arguments -s -S : \\\n";
  for (const ShellOption& option : command.options)
    for (const std::string& name : option.names) text += specification(option, name);
  return text + operands_of(command.operands) + "}\n";
}

std::string described(std::span<const ShellCommand> commands) {
  std::string text = "\n_strut_command() {\n  local -a commands=(\n";
  for (const ShellCommand& command : commands) text += "    '" + command.name + ":" + escaped(command.text) + "'\n";
  return text + "  )\n  _describe command commands\n}\n";
}

// Behind the command its words are completed as if the line began with it.
constexpr const char* kStrut = R"script(
_strut() {
  local curcontext=$curcontext state
  _arguments -C '(- *)'{-V,--version}'[the version]' '(- *)'{-h,--help}'[this text]' '1: :_strut_command' '*:: :->words'
  [[ $state != words ]] || (( ! $+functions[_strut_$words[1]] )) || _strut_$words[1]
}
)script";

}  // namespace

std::string zsh_completion(std::span<const ShellCommand> commands, std::string_view program) {
  bool whole = program == "strut";
  std::string name(program);
  std::vector<std::string> names;
  std::string text = "#compdef " + name + "\n# written by `strut completion zsh`\n\n";
  for (const ShellCommand& command : commands) names.push_back(command.name);
  text += "typeset -g __strut_commands='" + with_blanks(names) + "'\ntypeset -g __strut_calls='" + call_words() +
          "'\ntypeset -g __strut_expressions='" + expression_words() + "'\n" + kZshHelpers;
  for (const ShellCommand& command : commands)
    if (whole || command.name == program) text += function_of(command);
  if (whole) return text + described(commands) + kStrut + "\n_strut \"$@\"\n";
  return text + "\n_strut_" + name + " \"$@\"\n";
}

}  // namespace strut

#include "cli/completion/shell_command.hpp"

namespace strut {
namespace {

// COMP_WORDS is split at `=`, too: the words are read from the line itself.
constexpr const char* kBody = R"script(
# The value of the option $2 of the command $1 in REPLY. Status 0: the value is the next word.
__strut_value() {
  REPLY=
  case "$1 $2" in
@VALUES@
    *) return 1 ;;
  esac
}

# Words that begin with $2, as a value of the kind $1.
__strut_offer() {
  local before
  case $1 in
    *'|'*) COMPREPLY=($(compgen -W "${1//|/ }" -- "$2")) ;;
    FILE) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    DIR) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    PID) COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$2")) ;;
    USER) COMPREPLY=($(compgen -u -- "$2")) ;;
    COMMAND) COMPREPLY=($(compgen -c -- "$2")) ;;
    CALLS)
      before=${2%"${2##*[,=!]}"}
      COMPREPLY=($(compgen -P "$before" -W "$__strut_calls" -- "${2#"$before"}")) ;;
    EXPRESSION)
      case $2 in
        trace=* | abbrev=* | verbose=* | raw=* | inject=* | fault=*) __strut_offer CALLS "$2" ;;
        *) compopt -o nospace 2>/dev/null; COMPREPLY=($(compgen -W "$__strut_expressions" -- "$2")) ;;
      esac
      [[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${2%"${2##*=}"}"}") ;;
  esac
}

# The words behind the options of $1; the first one is word $2 of the line, $3 is the one to complete.
__strut_operands() {
  local i
  case $(__strut_kind "$1") in
    program)
      for ((i = $2; i < COMP_CWORD; i++)); do [[ ${COMP_WORDS[i]} != "${words[$2]}" ]] || break; done
      if declare -F _command_offset >/dev/null; then _command_offset "$i"
      elif (($2 == ${#words[@]} - 1)); then __strut_offer COMMAND "$3"
      else __strut_offer FILE "$3"
      fi ;;
    files) __strut_offer FILE "$3" ;;
    commands) COMPREPLY=($(compgen -W "$__strut_commands" -- "$3")) ;;
    shells) COMPREPLY=($(compgen -W "bash zsh fish" -- "$3")) ;;
  esac
}

_strut() {
  local line=${COMP_LINE:0:COMP_POINT} words word tool at=1 pending= i cur
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=("")
  cur=${words[-1]} tool=${words[0]##*/}
  COMPREPLY=()
  if [[ " $__strut_tools " != *" $tool "* ]]; then
    if ((${#words[@]} <= 2)); then COMPREPLY=($(compgen -W "$__strut_commands --version --help" -- "$cur")); return; fi
    tool=${words[1]} at=2
  fi
  for (( ; at < ${#words[@]} - 1; at++)); do
    word=${words[at]}
    if [[ $pending ]]; then pending=; continue; fi
    case $word in
      --) ((++at)); break ;;
      --*) ! __strut_value "$tool" "$word" || pending=$REPLY ;;
      -?*)
        for ((i = 1; i < ${#word}; i++)); do
          __strut_value "$tool" "-${word:i:1}" || continue
          ((i + 1 < ${#word})) || pending=$REPLY
          break
        done ;;
      *) break ;;
    esac
  done
  if ((at < ${#words[@]} - 1)); then __strut_operands "$tool" "$at" "$cur"
  elif [[ $pending ]]; then __strut_offer "$pending" "$cur"
  elif [[ $cur == --*=* ]]; then
    __strut_value "$tool" "${cur%%=*}"
    __strut_offer "$REPLY" "${cur#*=}"
    [[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/${cur%%=*}=}")
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(__strut_options "$tool")" -- "$cur"))
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  else __strut_operands "$tool" "$at" "$cur"
  fi
}
)script";

const char* kind_of(ShellOperands operands) {
  switch (operands) {
    case ShellOperands::None: return "none";
    case ShellOperands::Files: return "files";
    case ShellOperands::Program: return "program";
    case ShellOperands::Commands: return "commands";
    case ShellOperands::Shells: return "shells";
  }
  return "none";
}

bool is_long(const std::string& name) { return name.starts_with("--"); }

/// Every name of a command's options; a long one that needs a value ends in `=`.
std::string option_words(const ShellCommand& command) {
  std::vector<std::string> words;
  for (const ShellOption& option : command.options)
    for (const std::string& name : option.names)
      words.push_back(name + (is_long(name) && option.takes == Takes::Value ? "=" : ""));
  return with_blanks(words);
}

/// A line of `case` for each option with a value.
std::string value_cases(std::span<const ShellCommand> commands) {
  std::string text;
  for (const ShellCommand& command : commands)
    for (const ShellOption& option : command.options) {
      if (option.takes == Takes::Nothing) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += (patterns.empty() ? "" : " | ") + ('"' + command.name + ' ' + name + '"');
      std::string value = option.value.empty() ? "VALUE" : option.value;
      bool next_word = option.takes == Takes::Value;
      text += "    " + patterns + ") REPLY='" + value + '\'' + (next_word ? "" : "; return 1") + " ;;\n";
    }
  if (!text.empty()) text.pop_back();
  return text;
}

/// A function that prints something of the command that is its argument.
template <typename Text>
std::string function_of(const char* name, std::span<const ShellCommand> commands, Text text) {
  std::string function = std::string(name) + "() {\n  case $1 in\n";
  for (const ShellCommand& command : commands)
    function += "    " + command.name + ") echo '" + text(command) + "' ;;\n";
  return function + "  esac\n}\n";
}

std::string variable(const char* name, const std::string& words) { return std::string(name) + "='" + words + "'\n"; }

}  // namespace

std::string bash_completion(std::span<const ShellCommand> commands, std::string_view program) {
  std::vector<std::string> names, tools;
  for (const ShellCommand& command : commands) {
    names.push_back(command.name);
    if (command.is_tool) tools.push_back(command.name);
  }
  std::string body = kBody;
  constexpr std::string_view kValues = "@VALUES@";
  body.replace(body.find(kValues), kValues.size(), value_cases(commands));
  return "# bash completion for " + std::string(program) + "; written by `strut completion bash`\n\n" +
         variable("__strut_commands", with_blanks(names)) + variable("__strut_tools", with_blanks(tools)) +
         variable("__strut_calls", call_words()) + variable("__strut_expressions", expression_words()) + "\n" +
         function_of("__strut_options", commands, option_words) +
         function_of("__strut_kind", commands, [](const ShellCommand& command) { return kind_of(command.operands); }) +
         body + "\ncomplete -F _strut " + std::string(program) + "\n";
}

}  // namespace strut

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/common/message.hpp"
#include "cli/completion/shell_command.hpp"
#include "cli/personality.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

struct Shell {
  std::string_view name;
  std::string (*script)(std::span<const ShellCommand> commands, std::string_view program);
};
constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

Result<std::string> script_of(std::span<const std::string> words) {
  if (words.empty()) return fail_because("for which shell? bash, zsh or fish; `strut completion --help` shows how");
  if (words.size() > 2) return fail_because("unexpected argument '" + words[2] + "'");
  auto shell = std::ranges::find(kShells, std::string_view(words[0]), &Shell::name);
  if (shell == std::end(kShells)) return fail_because("'" + words[0] + "' is no shell: it is bash, zsh or fish");
  std::vector<ShellCommand> commands = shell_commands();
  std::string program = words.size() > 1 ? words[1] : "strut";
  bool known = program == "strut" || std::ranges::any_of(commands, [&](const ShellCommand& command) {
                 return command.is_tool && command.name == program;
               });
  if (!known) return fail_because("'" + program + "' is no tool: it is strace, ltrace, truss or dtrace");
  return shell->script(commands, program);
}

}  // namespace

const CommandText kCompletionCommand = {
    "usage: strut completion bash|zsh|fish [TOOL]",
    "Prints a script with which a shell completes strut's commands and options; `make install` puts it where shells "
    "look. With TOOL, for a link to strut of that name. To try it: source <(strut completion bash)",
    Operands::Anywhere};

int run_completion(const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  Result<CommandWords> typed = parse_command(kCompletionCommand, words);
  if (!typed) return messages.say(typed.error()), kFailure;
  if (typed->help) return print_help(kCompletionCommand);
  Result<std::string> script = script_of(typed->operands);
  if (!script) return messages.say(script.error()), kFailure;
  if (std::fputs(script->c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  return messages.say(Error{errno, "write", "output", {}, {}}), kFailure;
}

}  // namespace strut

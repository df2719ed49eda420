#include "cli/personality.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/close_names.hpp"
#include "cli/common/command_line.hpp"
#include "cli/common/last_resort.hpp"
#include "cli/common/message.hpp"
#include "cli/completion/shell_command.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/dtrace/options.hpp"
#include "cli/ltrace/options.hpp"
#include "cli/stack/options.hpp"
#include "cli/strace/options.hpp"
#include "cli/symbols/options.hpp"
#include "cli/trace/options.hpp"
#include "cli/truss/options.hpp"
#include "procfs/proc_root.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

struct Personality {
  const char* name;
  int (*run)(const Called& called, std::span<const std::string> words);
  enum class Kind : uint8_t { Tool, Command } kind;  ///< a link to strut of a tool's name is that tool
  const char* text;
  ShellOperands operands;
  std::vector<ShellOption> (*options)();
};

/// The rows of strut trace that explain options which every tool has.
std::vector<CommandOption> rows_of_own_options() {
  std::vector<CommandOption> rows;
  std::ranges::copy_if(kTraceCommand.options, std::back_inserter(rows),
                       [](const CommandOption& option) { return option.names && option.id >= kOwnBackend; });
  return rows;
}

constexpr Personality kPersonalities[] = {
    {"strace", run_strace, Personality::Kind::Tool, "trace system calls and signals, with strace's options and text",
     ShellOperands::Program, [] { return shell_options(strace_options(), kTraceCommand.options); }},
    {"ltrace", run_ltrace, Personality::Kind::Tool, "trace calls of library functions, with ltrace's options and text",
     ShellOperands::Program, [] { return shell_options(ltrace_options(), rows_of_own_options()); }},
    {"truss", run_truss, Personality::Kind::Tool,
     "trace system calls, signals and faults, with illumos truss's options and text", ShellOperands::Program,
     [] { return shell_options(truss_options(), rows_of_own_options()); }},
    {"dtrace", run_dtrace, Personality::Kind::Tool,
     "run D programs at probes: functions, instructions, system calls, processes, timers", ShellOperands::Files,
     [] { return shell_options(dtrace_options(), rows_of_own_options()); }},
    {"trace", run_trace, Personality::Kind::Command, "trace system calls and signals, as text or JSON",
     ShellOperands::Program, [] { return shell_options(kTraceCommand); }},
    {"symbols", run_symbols, Personality::Kind::Command,
     "list symbols, PLT slots and USDT probes of a file or a process; say what is at an address", ShellOperands::Files,
     [] { return shell_options(kSymbolsCommand); }},
    {"stack", run_stack, Personality::Kind::Command,
     "print the stacks of a process's threads now, their system calls and what they wait for", ShellOperands::None,
     [] { return shell_options(kStackCommand); }},
    {"doctor", run_doctor, Personality::Kind::Command, "say which backends and features work on this machine",
     ShellOperands::Commands, [] { return shell_options(kDoctorCommand); }},
    {"completion", run_completion, Personality::Kind::Command, "print the completions of a shell",
     ShellOperands::Shells, [] { return shell_options(kCompletionCommand); }},
    {"help", run_help, Personality::Kind::Command, "explain a command: `strut help symbols`", ShellOperands::Commands,
     [] { return std::vector<ShellOption>(); }},
};

constexpr auto kSubcommands = [] {
  std::array<Subcommand, std::size(kPersonalities)> all{};
  std::ranges::transform(kPersonalities, all.begin(),
                         [](const Personality& personality) { return Subcommand{personality.name, personality.text}; });
  return all;
}();

enum Id : int { kVersionOption };
constexpr CommandOption kOptions[] = {
    heading("Options"),
    {"-V,--version", Takes::Nothing, kVersionOption, "", "the version"},
};
constexpr CommandText kStrut = {
    "usage: strut COMMAND [OPTIONS] [PROGRAM [ARGS]]",
    "Called by the name of strace, ltrace, truss or dtrace (a link to strut), it is that tool.",
    Operands::None,
    kOptions,
    kSubcommands,
    "The tools and `trace` take, before the program:\n"
    "  --backend=auto|ptrace|kassist   how to trace\n"
    "  --stats FILE                    write one JSON object about the run at its end"};

const Personality* find_personality(std::string_view name) {
  auto found = std::ranges::find(kPersonalities, name,
                                 [](const Personality& personality) { return std::string_view(personality.name); });
  return found == std::end(kPersonalities) ? nullptr : found;
}

int run(const Personality& personality, const Called& called, std::span<const std::string> words) {
  install_last_resort(personality.name);
  if (!proc_is_usable())
    Messages(called.program, called.tool)
        .say(
            "/proc is another pid namespace's, and no procfs can be mounted for this one: names of files, functions "
            "and processes are not known; mount one on /proc, or run as root");
  return personality.run(called, words);
}

/// Reports a word that is no tool.
int no_such_tool(const std::string& program, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Personality& personality : kPersonalities) names.push_back(personality.name);
  Messages(program, program)
      .say("no tool is called '" + std::string(word) + "'" + nearest_names(word, names) + "; try `" + program +
           " help`");
  return kFailure;
}

/// Runs options without a tool.
int run_options(const std::string& program, std::span<const std::string> words) {
  Result<CommandWords> typed = parse_command(kStrut, words);
  if (!typed) return Messages(program, program).say(typed.error()), kFailure;
  if (typed->help || typed->options.empty()) return print_help(kStrut);
  return std::printf("strut %s\n", kVersion) < 0 ? kFailure : 0;
}

}  // namespace

std::vector<ShellCommand> shell_commands() {
  std::vector<ShellCommand> commands;
  for (const Personality& personality : kPersonalities)
    commands.push_back({personality.name, personality.text, personality.kind == Personality::Kind::Tool,
                        personality.operands, personality.options()});
  return commands;
}

int run_help(const Called& called, std::span<const std::string> words) {
  if (words.empty() || words[0].starts_with('-')) return print_help(kStrut);
  const Personality* personality = find_personality(words[0]);
  if (!personality) return no_such_tool(called.program, words[0]);
  return personality->run({called.program, called.program + " " + words[0], words[0]},
                          std::array{std::string("--help")});
}

int explain_tool(const Called& doctor, std::span<const std::string> words) {
  const Personality* personality = words.empty() ? nullptr : find_personality(words[0]);
  bool traces = personality && (personality->kind == Personality::Kind::Tool || personality->run == run_trace);
  if (!traces) {
    Messages(doctor.program, doctor.tool)
        .say("--explain needs a tool and its words: strace, ltrace, truss, dtrace, trace");
    return kFailure;
  }
  Called called{doctor.program, doctor.program + " " + words[0], words[0], true};
  return personality->run(called, words.subspan(1));
}

int run_strut(std::span<const std::string> argv) {
  std::string program = argv.empty() ? "strut" : argv[0];
  const Personality* link = find_personality(std::string_view(program).substr(program.rfind('/') + 1));
  if (link && link->kind == Personality::Kind::Tool) return run(*link, {program, program, link->name}, argv.subspan(1));
  if (argv.size() < 2) return std::fputs(help_of(kStrut).c_str(), stderr), kFailure;
  const std::string& word = argv[1];
  if (word.starts_with('-')) return run_options(program, argv.subspan(1));
  const Personality* personality = find_personality(word);
  if (!personality) return no_such_tool(program, word);
  return run(*personality, {program, program + " " + word, word}, argv.subspan(2));
}

}  // namespace strut

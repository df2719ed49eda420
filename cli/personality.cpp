#include "cli/personality.hpp"
#include "cli/last_resort.hpp"

#include <cstdio>
#include <string_view>

#include "cli/message.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

constexpr const char* kUsage = R"(usage: strut TOOL [OPTIONS] [COMMAND [ARGS]]

  strace   trace system calls and signals, with strace's options and text
  trace    trace system calls and signals, as text or JSON
  ltrace   trace calls of library functions, with ltrace's options and text
  truss    trace system calls, signals and faults, with illumos truss's options and text
  dtrace   run D programs at probes: functions, instructions, system calls, processes, timers
  symbols  list symbols, PLT slots and USDT probes of a file or a process; say what is at an address
  doctor   say which backends and features work on this machine

Called by a tool's name (a link to strut named strace), it is that tool.
Every tool that traces takes, besides its own options, before the command:
  --backend=auto|ptrace|kassist   how to trace
  --stats FILE                    write one JSON object about the run at its end
`strut TOOL --help` lists the tool's own options; `strut --version` prints the version.
)";

struct Personality {
  std::string_view name;
  int (*run)(const Called& called, std::span<const std::string> words);  ///< nullptr: not built in
};
constexpr Personality kPersonalities[] = {
    {"strace", run_strace}, {"trace", run_trace},   {"doctor", run_doctor}, {"symbols", run_symbols},
    {"truss", run_truss},   {"ltrace", run_ltrace}, {"dtrace", run_dtrace},
};

const Personality* find_personality(std::string_view name) {
  for (const Personality& personality : kPersonalities)
    if (personality.name == name) return &personality;
  return nullptr;
}

int run(const Personality& personality, const Called& called, std::span<const std::string> words) {
  install_last_resort(personality.name);
  if (personality.run) return personality.run(called, words);
  Messages(called.program, called.tool).say("the tool " + std::string(personality.name) + " is not in this build");
  return kFailure;
}

}  // namespace

int run_strut(std::span<const std::string> argv) {
  std::string program = argv.empty() ? "strut" : argv[0];
  std::string_view name = std::string_view(program).substr(program.rfind('/') + 1);
  const Personality* personality = find_personality(name);
  // A program called `trace`, `doctor` or `symbols` is no link that strut makes.
  bool linked = personality && name != "trace" && name != "doctor" && name != "symbols";
  if (linked) return run(*personality, {program, program}, argv.subspan(1));
  std::string word = argv.size() > 1 ? argv[1] : "";
  if (word == "--version" || word == "-V") return std::printf("strut %s\n", kVersion), 0;
  if (word == "--help" || word == "-h") return std::fputs(kUsage, stdout), 0;
  personality = find_personality(word);
  if (personality) return run(*personality, {program, program + " " + word}, argv.subspan(2));
  if (argv.size() < 2) return std::fputs(kUsage, stderr), kFailure;
  Messages(program, program).say("no tool is called '" + word + "'; try `" + program + " --help`");
  return kFailure;
}

}  // namespace strut

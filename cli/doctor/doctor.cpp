#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>

#include <sys/utsname.h>

#include "cli/common/command_line.hpp"
#include "cli/common/message.hpp"
#include "cli/personality.hpp"
#include "kassist/functions/support.hpp"
#include "kassist/loader/support.hpp"
#include "ptrace/engine/self_check.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;
constexpr CommandText kDoctor = {"usage: strut doctor",
                                 "Says which ways of tracing work on this machine, and what to do where one does not.",
                                 Operands::None};

const char* word_for(Finding::State state) {
  switch (state) {
    case Finding::State::Works: return "yes";
    case Finding::State::Limited: return "limited";
    case Finding::State::Missing: return "NO";
  }
  return "?";
}

void print(const Finding& finding) {
  std::printf("  %-8s %s", word_for(finding.state), printable(finding.feature).c_str());
  if (!finding.why.empty()) std::printf(": %s", printable(finding.why).c_str());
  std::printf("\n");
  if (!finding.advice.empty()) std::printf("  %-8s   %s\n", "", printable(finding.advice).c_str());
}

bool is_usable(const std::vector<Finding>& findings) {
  return std::ranges::all_of(
      findings, [](const Finding& finding) { return !finding.needed || finding.state == Finding::State::Works; });
}

/// Checks of function tracing run only where the rest works.
std::vector<Finding> all_of_kassist() {
  std::vector<Finding> findings = check_kassist();
  if (is_usable(findings)) std::ranges::move(check_kassist_functions(), std::back_inserter(findings));
  return findings;
}

/// True if the backend can be used.
bool print_backend(const char* name, const std::vector<Finding>& findings) {
  bool usable = is_usable(findings);
  std::printf("backend %s: %s\n", name, usable ? "works" : "does not work");
  for (const Finding& finding : findings) print(finding);
  return usable;
}

}  // namespace

int run_doctor(const Called& called, std::span<const std::string> words) {
  Result<CommandWords> typed = parse_command(kDoctor, words);
  if (!typed) return Messages(called.program, called.tool).say(typed.error()), kFailure;
  if (typed->help) return print_help(kDoctor);
  utsname system;
  if (uname(&system) == 0) std::printf("%s %s %s\n\n", system.sysname, system.release, system.machine);
  bool ptrace = print_backend("ptrace", check_ptrace());
  std::printf("\n");
  bool kassist = print_backend("kassist", all_of_kassist());
  if (std::ferror(stdout) != 0 || std::fflush(stdout) != 0)
    return Messages(called.program, called.tool).say(Error{errno, "write", "output", {}, {}}), kFailure;
  return ptrace || kassist ? 0 : kFailure;
}

}  // namespace strut

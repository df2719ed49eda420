#include "cli/doctor/doctor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>

#include <sys/utsname.h>

#include "cli/common/message.hpp"
#include "cli/doctor/report.hpp"
#include "cli/personality.hpp"
#include "kassist/functions/support.hpp"
#include "kassist/loader/support.hpp"
#include "ptrace/engine/self_check.hpp"
#include "trace/breakpoint_event.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

enum Id : int { kFormat, kExplain };
constexpr CommandOption kOptions[] = {
    heading("Options"),
    {"--format", Takes::Value, kFormat, "text|json", "json: one object (docs/json.md)"},
    {"--explain", Takes::Nothing, kExplain, "", "the backend that a tool would take, and why: --explain ltrace -p 123"},
};

using DoctorForm = std::string (*)(const DoctorReport& report);

Result<DoctorForm> form_of(std::span<const TypedOption> options) {
  DoctorForm form = doctor_text;
  for (const TypedOption& option : options) {
    if (option.value == "text") form = doctor_text;
    else if (option.value == "json") form = doctor_json;
    else return fail_because("invalid --format argument: '" + option.value.value_or("") + "': it is text or json");
  }
  return form;
}

bool has(const CommandWords& typed, Id id) {
  return std::ranges::find(typed.options, static_cast<int>(id), &TypedOption::id) != typed.options.end();
}

/// Checks of function tracing run only where the rest works.
BackendReport kassist_report() {
  BackendReport report{"kassist", check_kassist()};
  if (report.works()) std::ranges::move(check_kassist_functions(), std::back_inserter(report.findings));
  return report;
}

DoctorReport examine() {
  DoctorReport report;
  utsname system;
  if (uname(&system) == 0) report.system = std::string(system.sysname) + " " + system.release + " " + system.machine;
  report.backends.push_back({"ptrace", check_ptrace()});
  report.backends.back().findings.push_back(check_breakpoints());
  report.backends.push_back(kassist_report());
  return report;
}

}  // namespace

const CommandText kDoctorCommand = {
    "usage: strut doctor [OPTIONS]\n"
    "       strut doctor --explain TOOL [OPTIONS] …",
    "Says which ways of tracing work on this machine, and what to do where one does not. The exit status is 0 if one "
    "of them works.",
    Operands::Command, kOptions};

int run_doctor(const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  Result<CommandWords> typed = parse_command(kDoctorCommand, words);
  if (!typed) return messages.say(typed.error()), kFailure;
  if (typed->help) return print_help(kDoctorCommand);
  if (has(*typed, kExplain) && has(*typed, kFormat))
    return messages.say("--explain and --format cannot be used together"), kFailure;
  if (has(*typed, kExplain)) return explain_tool(called, typed->operands);
  if (!typed->operands.empty())
    return messages.say("there is no operand: '" + typed->operands[0] + "'"), kFailure;
  Result<DoctorForm> form = form_of(typed->options);
  if (!form) return messages.say(form.error()), kFailure;
  DoctorReport report = examine();
  if (std::fputs((*form)(report).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return messages.say(Error{errno, "write", "output", {}, {}}), kFailure;
  return report.can_trace() ? 0 : kFailure;
}

}  // namespace strut

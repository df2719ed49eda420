// Enabling: why a description means nothing, with names that are close.
#include <algorithm>

#include "base/close_names.hpp"
#include "dtrace/session/enabling.hpp"

namespace strut {
namespace {

/// Providers of DTrace with probes at functions of the kernel.
constexpr std::string_view kOfKernelFunctions[] = {"fbt", "lockstat", "rawfbt"};
/// More than these are not all named.
constexpr size_t kMaxNames = 16;

std::string suggestion(const std::vector<std::string>& names, std::string_view beginning = "close to it: ") {
  std::string text;
  for (size_t i = 0; i < names.size(); i++) text += (i == 0 ? "; " + std::string(beginning) : ", ") + names[i];
  return text;
}

void add_new(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

std::string closest_lines(const LinesFound& found) {
  std::string lines = found.below != 0 ? std::to_string(found.below) : "";
  if (found.above != 0) lines += (lines.empty() ? "" : " and ") + std::to_string(found.above);
  bool is_one = found.below == 0 || found.above == 0;
  return lines.empty() ? ""
                       : (is_one ? "; the closest line with code is " : "; the closest lines with code are ") + lines;
}

}  // namespace

std::string Enabling::reason(const DAsked& asked) {
  if (!asked.complaints.empty()) return asked.complaints[0].text;
  const ProbeDescription& description = *asked.description;
  if (is_about_pid(description) || is_about_instructions(description)) return reason_in_modules(asked);
  if (is_about_memory(description)) return reason_in_variables(asked);
  if (is_usdt_provider(description.provider)) return reason_in_notes(asked);
  if (!description.provider.empty() && !table_.has_provider(description.provider))
    return reason_for_provider(description.provider);
  if (description.name.starts_with("tick-") || description.name.starts_with("profile-"))
    return "it takes a rate, or a time with ns, us, ms, s, m, h or d, of 200 microseconds or more: tick-10ms, "
           "profile-97";
  for (ProbeField field : {ProbeField::Function, ProbeField::Name, ProbeField::Module}) {
    auto names = table_.close_names(description, field);
    if (!names.empty())
      return "no such " +
             std::string(field == ProbeField::Function ? "function"
                         : field == ProbeField::Name   ? "name"
                                                       : "module") +
             suggestion(names);
  }
  if (auto names = table_.names(description, ProbeField::Name, kMaxNames); !names.empty())
    return "no such name" + suggestion(names, "expected one of ");
  return "-l lists those that are always there";
}

std::string Enabling::reason_for_provider(const std::string& provider) {
  std::string text = "there is no provider '" + provider + "'";
  if (std::ranges::count(kOfKernelFunctions, provider) != 0)
    return text + ": strut probes no functions of the kernel; rawtp has its tracepoints";
  text +=
      suggestion(table_.close_names({}, ProbeField::Provider)) +
      ": dtrace, instr, io, ip, pid, proc, profile, rawtp, sched, sdt, syscall, tcp, udp, vminfo and watch are, and ";
  if (is_glob(provider)) return text + "no process has static probes of it";
  return text + provider + "$target where a program has static probes";
}

std::string Enabling::reason_in_variables(const DAsked& asked) {
  const ProbeDescription& description = *asked.description;
  std::vector<std::string_view> variables;
  for (const PidModule& module : looked_at_)
    if (module_matches(description.module, module.names()))
      std::ranges::move(WatchProbes::variables(module), std::back_inserter(variables));
  std::string where = description.module.empty() ? "any module" : "module '" + description.module + "'";
  std::string variable = description.function.substr(0, description.function.rfind('+'));
  return "no variable '" + variable + "' in " + where + suggestion(close_names(variable, variables));
}

/// The providers and names that there are instead.
std::string Enabling::reason_in_notes(const DAsked& asked) {
  PidPattern pattern = *usdt_pattern(*asked.description);
  std::vector<std::string> providers, names;
  for (const PidModule& module : looked_at_)
    for (const UsdtSite& site : pid_.usdt_sites_of(module.file)) {
      add_new(providers, std::string(site.provider));
      if (glob_matches(pattern.usdt_provider, site.provider)) add_new(names, site.name);
    }
  if (names.empty())
    return "no module of process " + std::to_string(raw(pattern.pid)) + " has a provider '" + pattern.usdt_provider +
           "'" + suggestion(providers, "there is ") + "; -Z waits for a library that is opened later";
  std::vector<std::string_view> known(names.begin(), names.end());
  auto close = close_names(pattern.name, known);
  if (names.size() <= kMaxNames && close.empty()) close = names;
  return "'" + pattern.usdt_provider + "' has no such probe" + suggestion(close, "there is ");
}

/// The closest lines with code, or the files with debug information that have no such source.
std::string Enabling::reason_in_lines(const DAsked& asked, const PidPattern& pattern) {
  std::string line = pattern.file + '@' + pattern.name;
  std::vector<std::string> without;
  bool has_module = false;
  for (const PidModule& module : looked_at_) {
    if (!module_matches(asked.description->module, module.names())) continue;
    has_module = true;
    LinesFound found = pid_.lines(module, pattern);
    if (!found.starts.empty()) return "no line " + line + " in function '" + pattern.function + "'";
    if (found.has_file) return "no code begins at " + line + closest_lines(found);
    if (!module.file->debug_information()) add_new(without, module.name());
  }
  if (!has_module) return {};
  return "no source '" + pattern.file + "' in the line tables of the modules" +
         suggestion(without, "no debug information in ");
}

std::string Enabling::reason_in_modules(const DAsked& asked) {
  const ProbeDescription& description = *asked.description;
  auto pattern = pid_pattern(description);
  bool is_line = pattern && pattern->place == PidPattern::Place::Line;
  if (std::string reason = is_line ? reason_in_lines(asked, *pattern) : ""; !reason.empty()) return reason;
  std::vector<std::string> modules, stripped, nameless;
  std::vector<std::string_view> functions;
  bool module_is_there = false;
  for (const PidModule& module : looked_at_) {
    add_new(modules, module.name());
    if (!module_matches(description.module, module.names())) continue;
    module_is_there = true;
    std::vector<std::string_view> known = pid_.functions(module);
    bool is_meant = module.is_program || !description.module.empty();
    if (is_meant && known.empty()) add_new(nameless, module.name());
    else if (is_meant && stripped.size() < kMaxNames && module.file->is_stripped()) add_new(stripped, module.name());
    std::ranges::move(known, std::back_inserter(functions));
  }
  if (!module_is_there) {
    std::vector<std::string_view> names(modules.begin(), modules.end());
    return "no module '" + description.module + "'" + suggestion(close_names(description.module, names)) +
           "; -Z waits for one that is opened later";
  }
  std::string where = description.module.empty() ? "any module" : "module '" + description.module + "'";
  std::string function = description.function;
  if (is_about_instructions(description) && !is_glob(function)) function = instruction_field(function).function;
  return "failed to lookup '" + function + "' in " + where + suggestion(close_names(function, functions)) +
         suggestion(stripped, "without debug information only exported functions are known in ") +
         suggestion(nameless, "nothing has a name in ");
}

}  // namespace strut

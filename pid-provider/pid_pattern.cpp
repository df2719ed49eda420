#include "pid-provider/pid_pattern.hpp"

#include <algorithm>
#include <charconv>

#include "pid-provider/watch_pattern.hpp"
#include "x86/instruction_labels.hpp"

namespace strut {
namespace {

constexpr std::string_view kPid = "pid", kInstr = "instr";

std::unexpected<Complaint> complain(std::string_view tag, ProbeField field, std::string text, std::string advice = {}) {
  return std::unexpected(Complaint{tag, field, std::move(text), std::move(advice)});
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

constexpr std::string_view kDigits = "0123456789";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

/// "libc" of "libc.so.6", "libstdc++" of "libstdc++.so.6.0.30".
std::string_view stem(std::string_view name) {
  size_t at = name.find(".so");
  bool ends_there = at != std::string_view::npos && (at + 3 == name.size() || name[at + 3] == '.');
  return ends_there ? name.substr(0, at) : name;
}

std::expected<void, Complaint> take_process(std::string_view provider, std::string_view number, PidPattern& into) {
  int32_t pid = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), pid);
  if (error != std::errc() || pid <= 0)
    return complain("D_PROC_BADPID", ProbeField::Provider, quoted(provider) + " does not contain a valid pid",
                    "the number of a process");
  into.processes = PidPattern::Processes::One;
  into.pid = Pid{pid};
  return {};
}

/// "pid" or "instr", and which processes.
bool is_provider_of_processes(std::string_view prefix, std::string_view provider) {
  if (!provider.starts_with(prefix)) return false;
  std::string_view which = provider.substr(prefix.size());
  return which == "*" || which == "$target" || is_digits(which);
}

std::expected<void, Complaint> take_processes(std::string_view prefix, std::string_view provider, PidPattern& into) {
  std::string_view which = provider.substr(prefix.size());
  if (which == "$target") into.processes = PidPattern::Processes::Target;
  else if (which == "*") into.processes = PidPattern::Processes::Every;
  else return take_process(provider, which, into);
  return {};
}

std::expected<void, Complaint> take_absolute(const ProbeDescription& description, PidPattern& into) {
  if (!description.module.empty() && description.module != "a.out" && description.module != "-")
    return complain(
        "D_PROC_LIB", ProbeField::Module,
        "an address is looked for in no module: leave " + quoted(description.module) + " out, or say a.out");
  auto address = parse_hexadecimal(description.name);
  if (!address)
    return complain("D_PROC_NAME", ProbeField::Name, quoted(description.name) + " is no address in hexadecimal");
  into.place = PidPattern::Place::Absolute;
  into.number = *address;
  into.module.clear();
  return {};
}

/// MNEMONIC-OFFSET.
bool take_named_offset(std::string_view name, PidPattern& into) {
  size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !is_mnemonic(name.substr(0, dash))) return false;
  auto offset = parse_hexadecimal(name.substr(dash + 1));
  if (!offset) return false;
  into.place = PidPattern::Place::Offset;
  into.number = *offset;
  into.name = name.substr(0, dash);
  return true;
}

/// FILE@LINE, where the line is a number or a pattern of numbers.
bool is_line_field(std::string_view field) {
  size_t at = field.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == field.size()) return false;
  return field.find_first_not_of("0123456789*?[]-!^", at + 1) == std::string_view::npos;
}

std::expected<void, Complaint> take_line(ProbeField where, std::string_view field, PidPattern& into) {
  size_t at = field.rfind('@');
  into.place = PidPattern::Place::Line;
  into.file = field.substr(0, at);
  into.name = field.substr(at + 1);
  if (is_glob(into.name)) return {};
  auto [end, error] = std::from_chars(into.name.data(), into.name.data() + into.name.size(), into.number);
  bool is_line = is_digits(into.name) && error == std::errc() && into.number != 0 && into.number <= UINT32_MAX;
  if (!is_line)
    return complain(where == ProbeField::Name ? "D_PROC_NAME" : "D_PROC_FUNC", where,
                    quoted(field) + " is no line of a source", "FILE@LINE with lines from 1, as in main.c@42");
  into.name = std::to_string(into.number);
  return {};
}

/// FILE@LINE as the function, without a name, or as the name.
std::expected<void, Complaint> take_line(const ProbeDescription& description, PidPattern& into) {
  if (!is_line_field(description.function)) return take_line(ProbeField::Name, description.name, into);
  into.function.clear();
  std::string_view name = description.name;
  if (!name.empty() && name != "*")
    return complain("D_PROC_NAME", ProbeField::Name,
                    quoted(name) + ": a line of a source has no such probe",
                    "nothing behind " + description.function + ':');
  return take_line(ProbeField::Function, description.function, into);
}

std::expected<void, Complaint> take_place(const std::string& name, PidPattern& into) {
  if (name == "entry") into.place = PidPattern::Place::Entry;
  else if (name == "return") into.place = PidPattern::Place::Return;
  else if (name.empty() || is_glob(name)) into.name = name;
  else if (into.has_mnemonics && take_named_offset(name, into)) return {};
  else if (auto offset = parse_hexadecimal(name)) {
    into.place = PidPattern::Place::Offset;
    into.number = *offset;
  } else {
    return complain("D_PROC_NAME", ProbeField::Name, quoted(name) + " is an invalid probe name",
                    "entry, return, an offset in hexadecimal or FILE@LINE");
  }
  return {};
}

/// A provider of strut's own that is about processes.
bool is_of_own_provider(std::string_view provider) {
  return is_pid_provider(provider) || is_instr_provider(provider) || is_watch_provider(provider);
}

std::expected<void, Complaint> check_instruction_field(std::string_view field) {
  if (field.empty() || is_glob(field)) return {};
  auto [function, label] = instruction_field(field);
  if (function.empty() || label.empty())
    return complain("D_PROC_FUNC", ProbeField::Function, quoted(field) + " names no instructions of a function",
                    "FUNCTION-CLASS, as in main-call");
  if (is_instruction_label(label)) return {};
  return complain("D_PROC_FUNC", ProbeField::Function,
                  quoted(field) + ": there are no instructions '" + std::string(label) + "'",
                  "a class of instructions, or a mnemonic in Intel's spelling");
}

}  // namespace

std::optional<uint64_t> parse_hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (text.empty() || text[0] == '-' || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string hexadecimal(uint64_t number) {
  char text[17];
  auto [end, error] = std::to_chars(text, text + sizeof text, number, 16);
  return {text, end};
}

bool is_pid_provider(std::string_view provider) { return is_provider_of_processes(kPid, provider); }

std::expected<PidPattern, Complaint> pid_pattern(const ProbeDescription& description, bool has_mnemonics) {
  if (!is_pid_provider(description.provider))
    return complain("D_PROC_BADPROV", ProbeField::Provider, quoted(description.provider) + " is not a valid provider",
                    "pid and a number, pid$target or pid*");
  PidPattern pattern;
  if (auto taken = take_processes(kPid, description.provider, pattern); !taken) return std::unexpected(taken.error());
  pattern.has_mnemonics = has_mnemonics;
  pattern.module = description.module;
  pattern.function = description.function;
  bool is_line = is_line_field(description.function) || is_line_field(description.name);
  auto taken = description.function == "-" ? take_absolute(description, pattern)
               : is_line                   ? take_line(description, pattern)
                                           : take_place(description.name, pattern);
  if (!taken) return std::unexpected(taken.error());
  return pattern;
}

std::string_view source_name(std::string_view pattern, std::string_view path) {
  auto slashes = std::ranges::count(pattern, '/');
  for (size_t at = path.rfind('/'); at != std::string_view::npos; at = path.rfind('/', at - 1)) {
    if (slashes-- == 0) return path.substr(at + 1);
    if (at == 0) break;
  }
  return path;
}

bool is_instr_provider(std::string_view provider) { return is_provider_of_processes(kInstr, provider); }

InstructionField instruction_field(std::string_view field) {
  size_t dash = field.rfind('-');
  if (dash == std::string_view::npos) return {field, {}};
  return {field.substr(0, dash), field.substr(dash + 1)};
}

std::expected<PidPattern, Complaint> instr_pattern(const ProbeDescription& description) {
  if (!is_instr_provider(description.provider))
    return complain("D_PROC_BADPROV", ProbeField::Provider, quoted(description.provider) + " is not a valid provider",
                    "instr and a number, instr$target or instr*");
  PidPattern pattern;
  if (auto taken = take_processes(kInstr, description.provider, pattern); !taken) return std::unexpected(taken.error());
  if (auto taken = check_instruction_field(description.function); !taken) return std::unexpected(taken.error());
  pattern.place = PidPattern::Place::Instructions;
  pattern.module = description.module;
  pattern.function = description.function;
  pattern.name = description.name;
  if (pattern.name.empty() || is_glob(pattern.name)) return pattern;
  auto offset = parse_hexadecimal(pattern.name);
  if (!offset)
    return complain("D_PROC_NAME", ProbeField::Name, quoted(pattern.name) + " is an invalid probe name",
                    "an offset in hexadecimal");
  pattern.name = hexadecimal(*offset);
  return pattern;
}

bool is_about_pid(const ProbeDescription& description) {
  return description.provider.starts_with("pid") && !is_glob(description.provider.substr(0, 3)) &&
         !is_usdt_provider(description.provider);
}

bool is_about_instructions(const ProbeDescription& description) {
  return description.provider == "instr" || is_instr_provider(description.provider);
}

bool is_usdt_provider(std::string_view provider) {
  size_t name_end = provider.find_last_not_of(kDigits) + 1;
  bool has_name = name_end != 0 && name_end < provider.size();
  return has_name && !is_of_own_provider(provider);
}

bool may_be_usdt(std::string_view provider) {
  return is_usdt_provider(provider) || (is_glob(provider) && !is_of_own_provider(provider));
}

std::expected<PidPattern, Complaint> usdt_pattern(const ProbeDescription& description) {
  std::string_view provider = description.provider;
  PidPattern pattern;
  pattern.place = PidPattern::Place::Usdt;
  pattern.module = description.module;
  pattern.function = description.function;
  pattern.name = description.name;
  pattern.processes = PidPattern::Processes::Every;
  size_t name_end = is_usdt_provider(provider) ? provider.find_last_not_of(kDigits) + 1 : provider.size();
  pattern.usdt_provider = provider.substr(0, name_end);
  if (name_end == provider.size()) return pattern;
  if (auto taken = take_process(provider, provider.substr(name_end), pattern); !taken)
    return std::unexpected(taken.error());
  return pattern;
}

bool module_matches(std::string_view pattern, const ModuleNames& names) {
  if (pattern.empty()) return true;
  if (pattern.contains('/')) return glob_matches(pattern, names.path);
  std::string_view file = names.path.substr(names.path.rfind('/') + 1);
  if (names.is_program && glob_matches(pattern, "a.out")) return true;
  if (glob_matches(pattern, file) || glob_matches(pattern, stem(file))) return true;
  return !names.soname.empty() && (glob_matches(pattern, names.soname) || glob_matches(pattern, stem(names.soname)));
}

}  // namespace strut

// `strut symbols`: names of the addresses of a file or a process.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "cli/common/message.hpp"
#include "cli/personality.hpp"
#include "cli/symbols/options.hpp"
#include "cli/symbols/report.hpp"
#include "process/caller.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;
constexpr size_t kFlushBytes = 1 << 16;

/// The modules that names are looked up in: of a process, or the one file.
class Subject {
 public:
  explicit Subject(const SymbolsOptions& options) : modules_(options.pid.value_or(Pid{}), cache_), options_(options) {}

  Result<void> open() {
    if (!options_.pid) return open_file();
    if (::kill(raw(*options_.pid), 0) != 0 && errno == ESRCH) return fail(of_process(ESRCH));
    TRY_VOID(check_may_trace(*options_.pid));  // with CAP_PERFMON the kernel shows every process's mappings
    Result<void> read = modules_.refresh();
    if (!read) return fail(of_process(read.error().code));
    for (const auto& module : modules_.modules()) all_.push_back(module.get());
    return {};
  }

  std::span<const Module* const> modules() const { return all_; }

  Location locate(uint64_t address) const {
    if (options_.pid) return modules_.locate(Addr{address});
    return locate_in(file_, address);
  }

 private:
  Error of_process(int code) const {
    return {code, "read the maps of", "process " + std::to_string(raw(*options_.pid)), {}, {}};
  }

  Result<void> open_file() {
    ElfFile file = TRY(ElfFile::open(options_.file));
    char* real = ::realpath(options_.file.c_str(), nullptr);
    file_.path = real ? real : options_.file;
    std::free(real);
    file_.file = std::make_shared<ModuleFile>(std::move(file), file_.path, std::string());
    all_.push_back(&file_);
    return {};
  }

  ModuleCache cache_;
  ProcessModules modules_;
  Module file_;
  std::vector<const Module*> all_;
  const SymbolsOptions& options_;
};

/// False: standard output does not take it.
bool write_out(SymbolsReport& report) {
  std::string_view text = report.text();
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  report.clear();
  return written;
}

ResolvedAddress resolve(const Subject& subject, uint64_t address) {
  ResolvedAddress resolved;
  resolved.asked = address;
  resolved.location = subject.locate(address);
  const Location& location = resolved.location;
  if (!location.module || !location.module->file) return resolved;
  const ModuleFile& file = *location.module->file;
  resolved.line = file.lines().at(location.file_address);
  resolved.inlined = file.lines().inlined_at(location.file_address);
  if (location.name.empty()) resolved.bounds = file.bounds().at(location.file_address);
  return resolved;
}

Result<bool> report_addresses(const Subject& subject, const SymbolsOptions& options, SymbolsReport& report) {
  for (uint64_t address : options.addresses) report.address(resolve(subject, address));
  if (!options.read_addresses) return write_out(report);
  for (std::string line; std::getline(std::cin, line);) {
    auto address = parse_address(line);
    if (!address) return fail_because("invalid address: '" + line + "': it is a hexadecimal number");
    report.address(resolve(subject, *address));
    if ((report.text().size() > kFlushBytes || std::cin.rdbuf()->in_avail() <= 0) &&
        (!write_out(report) || std::fflush(stdout) != 0))
      return false;
  }
  return write_out(report);
}

std::string nothing_matches(const SymbolsOptions& options, const SymbolList& list) {
  if (!options.pattern) return "there are no symbols, PLT slots or USDT probes";
  std::string text = "nothing is called '" + *options.pattern + "'";
  std::vector<std::string> close = list.close_names();
  for (size_t i = 0; i < close.size(); i++) text += (i == 0 ? "; close to it: " : ", ") + close[i];
  return text;
}

Result<bool> report_names(const Subject& subject, const SymbolsOptions& options, SymbolsReport& report) {
  SymbolList list(options);
  bool any = false;
  for (const Module* module : subject.modules())
    for (const ListedName& listed : list.of(*module)) {
      any = true;
      report.name(listed);
      if (report.text().size() > kFlushBytes && !write_out(report)) return false;
    }
  if (!any) return fail_because(nothing_matches(options, list));
  return write_out(report);
}

/// True if there was something to say.
bool say_damage(const Subject& subject, const SymbolsOptions& options, Messages& messages) {
  bool any = false;
  for (const Module* module : subject.modules()) {
    if (options.pid || !module->file) continue;
    for (const std::string& damage : module->file->elf().damage()) {
      messages.say(options.file + ": " + damage);
      any = true;
    }
  }
  return any;
}

/// Without them lines are known, and no inlined functions and prototypes.
void say_missing(const Subject& subject, Messages& messages) {
  for (const Module* module : subject.modules()) {
    std::span<const std::string> missing =
        module->file ? module->file->missing_split_files() : std::span<const std::string>();
    if (missing.empty()) continue;
    std::string others = missing.size() > 1 ? " and " + std::to_string(missing.size() - 1) + " others" : "";
    messages.say(printable(module->path) + ": its debug information is split, and " + printable(missing[0]) + others +
                 " is not found there, beside it or in a .dwp");
  }
}

void say_unread_lines(const Subject& subject, Messages& messages) {
  for (const Module* module : subject.modules())
    if (std::string_view unread = module->file ? module->file->unread_lines() : ""; !unread.empty())
      messages.say(module->path + ": " + std::string(unread));
}

int run(const SymbolsOptions& options, Messages& messages) {
  Subject subject(options);
  if (auto opened = subject.open(); !opened) return messages.say(opened.error()), kFailure;
  ModuleNames modules = options.pid ? ModuleNames::Shown : ModuleNames::Left;
  auto report = options.format == SymbolsFormat::Json ? make_symbols_json(options.names)
                                                      : make_symbols_text(options.names, modules);
  auto written =
      options.resolves() ? report_addresses(subject, options, *report) : report_names(subject, options, *report);
  if (written && (!*written || std::fflush(stdout) != 0))
    return messages.say(Error{errno, "write", "standard output", {}, {}}), kFailure;
  bool damaged = say_damage(subject, options, messages);
  say_missing(subject, messages);
  say_unread_lines(subject, messages);
  if (!written && !damaged) messages.say(written.error());
  return written && !damaged ? 0 : kFailure;
}

}  // namespace

int run_symbols(const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  auto options = parse_symbols_options(words);
  if (!options) return messages.say(options.error()), kFailure;
  if (options->help) return print_help(kSymbolsCommand);
  return run(*options, messages);
}

}  // namespace strut

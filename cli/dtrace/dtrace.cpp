// `strut dtrace`: D programs on live processes.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "cli/common/backend_choice.hpp"
#include "cli/common/command_lookup.hpp"
#include "cli/common/message.hpp"
#include "cli/common/output_signals.hpp"
#include "cli/common/run_facts.hpp"
#include "cli/common/separation.hpp"
#include "cli/common/shell_words.hpp"
#include "cli/common/stats_file.hpp"
#include "cli/dtrace/engine_choice.hpp"
#include "cli/dtrace/libraries.hpp"
#include "cli/dtrace/list.hpp"
#include "cli/dtrace/options.hpp"
#include "cli/dtrace/output.hpp"
#include "cli/dtrace/probe_build.hpp"
#include "cli/dtrace/sources.hpp"
#include "cli/dtrace/stability.hpp"
#include "cli/personality.hpp"
#include "dlang/language/btf_types.hpp"
#include "dtrace/session/kept_record.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

/// A command of -c, forked and not yet released.
struct Command {
  HeldCommand held;
  Launch launch;
  OwnedFd refusal;  ///< a pipe: the errno of its execve, if that fails
};

Result<Command> hold(const std::string& line) {
  std::vector<std::string> words = TRY(shell_words(line));
  if (words.empty()) return fail({0, "-c", {}, "it needs a command", {}});
  TraceRequest request;
  Launch& launch = request.launch.emplace();
  auto found = find_program(words[0]);
  if (!found) {
    bool is_path = words[0].find('/') != std::string::npos;
    int error = is_path && ::access(words[0].c_str(), X_OK) != 0 ? errno : ENOENT;
    return fail({error, "failed to execute " + words[0], {}, {}, {}});
  }
  launch.path = *std::move(found);
  launch.argv = std::move(words);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return fail({errno, "pipe2", {}, {}, {}});
  OwnedFd refusal(ends[0]), report(ends[1]);
  HeldCommand held = TRY(HeldCommand::fork(request, {}, [&](int error) {
    [[maybe_unused]] ssize_t written = ::write(report.number(), &error, sizeof error);
  }));
  return Command{std::move(held), std::move(*request.launch), std::move(refusal)};
}

DMacros macros_of(const DtraceOptions& options, const std::vector<Command>& commands) {
  DMacros macros;
  bool is_script = !options.programs.empty() && options.programs[0].kind == DtraceProgram::Kind::File;
  macros.arguments.push_back(is_script ? options.programs[0].text : "dtrace");
  if (!options.builds())
    macros.arguments.insert(macros.arguments.end(), options.arguments.begin(), options.arguments.end());
  TracerProcess::Known self = TracerProcess::known();
  macros.variables = {{"pid", raw(self.pid)}, {"ppid", raw(self.parent)}, {"pgid", ::getpgid(raw(self.pid))},
                      {"sid", ::getsid(0)},   {"uid", ::getuid()},        {"euid", ::geteuid()},
                      {"gid", ::getgid()},    {"egid", ::getegid()}};
  if (!commands.empty()) macros.variables.emplace_back("target", raw(commands[0].held.pid()));
  else if (!options.attach.empty()) macros.variables.emplace_back("target", raw(options.attach[0]));
  macros.default_arguments = options.settings.defaultargs;
  return macros;
}

/// Empty where the kernel has none.
std::vector<std::byte> read_kernel_btf() {
  std::string text = text_of_file("/sys/kernel/btf/vmlinux").value_or("");
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// One run of the tool, from options to its status.
class Run {
 public:
  Run(const DtraceOptions& options, RunFacts facts, Messages& messages)
      : options_(options), facts_(std::move(facts)), messages_(messages) {}

  int run() {
    if (options_.programs.empty()) {
      table_.find_all();
      return print(list_all(table_, list_style()));
    }
    auto sources = dtrace_sources(options_, table_);
    if (!sources)
      return say(sources.error());  // the sources may come from the terminal, which the tracer does not have
    auto libraries = d_libraries(options_.settings, table_);
    if (!libraries) return say(libraries.error());
    if (auto prepared = prepare(); !prepared) return say(prepared.error());
    if (auto held = hold_targets(); !held) return say(held.error());
    if (int failed = compile(*sources, *std::move(libraries))) return failed;
    if (options_.builds()) {
      auto built = build_probes(options_, *sources);
      return built ? 0 : say(built.error());
    }
    if (program_.settings.show_code) std::fputs(disassemble(program_).c_str(), stderr);
    return with_probes();
  }

 private:
  /// Commands stand before their first instruction from then on.
  Result<void> hold_targets() {
    for (Pid pid : options_.attach)
      if (::kill(raw(pid), 0) != 0 && errno == ESRCH)
        return fail({ESRCH, "failed to grab pid " + std::to_string(raw(pid)), {}, {}, {}});
    for (const std::string& line : options_.commands) commands_.push_back(TRY(hold(line)));
    return {};
  }

  /// Sets program_; nonzero: the status of a program with an error, which has been reported.
  int compile(std::span<const DSource> sources, std::vector<DSource> libraries) {
    DMacros macros = macros_of(options_, commands_);
    std::ranges::move(provider_libraries(table_, sources, macros), std::inserter(libraries, libraries.begin()));
    table_.know_targets(targets());
    DSettings settings = options_.settings;
    settings.empty |= options_.builds();
    auto compiled = compile_d({sources, &macros, &table_, settings, libraries, &kernel_types_});
    if (!compiled)
      return say(error_text(options_.programs[compiled.error().source], compiled.error(), options_.settings));
    program_ = *std::move(compiled);
    return 0;
  }

  /// Runs before commands are forked, and without threads. Read-only requests need no tracer.
  Result<void> prepare() {
    bool runs = options_.action == DtraceOptions::Action::Run;
    using enum TracerProcess::Launches;
    return runs ? separate_tracer(options_.commands.empty() ? No : Yes, messages_) : Result<void>{};
  }
  int say(const Error& error) { return messages_.say(error), kFailure; }
  int say(const DtraceComplaint& complaint) { return complain(messages_, complaint), kFailure; }
  ListStyle list_style() const { return options_.verbose ? ListStyle::WithDetails : ListStyle::Lines; }

  int print(const std::string& text) {
    bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return printed ? 0 : say(Error{errno, "write", "output", {}, {}});
  }

  std::vector<DTarget> targets() const {
    std::vector<DTarget> targets;
    for (const Command& command : commands_) targets.push_back({command.held.pid(), command.launch});
    for (Pid pid : options_.attach) targets.push_back({pid, {}});
    return targets;
  }

  int with_probes() {
    Enabling enabling(program_, table_, targets());
    enabling.find();
    bool is_list = options_.action == DtraceOptions::Action::List;
    for (const std::string& note : enabling.take_notes()) messages_.say(note);
    if (!complain_of_misses(enabling)) return kFailure;
    if (is_list) return print(list_found(table_, enabling, list_style())) != 0 || misses_all(enabling) ? kFailure : 0;
    bool only_compiles = options_.action == DtraceOptions::Action::CompileOnly;
    if (!only_compiles) say_matches(enabling);
    if (options_.verbose)
      if (int failed = show_stability()) return failed;
    if (only_compiles) return 0;
    if (!program_.destructive.empty() && !program_.settings.destructive)
      return say(not_permitted_text(options_.programs[program_.destructive_source], program_));
    if (!program_.unsupported.empty())
      return say(DtraceComplaint{"could not enable tracing: " + program_.unsupported + "( ) is not supported by strut",
                                 "strut changes nothing in the kernel"});
    if (largest_buffer_bytes(program_) > program_.settings.bufsize)
      return say(DtraceComplaint{"could not enable tracing: Enabling exceeds size of buffer",
                                 "-x bufsize=" + std::to_string(largest_buffer_bytes(program_)) + " is enough"});
    if (!program_.destructive.empty() && !program_.settings.quiet) messages_.say("allowing destructive actions");
    return trace(enabling);
  }

  bool misses_all(const Enabling& enabling) const {
    for (const DAsked& asked : enabling.asked())
      if (asked.matched != 0) return false;
    return true;
  }

  static const Complaint* too_many(const DAsked& asked) {
    for (const Complaint& complaint : asked.complaints)
      if (complaint.tag == "D_PROC_CREATEFAIL") return &complaint;
    return nullptr;
  }

  /// False: one that must not be missing, or too many.
  bool complain_of_misses(Enabling& enabling) {
    for (const DAsked& asked : enabling.asked()) {
      const DtraceProgram& program = options_.programs[program_.clauses[asked.clause].source];
      if (const Complaint* complaint = too_many(asked))
        return say(too_many_text(program, program_.settings, asked, *complaint)), false;
      if (asked.matched != 0) {
        if (options_.verbose)
          for (const Complaint& complaint : asked.complaints) messages_.say("no probe: " + complaint.text);
        continue;
      }
      if (program_.settings.zdefs) continue;
      bool is_list = options_.action == DtraceOptions::Action::List;
      if (is_list && asked.complaints.empty())
        say(DtraceComplaint{"failed to match " + asked.description->text() + ": No probe matches description",
                            enabling.reason(asked)});
      else say(no_match_text(program, program_.settings, asked, enabling.reason(asked)));
      if (!is_list) return false;
    }
    return true;
  }

  void say_matches(const Enabling& enabling) {
    if (program_.settings.quiet) return;
    for (uint32_t i = 0; i < options_.programs.size(); i++)
      messages_.say(matched_text(options_.programs[i], enabling.matched_by(i)));
  }

  /// -v, where DTrace prints: to the output file, if there is one.
  int show_stability() {
    std::string text;
    for (uint32_t i = 0; i < options_.programs.size(); i++)
      text += program_stability(title_of(options_.programs[i]), table_, program_, i);
    if (options_.output.empty()) return print(text);
    std::ofstream file(options_.output, std::ios::app);
    if (!file) return say(Error{errno, "failed to open output file", options_.output, {}, {}});
    return file << text << std::flush ? 0 : say(Error{errno, "write", options_.output, {}, {}});
  }

  static bool asks_for(const Enabling& enabling, DTrigger::Process what) {
    auto is_that = [&](const DProbe& probe) {
      return probe.trigger.kind == DTrigger::Kind::Process && probe.trigger.process == what;
    };
    return std::ranges::any_of(enabling.fixed(), is_that);
  }

  UprobeWish uprobe_wish(const Enabling& enabling, std::span<const Pid> targets) const {
    UprobeWish wish{options_.own.backend};
    bool is_held = std::ranges::any_of(targets, has_tracer);
    if (targets.empty() || is_held || !enabling.is_about_named_code()) wish.instead = Instead::Nothing;
    if (uint64_t said = program_.settings.maxprobes; said != 0) wish.number = said;
    return wish;
  }

  std::vector<Pid> targets_of(const Enabling& enabling) const {
    std::vector<Pid> targets(enabling.processes().begin(), enabling.processes().end());
    targets.insert(targets.end(), options_.attach.begin(), options_.attach.end());
    for (const Command& command : commands_) targets.push_back(command.held.pid());
    return targets;
  }

  int trace(Enabling& enabling) {
    survive_unwritable_output();
    bool needs_processes = enabling.needs_processes() || !commands_.empty() || !options_.attach.empty();
    DNeeds needs = enabling.probes_code() ? DNeeds::Code : needs_processes ? DNeeds::Processes : DNeeds::None;
    // Precedes all uprobes: until they are removed, no signal ends strut.
    Interruption interruption(Interruptible::WhileWaiting, Waits::InTheKernel);
    if (auto writable = check_stats_file(options_.own.stats_file); !writable) return say(writable.error());
    bool names_processes = !commands_.empty() || !options_.attach.empty() || !enabling.processes().empty();
    std::vector<UprobeDemand> demands = uprobe_demands(enabling.found());
    std::vector<Pid> targets = targets_of(enabling);
    UprobeWish wish = uprobe_wish(enabling, targets);
    DWish wanted{needs, load_on_others(demands, targets), wish, names_processes && wants_interpreter(program_),
                 reads_kernel(program_)};
    auto engine = make_d_engine(options_.own, wanted, messages_);
    if (!engine) return say(engine.error());
    if (options_.own.explains) return print(explain_engine(options_.own, wanted, (*engine)->name()));
    if (needs_processes && !names_processes && (*engine)->name() == "ptrace")
      return say(Error{0,
                       "ptrace",
                       {},
                       "it watches processes that are named, and there is none: -c COMMAND or -p PID is needed",
                       "kassist (as root) sees all processes"});
    UprobePermission permission(std::move(demands), std::move(targets), wish);
    return trace_with(**engine, enabling, permission);
  }

  int trace_with(DEngine& engine, Enabling& enabling, UprobePermission& permission) {
    if (engine.name() == "ptrace" && asks_for(enabling, DTrigger::Process::SignalSend))
      messages_.say(
          "proc:::signal-send is, under ptrace, what processes send with kill(2) and its like; signals of the kernel's "
          "own are not seen");
    auto output = DtraceOutput::open(options_.output, program_.settings, messages_);
    if (!output) return say(output.error());
    if (!options_.own.format->is_text())
      if (auto begun = (*output)->write_json(program_, facts_, engine.name()); !begun) return say(begun.error());
    DSessionRequest request;
    request.program = &program_;
    request.attach = options_.attach;
    for (Command& command : commands_) request.commands.push_back(std::move(command.held));
    request.self = TracerProcess::known().pid;
    if (engine.name() == "kassist")
      request.permits = [&](const DCode& code) { return permission.take(uprobe_demand(code)); };
    request.escape_controls = (*output)->is_terminal();
    DSession session(std::move(request), enabling, engine, **output);
    auto status = session.run();
    if (!status) messages_.say(status.error());
    if (!options_.own.stats_file.empty())
      if (auto written = write_stats(options_.own.stats_file, engine.name(), engine.counts(), session.counts());
          !written)
        messages_.say(written.error());
    if (!status || !all_executed()) return kFailure;
    return *status;
  }

  /// False, and reported: the kernel does not accept a command's file as a program.
  bool all_executed() {
    bool all = true;
    for (const Command& command : commands_) {
      int error = 0;
      if (::read(command.refusal.number(), &error, sizeof error) != sizeof error) continue;
      messages_.say("Cannot execute '" + command.launch.path + "': " + std::strerror(error));
      all = false;
    }
    return all;
  }

  const DtraceOptions& options_;
  const RunFacts facts_;
  Messages& messages_;
  BtfTypes kernel_types_{read_kernel_btf};
  ProbeTable table_{&kernel_types_};
  DProgram program_;
  std::vector<Command> commands_;
};

}  // namespace

int run_dtrace(const Called& called, std::span<const std::string> words) {
  Messages messages("dtrace", called.tool);
  auto options = parse_dtrace_options(words);
  if (!options && !options.error().op.empty())
    return complain(messages, {options.error().op + ": " + options.error().why, "expected " + options.error().advice}),
           kFailure;
  if (!options) return messages.say(options.error()), kUsage;
  options->own.explains = called.explains;
  switch (options->action) {
    case DtraceOptions::Action::Help: return std::fputs(kDtraceUsage, stdout) < 0 ? kFailure : 0;
    case DtraceOptions::Action::ListScripts: return std::fputs(list_scripts().c_str(), stdout) < 0 ? kFailure : 0;
    case DtraceOptions::Action::Version: return std::printf("dtrace: strut %s\n", kVersion) < 0 ? kFailure : 0;
    default: return Run(*options, facts_of(called, words), messages).run();
  }
}

}  // namespace strut

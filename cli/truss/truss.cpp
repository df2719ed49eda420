#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/common/command_lookup.hpp"
#include "cli/common/output_signals.hpp"
#include "cli/common/run_facts.hpp"
#include "cli/common/run_request.hpp"
#include "cli/personality.hpp"
#include "cli/truss/calls.hpp"
#include "cli/truss/options.hpp"
#include "formatters/common/tee.hpp"
#include "formatters/truss/summary.hpp"
#include "formatters/truss/text.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/left_command.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1, kUsageError = 2;
constexpr mode_t kLogMode = 0666;

std::string proc_file_of(Pid pid, const char* name) { return proc_path(raw(pid), name).text; }

Result<std::shared_ptr<Output>> open_log(const TrussOptions& options) {
  if (!options.output) return make_fd_output(STDERR_FILENO, Ownership::Borrowed, "stderr");
  int fd = ::open(options.output->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kLogMode);
  if (fd < 0) return fail({errno, "cannot open", *options.output, {}, {}});
  return make_fd_output(fd, Ownership::Owned, *options.output);
}

/// Processes that another tracer has are left out unless -F says otherwise, and a line says so.
void leave_out_traced(TrussOptions& options, Messages& messages) {
  if (options.force) return;
  std::erase_if(options.request.attach, [&](Pid pid) {
    auto status = process_status(leader_of(pid));
    if (!status || status->tracer == 0) return false;
    messages.say("process " + std::to_string(raw(pid)) + " is left out: process " + std::to_string(status->tracer) +
                 " traces it already; -F with kassist traces it, too");
    return true;
  });
}

/// Threads that are named by their ids may be still to come, or they are no ids of Linux's.
void say_what_is_awaited(const TrussOptions& options, Messages& messages) {
  for (Pid pid : options.request.attach) {
    auto threads = threads_of(pid);
    auto is_wanted = [&](Tid tid) { return options.style.reports_of(pid, tid); };
    if (threads && std::ranges::none_of(*threads, is_wanted))
      messages.say("process " + std::to_string(raw(pid)) + ": (Warning: no matching active LWPs found, waiting)");
  }
}

/// -a with -p: prints the processes' arguments.
Result<void> report_arguments(const TrussOptions& options, Output& log) {
  if (!options.style.arguments || !options.own.format->is_text()) return {};
  constexpr size_t kMost = 4096;
  for (Pid pid : options.request.attach) {
    auto words = read_proc_file(proc_file_of(pid, "cmdline").c_str(), kMost);
    if (!words) continue;
    while (words->ends_with('\0')) words->pop_back();
    for (char& c : *words)
      if (c == '\0') c = ' ';
    std::string name = options.style.processes ? std::to_string(raw(pid)) + ":\t" : "";
    TRY_VOID(log.write(leader_of(pid), name + "psargs: " + printable(*words) + "\n"));
  }
  return {};
}

uint64_t nanoseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

/// Field 14 of /proc/PID/stat (proc(5)): utime. nullopt: it is gone.
std::optional<uint64_t> user_ns_of(Pid pid) {
  constexpr int kUtime = 14;
  constexpr size_t kMost = 1024;
  auto stat = read_proc_file(proc_file_of(pid, "stat").c_str(), kMost);
  auto ticks = stat ? stat_field(*stat, kUtime) : std::nullopt;
  if (!ticks) return std::nullopt;
  return static_cast<uint64_t>(*ticks) * (1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

/// Time of the command and the children that it has waited for; of attached processes since now, as long as they live.
std::function<std::optional<uint64_t>()> user_clock(const TrussOptions& options) {
  if (!options.command.empty())
    return [] {
      rusage usage{};
      getrusage(RUSAGE_CHILDREN, &usage);
      return std::optional(nanoseconds(usage.ru_utime));
    };
  auto total = [pids = options.request.attach]() -> std::optional<uint64_t> {
    uint64_t sum = 0;
    for (Pid pid : pids) {
      auto time = user_ns_of(pid);
      if (!time) return std::nullopt;
      sum += *time;
    }
    return sum;
  };
  return [total, before = total().value_or(0)] {
    auto now = total();
    return now ? std::optional(*now - before) : now;
  };
}

/// For formats other than truss's text, which leave out no event themselves.
class Shown final : public Sink {
 public:
  Shown(const TrussStyle& style, std::unique_ptr<Sink> next) : style_(style), next_(std::move(next)) {}

  Result<void> begin(std::string_view backend) override { return next_->begin(backend); }
  Result<void> take(const Event& event) override { return is_shown(event) ? next_->take(event) : Result<void>{}; }
  Result<void> flush() override { return next_->flush(); }
  void gather() override { next_->gather(); }
  Result<void> finish() override { return next_->finish(); }

 private:
  /// The request asks for signals that only explain interrupted calls.
  bool is_shown(const Event& event) const {
    if (!style_.reports_of(event.thread.pid, event.thread.tid)) return false;
    const auto* signal = std::get_if<SignalEvent>(&event.what);
    if (signal == nullptr) return true;
    std::optional<int> fault = fault_of(signal->info);
    bool is_fault = fault && style_.faults.test(static_cast<size_t>(*fault));
    auto number = static_cast<size_t>(signal->number);
    return is_fault || (number < style_.signals.size() && style_.signals[number]);
  }

  const TrussStyle& style_;
  std::unique_ptr<Sink> next_;
};

std::unique_ptr<Sink> make_sink(const TrussOptions& options, const std::shared_ptr<Output>& log,
                                const RunFacts& facts) {
  const OutputFormat& format = *options.own.format;
  if (format.is_text())
    return options.count ? make_truss_summary(options.style, user_clock(options), log)
                         : make_truss_text(options.style, log);
  std::unique_ptr<Sink> lines = std::make_unique<Shown>(options.style, format.make({log, facts, options.count}));
  if (!options.count) return lines;
  return make_tee(std::move(lines),
                  make_truss_summary(options.style, user_clock(options), log, put_truss_counts_json));
}

/// Whether truss's exit would leave its process group orphaned: a job of an interactive shell. The kernel then
/// continues the group's stopped processes and sends them SIGHUP (setpgid(2), "orphaned").
bool ends_a_job() {
  pid_t parent = getppid();
  return getpgid(parent) != getpgrp() && getsid(parent) == getsid(0);
}

/// Settles what options leave to the machine. Error: the program does not exist, or the file cannot be written.
Result<std::shared_ptr<Output>> prepare(TrussOptions& options, Messages& messages) {
  TraceRequest& request = options.request;
  std::shared_ptr<Output> log = TRY(open_log(options));
  leave_out_traced(options, messages);
  say_what_is_awaited(options, messages);
  if (!options.command.empty()) request.launch = Launch{TRY(find_program(options.command[0])), options.command, {}, {}};
  else if (options.own.all && !options.functions.empty())
    return fail({0,
                 "--all",
                 {},
                 "functions are traced in processes that are named",
                 "Give a command, -p PID, or leave out -u and -U"});
  else if (options.own.all) request.system_wide = TRY(asked_for(options.own));
  bool aside = options.output || !isatty(STDERR_FILENO);
  request.interruptible = request.launch && aside ? Interruptible::Never : Interruptible::WhileWaiting;
  // The stopped command is the shell's job then, and truss is not.
  bool stops = !request.stop_on.nothing() || std::ranges::any_of(options.functions, &FunctionChoice::stops);
  if (request.launch && stops && ends_a_job()) request.daemon = TraceRequest::Daemon::Session;
  return log;
}

/// Truss belongs to a shell's job, and so do the processes that it stopped: they stop together. When the shell
/// continues the job, truss ends like its command.
Ending stop_with(Pid command) {
  ::kill(raw(TracerProcess::known().pid), SIGSTOP);
  return ending_with(wait_for_left(command));
}

int trace(TrussOptions& options, const RunFacts& facts, Messages& messages) {
  survive_unwritable_output();
  bool is_job = ends_a_job();
  Interruption::heed_user_signals();
  for (const std::string& line : options.warnings) messages.say(line);
  Result<std::shared_ptr<Output>> log = prepare(options, messages);
  if (!log) return messages.say(log.error()), kUsageError;
  bool nobody = options.command.empty() && options.request.attach.empty() && !options.request.system_wide;
  if (nobody) return kFailure;
  if (Result<void> reported = report_arguments(options, **log); !reported)
    return messages.say(reported.error()), kFailure;
  std::unique_ptr<Sink> format = make_sink(options, *log, facts);
  std::optional<TrussCalls> calls;
  if (!options.functions.empty()) calls.emplace(options.functions, options.request, *format);
  Ending ending = run_request(options.own, options.request, calls ? calls->sink() : *format, messages);
  if (options.own.explains) return ending.status;
  if (calls) calls->say_complaints(messages);
  format.reset();
  log->reset();
  // A run that only watched has succeeded.
  if (options.command.empty()) ending.signal = 0;
  return end(ending.left_stopped && is_job ? stop_with(*ending.left_stopped) : ending);
}

}  // namespace

int run_truss(const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  Result<TrussOptions> options = parse_truss_options(words);
  if (!options) {
    if (!options.error().why.empty()) messages.say(options.error());
    std::fputs(kTrussUsage, stderr);
    return kUsageError;
  }
  options->own.explains = called.explains;
  if (called.explains) options->output.reset();
  switch (options->action) {
    case TrussAction::ShowHelp:
      return std::fputs(kTrussUsage, stdout) < 0 || std::fputs(kTrussHelp, stdout) < 0 ? kFailure : 0;
    case TrussAction::ShowVersion: return std::printf("strut %s\n", strut::kVersion) < 0 ? kFailure : 0;
    case TrussAction::Trace: return trace(*options, facts_of(called, words), messages);
  }
  return kFailure;
}

}  // namespace strut

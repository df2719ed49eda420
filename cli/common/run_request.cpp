#include "cli/common/run_request.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/backend_choice.hpp"
#include "cli/common/separation.hpp"
#include "cli/common/stats_file.hpp"
#include "process/interruption.hpp"
#include "procfs/maps.hpp"

namespace strut {
namespace {

constexpr int kNotRun = 1;

/// Behaviour when the output cannot be written any more: a launched command runs to its end, since strut returns its
/// status; attached processes are detached, since no work is left.
enum class WhenOutputFails : uint8_t { RunOn, LetGo };

/// Passes events on until the sink behind it fails; says why once, and passes nothing on from then on.
class ForgivingSink final : public Sink {
 public:
  ForgivingSink(Sink& sink, Messages& messages, WhenOutputFails then) : sink_(sink), messages_(messages), then_(then) {}

  Result<void> begin(std::string_view backend) override {
    return forgive([&] { return sink_.begin(backend); });
  }
  Result<void> take(const Event& event) override {
    return forgive([&] { return sink_.take(event); });
  }
  Result<void> flush() override {
    return forgive([&] { return sink_.flush(); });
  }
  void gather() override { sink_.gather(); }
  Result<void> finish() override {
    return forgive([&] { return sink_.finish(); });
  }
  /// The ending of a run that detached because a write failed; nullopt: no write failed.
  std::optional<Ending> failure() const {
    if (!failed_ || then_ == WhenOutputFails::RunOn) return std::nullopt;
    return Ending{kNotRun, reader_left_ ? SIGPIPE : 0};
  }

 private:
  template <typename Step>
  Result<void> forgive(Step step) {
    if (failed_) return {};
    Result<void> done = step();
    if (done) return {};
    Error error = std::move(done.error());
    failed_ = true;
    reader_left_ = error.code == EPIPE;
    if (then_ == WhenOutputFails::LetGo) Interruption::end_by_itself(SIGPIPE);
    error.op.clear();  // "FILE: No space left on device" is clear enough, and strace's text
    messages_.say(error);
    return {};
  }

  Sink& sink_;
  Messages& messages_;
  WhenOutputFails then_;
  bool failed_ = false;
  bool reader_left_ = false;
};

/// Prints lines for the user after the events that precede them: both may go to one terminal.
class AfterReports final : public Listener {
 public:
  AfterReports(Sink& sink, Messages& messages) : sink_(sink), messages_(messages) {}

  void say(std::string_view line) override {
    (void)sink_.flush();
    messages_.say(line);
  }
  void mention(std::string_view line) override {
    (void)sink_.flush();
    messages_.mention(line);
  }

 private:
  Sink& sink_;
  Messages& messages_;
};

TracerProcess::Launches launches(const TraceRequest& request) {
  return request.launch ? TracerProcess::Launches::Yes : TracerProcess::Launches::No;
}

Ending ending_of(const Outcome& outcome) {
  // By these strut was asked to leave, and has.
  bool was_asked = outcome.interrupted_by == SIGUSR1 || outcome.interrupted_by == SIGUSR2;
  if (outcome.interrupted_by && !was_asked) return {0, outcome.interrupted_by};
  Ending ending = outcome.command_ended ? ending_with(outcome.status) : Ending{};
  if (outcome.interrupted_by == SIGUSR2) ending.left_stopped = outcome.left;
  return ending;
}

/// Functions get breakpoints or uprobes. Users do not know a daemon's pid.
Result<void> prepare_for_functions(const TraceRequest& request, Messages& messages) {
  TRY_VOID(check_maps_are_shown());
  if (request.daemon != TraceRequest::Daemon::No) return {};
  return separate_tracer(launches(request), messages);
}

Result<std::unique_ptr<Backend>> prepare(const OwnOptions& own, const TraceRequest& request, Messages& messages,
                                         Listener& listener) {
  TRY_VOID(check_stats_file(own.stats_file));
  BackendChoice choice = TRY(choose(own.backend, request)).backend;
  std::optional<std::string> cost =
      own.backend == BackendChoice::Kassist ? machine_cost(request) : std::optional<std::string>();
  if (cost) messages.mention(*cost);
  std::unique_ptr<Backend> backend =
      TRY(make_backend(choice, own, request, cost ? LaterCost::Known : LaterCost::Said, listener));
  if (request.functions) TRY_VOID(prepare_for_functions(request, messages));
  return backend;
}

Ending explain(const OwnOptions& own, const TraceRequest& request, Messages& messages) {
  Result<std::string> text = explain_choice(own, request);
  if (!text) return messages.say(text.error()), Ending{kNotRun, 0};
  return {std::fputs(text->c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? kNotRun : 0};
}

}  // namespace

Ending run_request(const OwnOptions& own, const TraceRequest& request, Sink& sink, Messages& messages) {
  ForgivingSink forgiving(sink, messages, request.launch ? WhenOutputFails::RunOn : WhenOutputFails::LetGo);
  if (own.explains) return explain(own, request, messages);
  AfterReports listener(forgiving, messages);
  auto prepared = prepare(own, request, messages, listener);
  if (!prepared) return messages.say(prepared.error()), Ending{kNotRun, 0};
  Backend& backend = **prepared;
  [[maybe_unused]] Result<void> begun = forgiving.begin(backend.name());
  Result<Outcome> outcome = backend.run(request, forgiving, listener);
  [[maybe_unused]] Result<void> finished = forgiving.finish();
  if (!own.stats_file.empty())
    if (Result<void> written = write_stats(own.stats_file, backend); !written) messages.say(written.error());
  bool was_interrupted = outcome && outcome->interrupted_by != 0 && outcome->interrupted_by != SIGPIPE;
  if (outcome && forgiving.failure() && !was_interrupted) return *forgiving.failure();
  if (outcome) return ending_of(*outcome);
  messages.say(outcome.error());
  return {kNotRun, 0};
}

Ending ending_with(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

int end(const Ending& ending) {
  if (!ending.signal) return ending.status;
  TracerProcess::note_end();
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_DUMPABLE, 0);  // a core_pattern with a pipe ignores the limit
  signal(ending.signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, ending.signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(ending.signal);
  constexpr int kSignalled = 128;  // as a shell says it, should the signal not have killed us
  return kSignalled + ending.signal;
}

}  // namespace strut

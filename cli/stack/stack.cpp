// `strut stack`: the current stacks and system calls of a process's threads.
#include <cerrno>
#include <cstdio>

#include "cli/common/message.hpp"
#include "cli/personality.hpp"
#include "cli/stack/memory.hpp"
#include "cli/stack/options.hpp"
#include "cli/stack/python.hpp"
#include "cli/stack/report.hpp"
#include "cli/stack/waits.hpp"
#include "kassist/syscalls/blocked_threads.hpp"
#include "process/caller.hpp"
#include "procfs/live_context.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"
#include "syscalls/call_parts.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

/// Error: it has no user stack, or may not be looked at.
Result<ProcessStatus> check_process(Pid pid) {
  auto status = process_status(leader_of(pid));
  if (!status) return fail_because("there is no process " + std::to_string(raw(pid)));
  if (status->kernel_thread)
    return fail_because(process_name(pid) + " is a kernel thread and has no user stack; /proc/" +
                        std::to_string(raw(pid)) + "/stack shows its kernel stack");
  if (status->state == 'Z' && status->threads <= 1) return fail_because(ended_refusal(pid));
  TRY_VOID(check_may_trace(pid));
  return status;
}

StackProcess process_of(const ProcessStatus& status) {
  StackProcess process;
  process.pid = status.pid;
  process.comm = comm_of(raw(status.pid)).value_or("");
  process.tracer = status.tracer;
  if (status.tracer != 0) process.tracer_comm = comm_of(status.tracer).value_or("");
  return process;
}

/// nullptr: only stops are asked for, or possible. Error: they are not asked for, and nothing else is possible.
Result<std::unique_ptr<BlockedThreads>> blocked_threads(Pid pid, BackendChoice backend) {
  if (backend == BackendChoice::Ptrace) return nullptr;
  auto threads = blocked_threads_of(pid);
  if (!threads && backend == BackendChoice::Auto) return nullptr;
  return threads;
}

void add_captures(StackProcess& process, const CaptureMeans& means, CaptureReader& reader) {
  for (ThreadCapture& capture : capture_threads(process.pid, means, reader)) {
    if (capture.stopped != 0) process.stopped = capture.stopped;
    if (capture.state == 't') process.held_by_tracer = true;
    auto thread = std::make_unique<StackThread>();
    thread->comm = comm_of(raw(capture.tid)).value_or("");
    thread->capture = std::move(capture);
    process.threads.push_back(std::move(thread));
  }
}

/// Turns captures into calls and frames.
class Explaining {
 public:
  Explaining(StackProcess& process, const StackOptions& options, PythonStacks& python, Messages& messages)
      : process_(process),
        python_(python),
        limit_(options.frames),
        unwinder_(make_cfi_unwinder(options.detail, [&messages](std::string_view line) { messages.say(line); })),
        live_(leader_of(process.pid)) {
    decode_.fd_targets = decode_.fd_details = true;
  }

  void explain() {
    for (const auto& thread : process_.threads) {
      ThreadCapture& capture = thread->capture;
      if (capture.by == ThreadCapture::By::Nothing) continue;
      StackMemory memory(capture.stack_at, capture.stack, live_);
      if (capture.in_call) decode(*thread, memory);
      thread->stack.keep(unwinder_->unwind(process_.pid, capture.registers, memory, limit_));
      python_.add_to(thread->stack, capture.tid, limit_);
    }
  }

 private:
  void decode(StackThread& thread, Memory& memory) {
    LiveContext around(thread.capture.tid, PidfdNames::Omit, &sockets_);
    resolve_part(thread.capture.call, memory);
    decode_enter(thread.capture.call, {memory, around, decode_}, thread.decoded);
  }

  StackProcess& process_;
  PythonStacks& python_;
  size_t limit_;
  std::unique_ptr<Unwinder> unwinder_;  ///< owns the strings that frames refer to
  RemoteMemory live_;
  SocketDetails sockets_;
  DecodeOptions decode_;
};

/// Reports a process of which no thread was captured.
std::string refusal_of(const StackProcess& process) {
  if (process.threads.empty()) return "process " + std::to_string(raw(process.pid)) + " has exited";
  const ThreadCapture& first = process.threads[0]->capture;
  if (process.tracer != 0)
    return process_name(process.pid) + " is traced by pid " + std::to_string(process.tracer) + " (" +
           printable(process.tracer_comm) + "), and its threads run: there is no stack to be read";
  if (first.seize_error == EPERM) return permission_refusal(process.pid);
  return process_name(process.pid) + ": " + first.why;
}

Result<void> run(const StackOptions& options, Messages& messages) {
  StackProcess process = process_of(TRY(check_process(options.pid)));
  PythonStacks python(process.pid);
  process.python_unknown = python.unknown();
  auto blocked = TRY(blocked_threads(process.pid, options.own.backend));
  add_captures(process, {blocked.get(), options.own.backend != BackendChoice::Kassist}, python);
  bool any = false;
  for (const auto& thread : process.threads) any |= thread->capture.by != ThreadCapture::By::Nothing;
  if (!any) return fail_because(refusal_of(process));
  Explaining explaining(process, options, python, messages);
  explaining.explain();
  find_waits(process);
  std::string text = options.format == StackFormat::Json ? stack_json(process) : stack_text(process);
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? Result<void>() : fail({errno, "write", "standard output", {}, {}});
}

}  // namespace

int run_stack(const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  auto options = parse_stack_options(words);
  if (!options) return messages.say(options.error()), kFailure;
  if (options->help) return print_help(kStackCommand);
  if (auto done = run(*options, messages); !done) return messages.say(done.error()), kFailure;
  return 0;
}

}  // namespace strut

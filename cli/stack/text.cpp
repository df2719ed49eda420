#include <csignal>

#include "cli/common/message.hpp"
#include "cli/stack/report.hpp"
#include "formatters/common/stack_text.hpp"
#include "formatters/strace/call_text.hpp"
#include "procfs/live_context.hpp"
#include "procfs/process_status.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {

namespace {

class StackReport {
 public:
  explicit StackReport(const StackProcess& process) : process_(process) { style_.fd_shows = kFdAll; }

  std::string text() {
    put_head();
    for (const auto& thread : process_.threads) put_thread(*thread);
    for (const auto& cycle : process_.deadlocks) put_deadlock(cycle);
    return std::string(out_.view());
  }

 private:
  void number(int64_t value) { out_.decimal(value); }
  void put_id(std::string_view what, int32_t id, std::string_view comm) {
    out_.put(what);
    number(id);
    if (comm.empty()) return;
    out_.put(" (");
    out_.put(printable(comm));
    out_.put(')');
  }

  void put_head() {
    put_id("Process ", raw(process_.pid), process_.comm);
    out_.put(process_.threads.size() == 1 ? ": 1 thread" : ": ");
    if (process_.threads.size() != 1) number(static_cast<int64_t>(process_.threads.size())), out_.put(" threads");
    if (process_.stopped != 0) out_.put(", stopped by "), put_signal_name(out_, process_.stopped);
    if (process_.tracer != 0)
      put_id(process_.held_by_tracer ? ", stopped by its tracer, pid " : ", traced by pid ", process_.tracer,
             process_.tracer_comm);
    out_.put('\n');
    if (!process_.python_unknown.empty()) out_.put(process_.python_unknown), out_.put('\n');
  }

  void put_thread(const StackThread& thread) {
    const ThreadCapture& capture = thread.capture;
    out_.put('\n');
    put_id("Thread ", raw(capture.tid), thread.comm);
    out_.put(": ");
    if (capture.by == ThreadCapture::By::Nothing) out_.put("no stack: "), out_.put(capture.why);
    else if (thread.in_call()) put_call(thread);
    else out_.put(capture.state == 'R' ? "running" : "in no system call");
    out_.put('\n');
    put_waiting(thread);
    const Stack* stack = thread.stack.kept();
    if (!stack) return;
    frames_.put(out_, *stack, Nameless::Walked);
    out_.put('\n');
    if (thread.lacks_registers())
      out_.put(" > the rest needs registers of the thread, which its tracer and --backend=kassist can read\n");
  }

  void put_call(const StackThread& thread) {
    put_call_open(out_, thread.capture.call);
    put_call_args(out_, style_, thread.capture.call, thread.decoded);
    out_.put(" <unfinished ...>");
  }

  void put_waiting(const StackThread& thread) {
    const Waiting& waiting = thread.waiting;
    switch (waiting.what) {
      case Waiting::For::Unknown: return;
      case Waiting::For::Futex: out_.put("   waits for futex "), out_.hex(raw(waiting.address)); break;
      case Waiting::For::Mutex:
        out_.put("   waits for mutex ");
        out_.hex(raw(waiting.address));
        if (waiting.thread) out_.put(", held by thread "), number(raw(*waiting.thread));
        break;
      case Waiting::For::Thread: out_.put("   waits for the end of thread "), number(raw(*waiting.thread)); break;
      case Waiting::For::Children: put_children(waiting); break;
      case Waiting::For::Descriptors: put_descriptors(thread); break;
    }
    out_.put('\n');
  }

  void put_children(const Waiting& waiting) {
    out_.put(waiting.children.empty()       ? "   waits for a child, and has none such"
             : waiting.children.size() == 1 ? "   waits for child "
                                            : "   waits for one of children ");
    for (const Pid& child : waiting.children)
      put_id(&child == waiting.children.data() ? "" : ", ", raw(child), comm_of(raw(child)).value_or(""));
  }

  void put_descriptors(const StackThread& thread) {
    LiveContext around(thread.capture.tid, PidfdNames::Omit, &sockets_);
    out_.put("   waits for events of ");
    bool first = true;
    for (int fd : thread.waiting.descriptors) {
      if (!first) out_.put(", ");
      first = false;
      number(fd);
      if (auto target = around.fd_target(fd, true)) put_fd_target(out_, *target, looks_of(style_, thread.capture.call));
    }
  }

  void put_deadlock(const std::vector<Tid>& cycle) {
    out_.put("\ndeadlock: ");
    for (size_t i = 0; i < cycle.size(); i++) {
      if (i != 0) out_.put(", ");
      number(raw(cycle[i]));
      out_.put(" waits for ");
      number(raw(cycle[(i + 1) % cycle.size()]));
    }
    out_.put('\n');
  }

  const StackProcess& process_;
  StraceStyle style_;
  SocketDetails sockets_;
  StackText frames_;
  TextBuffer out_;
};

}  // namespace

std::string stack_text(const StackProcess& process) { return StackReport(process).text(); }

}  // namespace strut

#include "libcalls/pairing/call_threads.hpp"

#include <algorithm>

namespace strut {

std::unique_ptr<OpenCall> inherited(const OpenCall& parents, const ThreadName& child) {
  auto open = std::make_unique<OpenCall>();
  FunctionCall& call = open->call;
  call.desc = parents.call.desc;
  call.symbol = parents.call.symbol;
  call.module = parents.call.module;
  call.caller = parents.call.caller;
  call.label = parents.call.label;
  call.return_address = parents.call.return_address;
  call.depth = parents.call.depth;
  call.call.entered = parents.call.call.entered;
  call.call.ip = parents.call.call.ip;
  call.call.sp = parents.call.call.sp;
  call.call.pid = child.pid;
  call.call.tid = child.tid;
  open->registers = parents.registers;
  open->is_reported = parents.is_reported;
  open->may_jump = parents.may_jump;
  open->function = parents.function;
  return open;
}

void ReturnMarks::put(uint64_t buffer, std::unique_ptr<OpenCall> call) {
  std::erase_if(marks_, [&](const Mark& mark) { return mark.buffer == buffer; });
  if (marks_.size() == kMax) marks_.pop_front();
  marks_.push_back({buffer, std::move(call)});
}

OpenCall* ReturnMarks::find(uint64_t buffer) {
  auto mark = std::ranges::find(marks_, buffer, &Mark::buffer);
  return mark == marks_.end() ? nullptr : mark->call.get();
}

ReturnMarks ReturnMarks::inherited_by(const ThreadName& child) const {
  ReturnMarks marks;
  for (const Mark& mark : marks_) marks.marks_.push_back({mark.buffer, inherited(*mark.call, child)});
  return marks;
}

CallThread& CallThreads::of(const Event& event) {
  CallThread& thread = threads_[raw(event.thread.tid)];
  if (thread.pid != event.thread.pid) {
    thread.pid = event.thread.pid;
    thread.number = event.thread.tid;
    stacks_.belongs(event.thread.tid, event.thread.pid);
  }
  return thread;
}

CallThread& CallThreads::of(const Event& event, const FunctionHit& hit) {
  CallThread& thread = of(event);
  if (hit.goroutine == 0) return thread;
  auto [known, is_new] = goroutines_.try_emplace({raw(event.thread.pid), hit.goroutine}, Tid{});
  if (!is_new) return threads_[raw(known->second)];
  known->second = Tid{--last_goroutine_};
  CallThread& goroutine = threads_[raw(known->second)];
  goroutine.pid = event.thread.pid;
  goroutine.number = known->second;
  goroutine.by_request = thread.by_request;
  return goroutine;
}

// -- lives ------------------------------------------------------------------------------------------------

std::optional<Pid> CallThreads::attached(const Event& event, const AttachedEvent& attached) {
  CallThread& thread = of(event);
  thread.by_request = attached.by_request;
  bool is_process = raw(event.thread.tid) == raw(event.thread.pid);
  if (!is_process || raw(attached.parent) == 0) return std::nullopt;
  auto parent = threads_.find(raw(attached.parent));
  if (parent == threads_.end()) return Pid{raw(attached.parent)};
  inherit(thread, parent->second, attached.parent, event.thread);
  return parent->second.pid;
}

void CallThreads::inherit(CallThread& thread, const CallThread& parent, Tid parent_tid, const ThreadName& child) {
  thread.by_request = parent.by_request;
  pairing_.forked(parent_tid, child.tid);
  for (const ActiveCall& call : pairing_.active(child.tid)) {
    auto from = parent.open.find(call.id);
    if (from != parent.open.end()) thread.open[call.id] = inherited(*from->second, child);
  }
  thread.marks = parent.marks.inherited_by(child);
}

void CallThreads::forget(Tid tid) {
  EndedCalls ended;
  pairing_.ended(tid, ended);
  threads_.erase(raw(tid));
  stacks_.forget(tid);
}

void CallThreads::forget_goroutines(Pid pid) {
  auto first = goroutines_.lower_bound({raw(pid), 0}), last = goroutines_.lower_bound({raw(pid) + 1, 0});
  for (auto goroutine = first; goroutine != last; ++goroutine) forget(goroutine->second);
  goroutines_.erase(first, last);
}

void CallThreads::forget_process(Pid pid) {
  forget_goroutines(pid);
  std::vector<int32_t> gone;
  for (const auto& [tid, thread] : threads_)
    if (thread.pid == pid) gone.push_back(tid);
  for (int32_t tid : gone) forget(Tid{tid});
  forget(leader_of(pid));
}

// -- calls ------------------------------------------------------------------------------------------------

OpenCall& CallThreads::put(CallThread& thread, uint64_t id) {
  std::unique_ptr<OpenCall>& place = thread.open[id];
  if (spare_.empty()) {
    place = std::make_unique<OpenCall>();
  } else {
    place = std::move(spare_.back());
    spare_.pop_back();
  }
  return *place;
}

std::unique_ptr<OpenCall> CallThreads::take(CallThread& thread, uint64_t id) {
  auto found = thread.open.find(id);
  if (found == thread.open.end()) return nullptr;
  auto open = std::move(found->second);
  thread.open.erase(found);
  return open;
}

}  // namespace strut

#include "libcalls/pairing/call_assembler.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/function_table.hpp"

namespace strut {

namespace {

/// For a thread: jumps do not leave more nested functions than this.
constexpr size_t kMaxUnreported = 256;

}  // namespace

Result<void> CallAssembler::take(const Event& event) {
  if (const auto* what = std::get_if<FunctionHitEvent>(&event.what)) return hit(event, *what->hit);
  if (const auto* what = std::get_if<AttachedEvent>(&event.what))
    if (auto parent = threads_.attached(event, *what)) points_.forked(*parent, event.thread.pid);
  // Calls that threads are in when they end, or are let go, have no return.
  bool ends = std::holds_alternative<ExitedEvent>(event.what) || std::holds_alternative<KilledEvent>(event.what) ||
              std::holds_alternative<DetachedEvent>(event.what);
  if (ends) threads_.forget(event.thread.tid);
  if (ends && event.thread.tid == leader_of(event.thread.pid)) threads_.forget_goroutines(event.thread.pid);
  if (std::holds_alternative<ExecutedEvent>(event.what)) {
    threads_.forget_process(event.thread.pid);
    points_.executed(event.thread.pid, event.at.monotonic_ns);
  }
  if (const auto* renamed = std::get_if<RenamedEvent>(&event.what)) {
    threads_.forget(event.thread.tid);
    threads_.forget(renamed->to);
  }
  return next_.take(event);
}

// The end of this frame's calls is unknown.
Result<void> CallAssembler::give_up(const Event& event, const FunctionHit& hit, CallThread& thread) {
  ended_ = {};
  pairing().gone(thread.number, hit.place(), ended_);
  return abandoned(event, ended_.abandoned, thread);
}

// -- hits -------------------------------------------------------------------------------------------------

Result<void> CallAssembler::hit(const Event& event, const FunctionHit& hit) {
  CallThread& thread = threads_.of(event, hit);
  switch (hit.kind) {
    case FunctionSite::Kind::Entry: return entered(event, hit, thread);
    case FunctionSite::Kind::Return: return returned(event, hit, thread);
    case FunctionSite::Kind::Behind: return has_returned(hit, thread) ? returned(event, hit, thread) : Result<void>{};
    case FunctionSite::Kind::Outward:
      if (points_.owner(hit.function).is_outward) thread.outward.note(hit);
      return {};
    case FunctionSite::Kind::Jump: break;
  }
  // Later jumps of the thread are no longer attributed to an earlier one. A jump of this instruction has led nowhere
  // yet.
  thread.outward.forget_arrived(hit.place());
  ended_ = {};
  pairing().jumped(thread.number, {points_.owner(hit.function).code, hit.place(), hit.return_address, true}, ended_);
  return abandoned(event, ended_.abandoned, thread);
}

// The caller: a jump out of a module that was just seen, or the code before the return address. A function may have
// several owners, and each is hit. The jumper's caller is not this function's, unless the jump was out of a module with
// calls that count.
const CallVerdict& CallAssembler::verdict(const Event& event, const FunctionHit& hit, CallThread& thread,
                                          const ActiveCall* jumper, const SeenJump* outward) {
  bool is_jumped_to = is_jumped_to_from_unreported(event, hit, thread) || jumper;
  if (outward) return points_.called_by_jump(hit.function, outward->site);
  if (is_jumped_to) return points_.jumped_to(hit.function);
  thread.outward.forget(hit.place());
  return points_.called(hit.function, event.thread.pid, hit.return_address, event.at.monotonic_ns);
}

// A loop to a function's first instruction comes by its entry without being a call, and so does a call that was seen at
// a PLT.
bool CallAssembler::is_same_call(const FunctionHit& hit, const CallThread& thread, const SiteOwner& owner) const {
  auto active = pairing().at(thread.number, hit.place());
  if (!owner.is_met_twice || active.empty()) return false;
  const ActiveCall& last = active.back();
  return last.entry.function == owner.code && last.entry.returns_to == hit.return_address && !last.jumped;
}

bool CallAssembler::is_reported(const ActiveCall& call) {
  if (limits_.depth != 0 && call.depth >= limits_.depth) return false;
  return limits_.first == 0 || ++counts_[call.entry.function] <= limits_.first;
}

void CallAssembler::fill(OpenCall& open, const Event& event, Frame frame, const CallVerdict& verdict,
                         const ActiveCall& active) {
  FunctionCall& call = open.call;
  call.desc = verdict.desc;
  call.symbol = verdict.symbol;
  call.module = verdict.module;
  call.caller = verdict.caller;
  call.label = verdict.label;
  call.return_address = Addr{frame.returns_to};
  call.depth = active.depth;
  call.active_before = call.abandoned = false;
  call.call = {};
  call.call.pid = event.thread.pid;
  call.call.tid = event.thread.tid;
  call.call.ip = frame.returns_to;
  call.call.sp = frame.at;
  call.call.entered = event.at;
}

// The last call of this frame jumped to an unknown function, and its caller can be no site. The function that is
// entered now is called by the code there: it may be the jump's target, or a new call. The next result may belong to
// either.
bool CallAssembler::may_be_called_anew(const Event& event, const FunctionHit& hit, const CallThread& thread) const {
  auto active = pairing().at(thread.number, hit.place());
  if (active.empty() || !active.back().jumped || active.back().entry.returns_to != hit.return_address) return false;
  auto open = thread.open.find(active.back().id);
  if (open == thread.open.end()) return false;
  Pid pid = event.thread.pid;
  uint64_t when_ns = event.at.monotonic_ns;
  return points_.may_return_unseen(open->second->function, pid, hit.return_address, when_ns) &&
         points_.is_called_there(hit.function, pid, hit.return_address, when_ns);
}

// The call that another function took over by a jump: they share one frame, and its return was not seen. Where a tracer
// has replaced the return address, that does not show in its place.
const ActiveCall* CallAssembler::taken_over(const Event& event, const FunctionHit& hit, CallThread& thread,
                                            uint64_t code) {
  auto active = pairing().at(thread.number, hit.place());
  if (active.empty() || active.back().entry.function == code || active.back().entry.way == ReturnWay::ByAnother)
    return nullptr;
  const ActiveCall& last = active.back();
  auto open = thread.open.find(last.id);
  if (open == thread.open.end() || !open->second->may_jump || (last.entry.reports_jumps && !last.jumped))
    return nullptr;
  bool is_as_it_was = hit.return_address == last.entry.returns_to;
  return is_as_it_was || !points_.is_code(event.thread.pid, hit.return_address, event.at.monotonic_ns) ? &last
                                                                                                       : nullptr;
}

// The kernel's own return address (uretprobes) shows that another function had this frame before: a function without a
// reported call jumped here.
bool CallAssembler::is_jumped_to_from_unreported(const Event& event, const FunctionHit& hit, CallThread& thread) {
  while (!thread.unreported.empty() && thread.unreported.back() < hit.place()) thread.unreported.pop_back();
  if (thread.unreported.empty() || thread.unreported.back() != hit.place()) return false;
  return !points_.is_code(event.thread.pid, hit.return_address, event.at.monotonic_ns);
}

Result<void> CallAssembler::entered(const Event& event, const FunctionHit& hit, CallThread& thread) {
  SiteOwner owner = points_.owner(hit.function);
  if (is_same_call(hit, thread, owner)) return {};
  thread.ended_frame = 0;
  const ActiveCall* jumper = taken_over(event, hit, thread, owner.code);
  uint64_t returns_to = jumper ? jumper->entry.returns_to : hit.return_address;
  if (may_be_called_anew(event, hit, thread)) {
    jumper = nullptr;
    TRY_VOID(give_up(event, hit, thread));
  }
  const CallVerdict& judged = verdict(event, hit, thread, jumper, thread.outward.to(hit, owner.code));
  if (!judged.reported) {
    if (owner.may_jump && thread.unreported.size() < kMaxUnreported) thread.unreported.push_back(hit.place());
    return {};
  }
  ended_ = {};
  ReturnWay way = return_way(*judged.desc);
  const ActiveCall active =
      pairing().enter(thread.number, {owner.code, hit.place(), returns_to, owner.reports_jumps, way}, ended_);
  TRY_VOID(abandoned(event, ended_.abandoned, thread));
  OpenCall& open = threads_.put(thread, active.id);
  fill(open, event, {hit.frame, returns_to}, judged, active);
  open.registers = hit.entry;
  open.is_reported = is_reported(active);
  open.may_jump = owner.may_jump;
  open.function = hit.function;
  if (!open.is_reported) return {};
  if (way == ReturnWay::Again) thread.marks.put(open.registers.integers[0], inherited(open, event.thread));
  return report_entry(event, hit, open);
}

Result<void> CallAssembler::report_entry(const Event& event, const FunctionHit& hit, OpenCall& open) {
  NamedContext around(hit.scene.around, points_, event);
  values_.decode_entry(hit, {hit.scene.memory, around, hit.scene.options}, open);
  Event reported = event;
  reported.ip = raw(open.call.return_address);
  reported.what = FunctionEntryEvent{&open.call, &open.decoded};
  return next_.take(reported);
}

// For a function that others jump to several owners may be hit by one return: each ends the calls that it captured for.
bool CallAssembler::is_others_to_end(const FunctionHit& hit, const CallThread& thread) const {
  auto active = pairing().at(thread.number, hit.place());
  auto is_ended = [&](const ActiveCall& call) { return points_.may_end(hit.function, call.entry.function); };
  return !active.empty() && std::ranges::none_of(active, is_ended);
}

Result<void> CallAssembler::returned(const Event& event, const FunctionHit& hit, CallThread& thread) {
  while (!thread.unreported.empty() && thread.unreported.back() <= hit.place()) thread.unreported.pop_back();
  if (is_others_to_end(hit, thread)) return {};
  SiteOwner owner = points_.owner(hit.function);
  ended_ = {};
  pairing().leave(thread.number, {owner.code, hit.place(), hit.return_address, false}, ended_);
  std::vector<ActiveCall> ended = std::move(ended_.returned);
  TRY_VOID(abandoned(event, ended_.abandoned, thread));
  thread.outward.forget(hit.place());
  if (ended.empty()) {
    // Calls that share a frame, one having jumped to the other, return as one.
    bool is_taken_over = !pairing().at(thread.number, hit.place()).empty();
    bool is_known = !owner.is_reported || !thread.by_request || thread.ended_frame == hit.place() || is_taken_over;
    return is_known ? Result<void>{} : began_before(event, hit);
  }
  thread.ended_frame = hit.place();
  NamedContext around(hit.scene.around, points_, event);
  DecodeContext scene{hit.scene.memory, around, hit.scene.options};
  for (const ActiveCall& call : ended) {
    std::unique_ptr<OpenCall> open = threads_.take(thread, call.id);
    if (!open) continue;
    if (open->is_reported) {
      open->call.call.left = event.at;
      values_.decode_return(hit, scene, *open);
      TRY_VOID(report_return(event, *open));
    }
    threads_.give_back(std::move(open));
  }
  return {};
}

// Control may also have come there by a jump, or the call's return have been seen.
bool CallAssembler::has_returned(const FunctionHit& hit, const CallThread& thread) const {
  return std::ranges::any_of(pairing().at(thread.number, hit.place()),
                             [&](const ActiveCall& call) { return call.entry.returns_to == hit.return_address; });
}

// It returned without a seen entry: if it would have been reported, it had begun when tracing did.
Result<void> CallAssembler::began_before(const Event& event, const FunctionHit& hit) {
  Frame frame{hit.frame, hit.return_address};
  auto word = std::as_writable_bytes(std::span(&frame.returns_to, 1));
  if (hit.return_address == 0 && hit.scene.memory.read(Addr{hit.frame}, word).bytes != word.size()) return {};
  const CallVerdict& judged = points_.called(hit.function, event.thread.pid, frame.returns_to, event.at.monotonic_ns);
  if (!judged.reported) return {};
  OpenCall open;
  fill(open, event, frame, judged, {});
  open.call.active_before = true;
  open.call.call.left = event.at;
  begin_unseen(open.call, open.decoded);
  NamedContext around(hit.scene.around, points_, event);
  decode_return(open.call, hit.returned, hit.error_number, {hit.scene.memory, around, hit.scene.options}, open.decoded);
  return report_return(event, open);
}

Result<void> CallAssembler::report_return(const Event& event, OpenCall& open) {
  Event reported = event;
  reported.ip = raw(open.call.return_address);
  reported.what = FunctionReturnEvent{&open.call, &open.decoded};
  return next_.take(reported);
}

Result<void> CallAssembler::abandoned(const Event& event, const std::vector<ActiveCall>& calls, CallThread& thread) {
  for (const ActiveCall& call : calls) {
    std::unique_ptr<OpenCall> open = threads_.take(thread, call.id);
    if (!open || !open->is_reported) continue;
    open->call.abandoned = true;
    open->call.call.left = event.at;
    TRY_VOID(report_return(event, *open));
    if (return_way(*open->call.desc) == ReturnWay::ByAnother) TRY_VOID(come_back(event, *open, thread));
  }
  return {};
}

// longjmp(3): the call that filled in its buffer returns once more, with 1 instead of 0.
Result<void> CallAssembler::come_back(const Event& event, const OpenCall& jump, CallThread& thread) {
  OpenCall* mark = thread.marks.find(jump.registers.integers[0]);
  if (!mark) return {};
  OpenCall& again = *mark;
  auto value = static_cast<int32_t>(jump.registers.integers[1]);
  begin_unseen(again.call, again.decoded);
  again.call.call.entered = jump.call.call.entered;
  again.call.call.left = event.at;
  again.call.call.returned = true;
  again.call.call.result = value == 0 ? 1 : value;
  again.decoded.result = Decoder::number(static_cast<uint64_t>(again.call.call.result), Show::Signed, sizeof value);
  return report_return(event, again);
}

}  // namespace strut

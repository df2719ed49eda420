#include "kassist/transport/order.hpp"

#include <algorithm>
#include <iterator>

namespace strut {

namespace {

/// The memory comes before its thread returns to user mode: when the page has been read, from a disk at worst, and when
/// the thread has a CPU.
constexpr uint64_t kLatePatience_ns = 1'000'000'000;
/// Records that wait behind such a call. Where more come, the drain would not copy any further ones, that memory
/// neither.
constexpr size_t kMaxWaitingBytes = 4 << 20;

}  // namespace

uint64_t key_of(const wire_record& record) {
  return record.kind == WIRE_CALL || record.kind == WIRE_PART ? record.entered_ns : record.at_ns;
}

void Order::add(const std::shared_ptr<const Batch>& batch) {
  batch->each_and_source([&](const wire_record* record, uint32_t source) {
    RecordView view(record);
    if (record->kind == WIRE_PART) return parts_[raw(view.tid())].push_back({view, batch});
    if (record->kind == WIRE_LATE) return add_late(view, batch);
    if (awaiting_ != 0 && source == kRing) stop_awaiting(view);
    bool awaits_late = (record->flags & WIRE_AWAITS_LATE) != 0;
    awaiting_ += awaits_late;
    insert(queue_of(source), {key_of(*record), view, batch, take_parts(view, source), awaits_late});
  });
}

/// All that await memory are the ring's.
Order::Entry* Order::awaiting(Tid tid) {
  auto found = std::ranges::find_if(
      queue_of(kRing), [tid](const Entry& entry) { return entry.awaits_late && entry.record.tid() == tid; });
  return found == queue_of(kRing).end() ? nullptr : &*found;
}

/// The record and its parts belong to the call that awaits them; once that call was taken, they are dropped.
void Order::add_late(RecordView record, const std::shared_ptr<const Batch>& batch) {
  std::vector<Part> parts = take_parts(record, kRing);
  Entry* entry = awaiting(record.tid());
  if (!entry) return;
  std::ranges::move(parts, std::back_inserter(entry->parts));
  entry->parts.push_back({record, batch});
  if (record.header().flags & WIRE_AWAITS_LATE) return;
  entry->awaits_late = false;
  awaiting_--;
}

/// The thread's next event is in the ring: parts that it did not send before will not come.
void Order::stop_awaiting(RecordView record) {
  if (record.header().sequence == WIRE_UNNUMBERED) return;
  Entry* entry = awaiting(record.tid());
  if (!entry) return;
  entry->awaits_late = false;
  awaiting_--;
}

Order::Queue& Order::queue_of(uint32_t source) {
  if (source >= queues_.size()) queues_.resize(source + 1);
  return queues_[source];
}

/// Parts come before their record in the ring: a thread is on one CPU at a time. The thread's later records in a lane
/// may come between them, and so may other threads' records about it; only its next event in the ring shows that the
/// record was lost.
std::vector<Order::Part> Order::take_parts(RecordView record, uint32_t source) {
  if (parts_.empty() || source != kRing || record.header().sequence == WIRE_UNNUMBERED) return {};
  auto found = parts_.find(raw(record.tid()));
  if (found == parts_.end()) return {};
  std::vector<Part> parts = std::move(found->second);
  parts_.erase(found);
  std::erase_if(parts, [&](const Part& part) { return part.record.header().sequence != record.header().sequence; });
  return parts;
}

/// Nearly everything belongs at the end: time runs forward on each CPU.
void Order::insert(Queue& queue, Entry entry) {
  auto at = queue.end();
  while (at != queue.begin()) {
    const Entry& before = *std::prev(at);
    if (before.key_ns <= entry.key_ns || before.record.tid() == entry.record.tid()) break;
    --at;
  }
  bytes_ += entry.record.header().bytes;
  queue.insert(at, std::move(entry));
}

bool Order::empty() const {
  return std::ranges::all_of(queues_, [](const Queue& queue) { return queue.empty(); });
}

Order::Queue* Order::first() {
  Queue* first = nullptr;
  for (Queue& queue : queues_)
    if (!queue.empty() && (!first || queue.front().key_ns < first->front().key_ns)) first = &queue;
  return first;
}

uint64_t Order::reported_before(uint64_t before_ns) {
  Queue* queue = first();
  return queue ? std::min(before_ns, queue->front().key_ns) : before_ns;
}

bool Order::waits(const Entry& entry, uint64_t before_ns) const {
  if (!entry.awaits_late || before_ns == UINT64_MAX || bytes_ > kMaxWaitingBytes) return false;
  return before_ns < entry.record.header().at_ns + kLatePatience_ns;
}

/// A thread cannot move to another CPU so soon that the CPUs' clocks could disagree. Its numbers are of no use here: an
/// id goes from one thread to another when that execs a program.
std::optional<Order::Entry> Order::next(uint64_t before_ns) {
  Queue* queue = first();
  if (!queue || queue->front().key_ns >= before_ns || waits(queue->front(), before_ns)) return std::nullopt;
  Entry entry = std::move(queue->front());
  queue->pop_front();
  awaiting_ -= entry.awaits_late;
  bytes_ -= entry.record.header().bytes;
  return entry;
}

}  // namespace strut

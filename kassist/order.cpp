#include "kassist/order.hpp"

#include <algorithm>

namespace strut {

uint64_t key_of(const wire_record& record) {
  return record.kind == WIRE_CALL || record.kind == WIRE_PART ? record.entered_ns : record.at_ns;
}

void Order::add(const std::shared_ptr<const Batch>& batch) {
  batch->each_and_source([&](const wire_record* record, uint32_t source) {
    RecordView view(record);
    if (record->kind == WIRE_PART) parts_[raw(view.tid())].push_back({view, batch});
    else insert(queue_of(source), {key_of(*record), view, batch, take_parts(view, source)});
  });
}

Order::Queue& Order::queue_of(uint32_t source) {
  if (source >= queues_.size()) queues_.resize(source + 1);
  return queues_[source];
}

/// Parts come before their record in the ring: a thread is on one CPU at a time. What the thread told later in a lane
/// may come between them, and so may what others told of it; nothing but its next event in the ring says that theirs
/// was lost.
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
  queue.insert(at, std::move(entry));
}

bool Order::empty() const {
  return std::ranges::all_of(queues_, [](const Queue& queue) { return queue.empty(); });
}

/// A thread cannot be on another CPU so soon that clocks of CPUs might tell otherwise. Its numbers are of no use here:
/// an id goes from one thread to another when that executes a program.
std::optional<Order::Entry> Order::next(uint64_t before_ns) {
  Queue* first = nullptr;
  for (Queue& queue : queues_)
    if (!queue.empty() && (!first || queue.front().key_ns < first->front().key_ns)) first = &queue;
  if (!first || first->front().key_ns >= before_ns) return std::nullopt;
  Entry entry = std::move(first->front());
  first->pop_front();
  return entry;
}

}  // namespace strut

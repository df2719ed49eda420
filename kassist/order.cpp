#include "kassist/order.hpp"

#include <algorithm>

namespace strut {

uint64_t key_of(const wire_record& record) { return record.kind == WIRE_CALL || record.kind == WIRE_PART ? record.entered_ns : record.at_ns; }

void Order::add(const std::shared_ptr<const Batch>& batch) {
  batch->each([&](const wire_record* record) {
    RecordView view(record);
    if (record->kind == WIRE_PART) parts_[raw(view.tid())].push_back({view, batch});
    else insert({key_of(*record), view, batch, take_parts(view)});
  });
}

/// Parts come before their record: a thread is on one CPU at a time. Those of an event that was lost are of no use.
std::vector<Order::Part> Order::take_parts(RecordView record) {
  if (parts_.empty()) return {};
  auto found = parts_.find(raw(record.tid()));
  if (found == parts_.end()) return {};
  std::vector<Part> parts = std::move(found->second);
  parts_.erase(found);
  std::erase_if(parts, [&](const Part& part) { return part.record.header().sequence != record.header().sequence; });
  return parts;
}

/// Nearly everything belongs at the end: time runs forward on each CPU.
void Order::insert(Entry entry) {
  auto at = entries_.end();
  while (at != entries_.begin()) {
    const Entry& before = *std::prev(at);
    if (before.key_ns <= entry.key_ns || before.record.tid() == entry.record.tid()) break;
    --at;
  }
  entries_.insert(at, std::move(entry));
}

std::optional<Order::Entry> Order::next(uint64_t before_ns) {
  if (entries_.empty() || entries_.front().key_ns >= before_ns) return std::nullopt;
  Entry first = std::move(entries_.front());
  entries_.pop_front();
  return first;
}

}  // namespace strut

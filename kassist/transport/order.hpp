// Puts records of different CPUs into the order of time.
//
// Those of a lane are in that order, but for the ring's: a place in it is found after the time was taken.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kassist/transport/batch.hpp"
#include "kassist/wire/record.hpp"

namespace strut {

/// Holds records back until none that belongs before them can still come. A thread's own records keep their order.
class Order {
 public:
  /// A record's first chunks that did not fit into it (WIRE_PART), with the batch that holds their bytes.
  struct Part {
    RecordView record;
    std::shared_ptr<const Batch> batch;
  };
  /// One record, with the batch that holds its bytes.
  struct Entry {
    uint64_t key_ns;  ///< CLOCK_MONOTONIC: when the call was entered or the event happened
    RecordView record;
    std::shared_ptr<const Batch> batch;
    std::vector<Part> parts{};
    bool awaits_late = false;  ///< memory that is on its way (WIRE_LATE)
  };

  void add(const std::shared_ptr<const Batch>& batch);

  /// Takes the first record that happened before `before_ns`; nullopt: none. While that record lacks memory that is on
  /// its way (WIRE_AWAITS_LATE) there is none, but for a second at most, and not if `before_ns` is UINT64_MAX.
  std::optional<Entry> next(uint64_t before_ns);
  bool empty() const;
  /// After next() found no more: all records that happened before this were taken.
  uint64_t reported_before(uint64_t before_ns);

 private:
  using Queue = std::deque<Entry>;
  Queue& queue_of(uint32_t source);
  void insert(Queue& queue, Entry entry);
  std::vector<Part> take_parts(RecordView record, uint32_t source);
  void add_late(RecordView record, const std::shared_ptr<const Batch>& batch);
  Queue* first();
  bool waits(const Entry& entry, uint64_t before_ns) const;
  Entry* awaiting(Tid tid);
  void stop_awaiting(RecordView record);

  std::vector<Queue> queues_;                             ///< by source
  std::unordered_map<int32_t, std::vector<Part>> parts_;  ///< for records that are still to come, by thread
  size_t bytes_ = 0;                                      ///< for records in queues
  size_t awaiting_ = 0;                                   ///< entries that await memory
};

/// The time at which a record is reported: a whole call is reported at its beginning.
uint64_t key_of(const wire_record& record);

}  // namespace strut

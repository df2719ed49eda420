// Which of the followed threads live, by the records that have come.
#pragma once

#include <unordered_set>

#include "base/ids.hpp"
#include "kassist/transport/batch.hpp"

namespace strut {

/// A thread's exit is its last record, and its birth is in the ring before its first: when none is left here, no record
/// of the threads themselves is to come. A thread without any record is not known: births can be lost.
class Living {
 public:
  void add(Tid tid) { threads_.insert(raw(tid)); }
  void add(const Batch& batch) {
    batch.each([this](const wire_record* record) { take(*record); });
  }
  bool empty() const { return threads_.empty(); }

 private:
  void take(const wire_record& record);

  std::unordered_set<int32_t> threads_;
};

}  // namespace strut

// Records in the order in which they came, copied from the ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "kassist/wire.h"

namespace strut {

class Batch {
 public:
  /// Copies a run of RingReader::peek. `total`: what all batches hold, which must outlive them.
  Batch(std::span<const std::byte> run, std::atomic<size_t>& total);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Calls `visit(const wire_record*)` for each record; records stay where they are as long as the batch lives.
  template <typename Visit>
  void each(Visit visit) const {
    for (size_t at = 0; at + kHeaderBytes + sizeof(wire_record) <= size_;) {
      uint32_t word = *reinterpret_cast<const uint32_t*>(bytes_.get() + at);
      auto* record = reinterpret_cast<const wire_record*>(bytes_.get() + at + kHeaderBytes);
      size_t length = word & kLengthMask;
      at += kHeaderBytes + ((length + 7) & ~size_t{7});
      if (!(word & kDiscarded) && at <= size_ && length >= sizeof(wire_record) && record->bytes <= length) visit(record);
    }
  }

 private:
  static constexpr size_t kHeaderBytes = 8;             // BPF_RINGBUF_HDR_SZ of <linux/bpf.h>
  static constexpr uint32_t kDiscarded = 1u << 30;      // BPF_RINGBUF_DISCARD_BIT
  static constexpr uint32_t kLengthMask = kDiscarded - 1;

  std::unique_ptr<std::byte[]> bytes_;
  size_t size_;
  std::atomic<size_t>& total_;
};

}  // namespace strut

// Records in the order in which they came, copied from the ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "kassist/wire.h"

namespace strut {

/// nullptr: it is none, or it is cut.
inline const wire_record* wire_record_of(std::span<const std::byte> content) {
  auto* record = reinterpret_cast<const wire_record*>(content.data());
  return content.size() >= sizeof(wire_record) && record->bytes <= content.size() ? record : nullptr;
}

class Batch {
 public:
  /// Copies a run of RingReader::peek. `total`: what all batches hold, which must outlive them.
  Batch(std::span<const std::byte> run, std::atomic<size_t>& total);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Calls `visit(std::span<const std::byte>)` for each record, 8 bytes aligned; they stay where they are as long as the
  /// batch lives.
  template <typename Visit>
  void each_content(Visit visit) const {
    for (size_t at = 0; at + kHeaderBytes <= size_;) {
      uint32_t word = *reinterpret_cast<const uint32_t*>(bytes_.get() + at);
      std::span content(bytes_.get() + at + kHeaderBytes, word & kLengthMask);
      at += kHeaderBytes + ((content.size() + 7) & ~size_t{7});
      if (!(word & kDiscarded) && at <= size_) visit(std::span<const std::byte>(content));
    }
  }
  /// Those of a trace: `visit(const wire_record*)`.
  template <typename Visit>
  void each(Visit visit) const {
    each_content([&](std::span<const std::byte> content) {
      if (const wire_record* record = wire_record_of(content)) visit(record);
    });
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

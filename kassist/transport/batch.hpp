// Records in the order in which they came, copied from the ring.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kassist/wire/wire.h"

namespace strut {

/// nullptr: it is none, or it is cut.
inline const wire_record* wire_record_of(std::span<const std::byte> content) {
  auto* record = reinterpret_cast<const wire_record*>(content.data());
  return content.size() >= sizeof(wire_record) && record->bytes <= content.size() ? record : nullptr;
}

inline constexpr uint32_t kRing = 0;  ///< the source of the BPF ring's records; that of a lane's is another

/// Records with their headers, one after another. `source`: of which ring. Of each the records are in the order of
/// time.
struct BatchRun {
  uint32_t source;
  std::span<const std::byte> bytes;
};

class Batch {
 public:
  /// Copies runs of RingReader::peek and Lanes::peek. `total`: the bytes in all batches; outlives them.
  Batch(std::span<const BatchRun> runs, std::atomic<size_t>& total);
  /// Copies runs of the ring only.
  Batch(std::span<const std::byte> run, std::atomic<size_t>& total) : Batch(std::array{BatchRun{kRing, run}}, total) {}
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  size_t bytes() const { return size_; }

  /// Calls `visit(std::span<const std::byte>)` for each record, 8 bytes aligned; they stay where they are as long as
  /// the batch lives.
  template <typename Visit>
  void each_content(Visit visit) const {
    for (const BatchRun& run : runs_) each_in(run, visit);
  }
  /// Visits the records of one source.
  template <typename Visit>
  void each_of(uint32_t source, Visit visit) const {
    for (const BatchRun& run : runs_)
      if (run.source == source) each_in(run, visit);
  }
  /// Visits the records of a trace: `visit(const wire_record*)`.
  template <typename Visit>
  void each(Visit visit) const {
    each_and_source([&](const wire_record* record, uint32_t) { visit(record); });
  }
  /// `visit(const wire_record*, uint32_t source)`.
  template <typename Visit>
  void each_and_source(Visit visit) const {
    for (const BatchRun& run : runs_)
      each_in(run, [&](std::span<const std::byte> content) {
        if (const wire_record* record = wire_record_of(content)) visit(record, run.source);
      });
  }

 private:
  static constexpr size_t kHeaderBytes = 8;         // BPF_RINGBUF_HDR_SZ of <linux/bpf.h>
  static constexpr uint32_t kDiscarded = 1u << 30;  // BPF_RINGBUF_DISCARD_BIT
  static constexpr uint32_t kLengthMask = kDiscarded - 1;

  template <typename Visit>
  static void each_in(const BatchRun& run, Visit visit) {
    for (size_t at = 0, size = run.bytes.size(); at + kHeaderBytes <= size;) {
      uint32_t word = *reinterpret_cast<const uint32_t*>(run.bytes.data() + at);
      size_t length = word & kLengthMask, start = at + kHeaderBytes;
      at = start + ((length + 7) & ~size_t{7});
      if (!(word & kDiscarded) && at <= size) visit(run.bytes.subspan(start, length));
    }
  }

  std::unique_ptr<std::byte[]> bytes_;
  size_t size_;
  std::vector<BatchRun> runs_;  ///< within bytes_
  std::atomic<size_t>& total_;
};

}  // namespace strut

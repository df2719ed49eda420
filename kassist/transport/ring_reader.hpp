// A BPF ring buffer as user space sees it: many records at one go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace strut {

/// Reads a BPF_MAP_TYPE_RINGBUF. libbpf's reader acknowledges each record, and each time the writers' CPUs lose their
/// cached copy of that word; this one acknowledges all present records at once.
///
/// Layout (kernel/bpf/ringbuf.c, Documentation/bpf/ringbuf.rst): a page that begins with the consumer's position, one
/// that begins with the producer's, then the bytes, mapped twice in a row, so that no record is in two pieces. A record
/// follows a header of 8 bytes: its length with two flags, and a place. Both are padded to 8.
///
/// The bytes are mapped as they come to be read: all of a large ring at once would take milliseconds at start-up.
class RingReader {
 public:
  /// `ring`: the map's descriptor, which must outlive this. `bytes`: its size.
  static Result<RingReader> map(int ring, size_t bytes);
  RingReader(RingReader&& other) noexcept;
  RingReader& operator=(RingReader&&) = delete;
  ~RingReader();

  /// Finished records with their headers, in order, as one run of bytes of at most `most` and one record more; empty:
  /// none is finished. They stay until release(). None begins at or behind position `end_at`.
  std::span<const std::byte> peek(size_t most, uint64_t end_at = UINT64_MAX);
  /// Gives the space of that many bytes back, which peek() returned.
  void release(size_t bytes);
  /// Whether nothing is there, unfinished records included.
  bool empty() const;
  /// Bytes in use.
  size_t fill() const;
  /// Positions only grow: up to where records were begun, and read.
  uint64_t written() const;
  uint64_t read() const;

  size_t size() const { return size_; }

 private:
  RingReader() = default;
  bool reach(size_t from, size_t to);
  bool map_piece(size_t piece);

  size_t size_ = 0;
  size_t page_ = 0;
  int ring_ = -1;
  int piece_shift_ = 0;
  std::byte* consumer_ = nullptr;  ///< the page
  std::byte* producer_ = nullptr;  ///< the page, and after it the place of the data
  std::vector<bool> mapped_;       ///< by piece
};

/// Takes the records of a ring with records of one kind.
template <typename Record>
std::vector<Record> take_records(RingReader& ring) {
  constexpr size_t kHeaderBytes = 8,
                   kEach = kHeaderBytes + (sizeof(Record) + 7) / 8 * 8;  // BPF_RINGBUF_HDR_SZ of <linux/bpf.h>
  std::vector<Record> records;
  for (auto run = ring.peek(SIZE_MAX); !run.empty(); run = ring.peek(SIZE_MAX)) {
    for (auto rest = run; rest.size() >= kEach; rest = rest.subspan(kEach))
      std::memcpy(&records.emplace_back(), &rest[kHeaderBytes], sizeof(Record));
    ring.release(run.size());
  }
  return records;
}

}  // namespace strut

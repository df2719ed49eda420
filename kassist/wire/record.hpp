// Records as they came from the ring: a header, and a walk over its chunks.
#pragma once

#include <cstddef>
#include <span>

#include "base/ids.hpp"
#include "kassist/wire/wire.h"

namespace strut {

// The compiler of the kernel's programs lays these out by the same rules; the kernel's maps have these sizes.
static_assert(sizeof(wire_record) == 128 && sizeof(wire_chunk) == 16);
static_assert(sizeof(wire_record::regs) >= sizeof(wire_program), "no payload makes records longer");
static_assert(offsetof(wire_control, lone.mark) % 64 == 0 && offsetof(wire_control, marks) % 64 == 0);

/// One chunk and its content.
struct ChunkView {
  const wire_chunk* header;
  std::span<const std::byte> content;
};

/// One record in place. `bytes` was checked to be within the read bytes.
class RecordView {
 public:
  explicit RecordView(const wire_record* record) : record_(record) {}

  const wire_record& header() const { return *record_; }
  Tid tid() const { return Tid{static_cast<int32_t>(record_->tid)}; }
  Pid pid() const { return Pid{static_cast<int32_t>(record_->tgid)}; }

  /// Calls `visit(ChunkView)` for each chunk. Content that would go beyond the record ends the walk.
  template <typename Visit>
  void each_chunk(Visit visit) const {
    auto* start = reinterpret_cast<const std::byte*>(record_);
    for (size_t at = sizeof(wire_record); at + sizeof(wire_chunk) <= record_->bytes;) {
      auto* chunk = reinterpret_cast<const wire_chunk*>(start + at);
      size_t content = at + sizeof(wire_chunk);
      if (chunk->bytes > record_->bytes - content) return;
      visit(ChunkView{chunk, {start + content, chunk->bytes}});
      at = content + ((chunk->bytes + size_t{7}) & ~size_t{7});
    }
  }

 private:
  const wire_record* record_;
};

}  // namespace strut

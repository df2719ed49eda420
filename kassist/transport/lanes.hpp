// The lanes of a trace (wire.h): a ring for each CPU, which its programs write without asking the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/transport/batch.hpp"
#include "kassist/wire/wire.h"

namespace strut {

/// How many there are, and how large: an element of the map for each CPU that there may ever be.
struct LanesShape {
  uint32_t count;
  uint32_t bytes;  ///< for records in one: a power of two, a page at least
};
/// For a trace with a ring of this size. Error: the number of possible CPUs is unknown.
Result<LanesShape> lanes_for(uint32_t ring_bytes);
/// The map (BPF_MAP_TYPE_ARRAY). Error: the kernel's refusal.
Result<OwnedFd> create_lanes(LanesShape shape);

class Lanes {
 public:
  /// `map`: from create_lanes(); it need not stay open.
  static Result<Lanes> over(int map, LanesShape shape);
  Lanes(Lanes&& other) noexcept;
  Lanes& operator=(Lanes&&) = delete;
  ~Lanes();

  /// All that is there, the runs of a lane one after another, their source its number and one. They stay until
  /// release().
  std::vector<BatchRun> peek();
  /// Gives back the last result of peek().
  void release();
  /// Bytes in the fullest one.
  size_t fill() const;
  /// Bytes that each can hold.
  size_t size() const { return shape_.bytes; }

 private:
  explicit Lanes(LanesShape shape) : shape_(shape), peeked_(shape.count) {}
  wire_lane& lane(uint32_t index) const;

  LanesShape shape_;
  std::byte* first_ = nullptr;
  std::vector<uint64_t> peeked_;  ///< by lane: its head, at the last peek()
};

}  // namespace strut

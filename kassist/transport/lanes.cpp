#include "kassist/transport/lanes.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <string>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>

namespace strut {

namespace {

/// For the ring's bytes, all lanes together. A lane larger than a CPU's cache is of no use.
constexpr uint32_t kShareOfRing = 2;
constexpr uint32_t kSmallest = 64 << 10, kLargest = 256 << 10;

size_t stride_of(LanesShape shape) { return sizeof(wire_lane) + shape.bytes + WIRE_LANE_MOST; }

/// Where the record ends that goes on behind the lane's end, or that ends just there.
size_t end_of_run(const std::byte* records, size_t at, size_t lane_bytes) {
  while (at < lane_bytes) at += sizeof(uint64_t) + *reinterpret_cast<const uint32_t*>(records + at);
  return at;
}

uint64_t position(const wire_u64& word) {
  return std::atomic_ref(const_cast<wire_u64&>(word)).load(std::memory_order_acquire);
}

}  // namespace

Result<LanesShape> lanes_for(uint32_t ring_bytes) {
  int cpus = libbpf_num_possible_cpus();
  if (cpus < 0) return fail({-cpus, "count CPUs", {}, {}, {}});
  auto count = static_cast<uint32_t>(cpus);
  return LanesShape{count, std::clamp(std::bit_floor(ring_bytes / kShareOfRing / count), kSmallest, kLargest)};
}

Result<OwnedFd> create_lanes(LanesShape shape) {
  bpf_map_create_opts options{};
  options.sz = sizeof options;
  options.map_flags = BPF_F_MMAPABLE;
  OwnedFd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "lanes", sizeof(uint32_t), static_cast<uint32_t>(stride_of(shape)),
                             shape.count, &options));
  if (!map) return fail({-map.number(), "create rings for " + std::to_string(shape.count) + " CPUs", {}, {}, {}});
  return map;
}

Result<Lanes> Lanes::over(int map, LanesShape shape) {
  Lanes lanes(shape);
  void* at = ::mmap(nullptr, stride_of(shape) * shape.count, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
  if (at == MAP_FAILED) return fail({errno, "map the rings of CPUs", {}, {}, {}});
  lanes.first_ = static_cast<std::byte*>(at);
  return lanes;
}

Lanes::Lanes(Lanes&& other) noexcept : shape_(other.shape_), first_(other.first_), peeked_(std::move(other.peeked_)) {
  other.first_ = nullptr;
}

Lanes::~Lanes() {
  if (first_) ::munmap(first_, stride_of(shape_) * shape_.count);
}

wire_lane& Lanes::lane(uint32_t index) const {
  return *reinterpret_cast<wire_lane*>(first_ + index * stride_of(shape_));
}

/// A record that begins before the lane's end goes on behind it, so that the next one begins as far behind the lane's
/// start.
std::vector<BatchRun> Lanes::peek() {
  std::vector<BatchRun> runs;
  for (uint32_t i = 0; i < shape_.count; i++) {
    wire_lane& lane = this->lane(i);
    const auto* bytes = reinterpret_cast<const std::byte*>(&lane + 1);
    uint64_t at = lane.tail;
    peeked_[i] = position(lane.head);
    while (at != peeked_[i]) {
      size_t start = at & (shape_.bytes - 1), end = start + (peeked_[i] - at);
      if (end > shape_.bytes) end = end_of_run(bytes, start, shape_.bytes);
      runs.push_back({i + 1, {bytes + start, end - start}});
      at += end - start;
    }
  }
  return runs;
}

void Lanes::release() {
  for (uint32_t i = 0; i < shape_.count; i++)
    std::atomic_ref(lane(i).tail).store(peeked_[i], std::memory_order_release);
}

size_t Lanes::fill() const {
  size_t most = 0;
  for (uint32_t i = 0; i < shape_.count; i++) most = std::max<size_t>(most, position(lane(i).head) - lane(i).tail);
  return most;
}

}  // namespace strut

// Lanes as user space reads them: memory that a test writes as the programs do.
#include "kassist/transport/lanes.hpp"

#include <cstring>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace strut;

namespace {

constexpr LanesShape kShape{2, 4096};
constexpr size_t kStride = sizeof(wire_lane) + kShape.bytes + WIRE_LANE_MOST;

/// Memory in the place of the map.
struct Memory {
  OwnedFd file{::memfd_create("lanes", MFD_CLOEXEC)};
  std::byte* at = nullptr;

  Memory() {
    REQUIRE(::ftruncate(file.number(), kShape.count * kStride) == 0);
    at = static_cast<std::byte*>(
        ::mmap(nullptr, kShape.count * kStride, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0));
    REQUIRE(at != MAP_FAILED);
  }
  ~Memory() { ::munmap(at, kShape.count * kStride); }
  wire_lane& lane(uint32_t index) { return *reinterpret_cast<wire_lane*>(at + index * kStride); }

  void write(uint32_t index, uint32_t tid, uint32_t more_bytes = 0) {
    wire_record record{};
    record.tid = tid;
    record.bytes = static_cast<uint32_t>(sizeof record) + more_bytes;
    std::byte* place = reinterpret_cast<std::byte*>(&lane(index) + 1) + (lane(index).head & (kShape.bytes - 1));
    uint64_t length = record.bytes;
    std::memcpy(place, &length, sizeof length);
    std::memcpy(place + sizeof length, &record, sizeof record);
    lane(index).head += sizeof length + record.bytes;
  }
};

std::vector<uint32_t> tids_of(const std::vector<BatchRun>& runs) {
  static std::atomic<size_t> total;
  std::vector<uint32_t> tids;
  Batch(runs, total).each_and_source([&](const wire_record* record, uint32_t source) {
    tids.push_back(source * 1000 + record->tid);
  });
  return tids;
}

}  // namespace

TEST_CASE("lanes: the content of each is reported, until it is given back") {
  Memory memory;
  Lanes lanes = *Lanes::over(memory.file.number(), kShape);
  CHECK(lanes.peek().empty());
  memory.write(1, 5);
  memory.write(0, 6, 24);
  memory.write(1, 7);
  CHECK(tids_of(lanes.peek()) == std::vector<uint32_t>{1006, 2005, 2007});
  CHECK(lanes.fill() == 2 * (sizeof(uint64_t) + sizeof(wire_record)));
  memory.write(0, 8);  // not among the returned bytes
  lanes.release();
  CHECK(tids_of(lanes.peek()) == std::vector<uint32_t>{1008});
}

TEST_CASE("lanes: a record goes on behind the lane's end, and the next one begins as far behind its start") {
  Memory memory;
  Lanes lanes = *Lanes::over(memory.file.number(), kShape);
  uint32_t written = 0, read = 0;
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 3; i++) memory.write(0, written++, static_cast<uint32_t>(round * 8 % 1024));
    for (uint32_t tid : tids_of(lanes.peek())) CHECK(tid == 1000 + read++);
    lanes.release();
  }
  CHECK(read == written);
}

TEST_CASE("lanes: one that is filled to its end has nothing behind it") {
  Memory memory;
  Lanes lanes = *Lanes::over(memory.file.number(), kShape);
  constexpr uint32_t kRest = kShape.bytes / 4 - sizeof(uint64_t) - sizeof(wire_record);
  for (uint32_t i = 0; i < 4; i++) memory.write(0, i, kRest);
  CHECK(tids_of(lanes.peek()) == std::vector<uint32_t>{1000, 1001, 1002, 1003});
  lanes.release();
  memory.write(0, 4);
  CHECK(tids_of(lanes.peek()) == std::vector<uint32_t>{1004});
}

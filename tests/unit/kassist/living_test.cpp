#include "kassist/syscalls/living.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace strut;

namespace {

wire_record record(wire_kind kind, uint32_t tid) {
  wire_record record{};
  record.bytes = sizeof record;
  record.kind = static_cast<uint8_t>(kind);
  record.tid = tid;
  return record;
}

wire_record birth(uint32_t parent, uint64_t process, uint64_t thread) {
  wire_record made = record(WIRE_FORK, parent);
  made.birth = {process, thread};
  return made;
}

wire_record new_program(uint32_t tid, uint64_t former) {
  wire_record made = record(WIRE_EXEC, tid);
  made.program.former_thread = former;
  return made;
}

/// As the ring holds them: each behind a header with its length.
void come(Living& living, std::initializer_list<wire_record> records) {
  std::vector<std::byte> bytes;
  for (const wire_record& one : records) {
    uint64_t header = sizeof one;
    auto add = [&](const void* at, size_t size) {
      bytes.insert(bytes.end(), static_cast<const std::byte*>(at), static_cast<const std::byte*>(at) + size);
    };
    add(&header, sizeof header);
    add(&one, sizeof one);
  }
  std::atomic<size_t> total = 0;
  living.add(Batch(bytes, total));
}

}  // namespace

TEST_CASE("living: a family ends with its last thread") {
  Living living;
  living.add(Tid{10});
  CHECK_FALSE(living.empty());
  come(living, {birth(10, 11, 11), record(WIRE_THREAD_EXIT, 10)});
  CHECK_FALSE(living.empty());
  come(living, {record(WIRE_CALL, 11), record(WIRE_THREAD_EXIT, 11)});
  CHECK(living.empty());
}

TEST_CASE("living: a thread that executes a program takes its leader's id") {
  Living living;
  living.add(Tid{10});
  come(living, {birth(10, 10, 12), record(WIRE_THREAD_EXIT, 10), new_program(10, 12)});
  CHECK_FALSE(living.empty());
  come(living, {record(WIRE_THREAD_EXIT, 10)});
  CHECK(living.empty());
}

TEST_CASE("living: a thread with a lost birth lives from its first record on; a sender's record makes no thread") {
  Living living;
  come(living, {record(WIRE_GENERATED, 9)});
  CHECK(living.empty());
  come(living, {record(WIRE_CALL, 13)});
  CHECK_FALSE(living.empty());
}

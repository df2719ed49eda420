// The memory of a call's records: the chunk that serves a read, and missing bytes.
#include <doctest/doctest.h>

#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "kassist/transport/captured_memory.hpp"

namespace strut::test {
namespace {

/// A record with chunks, which stays where it is.
class Chunks {
 public:
  Chunks& add(uint8_t kind, uint64_t at, std::string_view content, uint32_t asked = 0) {
    wire_chunk chunk{};
    chunk.at = at;
    chunk.kind = kind;
    chunk.bytes = static_cast<uint16_t>(content.size());
    chunk.asked = asked ? asked : static_cast<uint32_t>(content.size());
    chunk.missed = asked > content.size();
    append(&chunk, sizeof chunk);
    append(content.data(), content.size());
    bytes_.resize((bytes_.size() + 7) & ~size_t{7});
    return *this;
  }
  void into(CapturedMemory& memory) {
    static std::deque<std::vector<uint64_t>> records;
    size_t bytes = sizeof(wire_record) + bytes_.size();
    auto* record = reinterpret_cast<wire_record*>(records.emplace_back(bytes / 8 + 1).data());
    record->bytes = static_cast<uint32_t>(bytes);
    std::memcpy(record + 1, bytes_.data(), bytes_.size());
    memory.add(RecordView(record), nullptr);
  }

 private:
  void append(const void* from, size_t count) {
    auto* bytes = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + count);
  }
  std::vector<char> bytes_;
};

std::string text_at(Memory& memory, uint64_t at, size_t bytes) {
  std::string text(bytes, '?');
  ReadOutcome outcome = memory.read(Addr{at}, std::as_writable_bytes(std::span(text)));
  return text.substr(0, outcome.bytes);
}

constexpr uint64_t kNowhere = 0x10;  // never mapped (vm.mmap_min_addr)

}  // namespace

TEST_CASE("captured memory: a read crosses chunks, whatever they were copied for") {
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  Chunks().add(WIRE_MEMORY, 0x1000, "abcd").add(WIRE_MEMORY, 0x1004, "efgh").into(memory);
  CHECK(text_at(memory, 0x1002, 4) == "cdef");
  CHECK(memory.late() == 0);
}

TEST_CASE("captured memory: results are seen when the call has returned, arguments as they were first") {
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  Chunks().add(WIRE_MEMORY, 0x1000, "old!").into(memory);
  Chunks().add(WIRE_MEMORY, 0x1000, "new?").add(WIRE_RESULTS, 0x1000, "new!").into(memory);
  CHECK(text_at(memory, 0x1000, 4) == "old!");
  memory.show_results();
  CHECK(text_at(memory, 0x1000, 4) == "new!");
  memory.begin();
  Chunks().add(WIRE_MEMORY, 0x1000, "next").into(memory);
  CHECK(text_at(memory, 0x1000, 4) == "next");
}

TEST_CASE("captured memory: strings end with their NUL") {
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  Chunks().add(WIRE_MEMORY, 0x1000, std::string_view("path\0", 5), 4096).into(memory);
  char text[64];
  ReadOutcome outcome = memory.read_string(Addr{0x1000}, text);
  CHECK(outcome.bytes == 5);
  CHECK(std::string_view(text) == "path");
  CHECK(memory.late() == 0);
}

TEST_CASE("captured memory: what no chunk has is read late, and counted") {
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  static const char kHere[] = "still here";
  CHECK(text_at(memory, reinterpret_cast<uint64_t>(kHere), 5) == "still");
  CHECK(memory.late() == 1);
}

TEST_CASE("captured memory: nothing mapped is no fault of ours, a process that is gone is") {
  CapturedMemory living(Tid{getpid()});
  char byte;
  ReadOutcome outcome = living.read(Addr{kNowhere}, std::as_writable_bytes(std::span(&byte, 1)));
  CHECK(outcome.bytes == 0);
  CHECK_FALSE(outcome.unseen);
  CHECK(living.late() == 0);
  CapturedMemory gone(Tid{0x7ffffff0});
  outcome = gone.read(Addr{kNowhere}, std::as_writable_bytes(std::span(&byte, 1)));
  CHECK(outcome.unseen);
}

TEST_CASE("captured memory: EFAULT says that a missed chunk was a bad pointer") {
  static const char kHere[] = "mapped since";
  auto at = reinterpret_cast<uint64_t>(kHere);
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  Chunks().add(WIRE_MEMORY, at, "", 12).into(memory);
  memory.settle(CapturedMemory::Missed::Faulted);
  CHECK(text_at(memory, at, 12).empty());
  CHECK(memory.late() == 0);
  memory.begin();
  memory.settle(CapturedMemory::Missed::Replaced);
  char byte;
  CHECK(memory.read(Addr{at}, std::as_writable_bytes(std::span(&byte, 1))).unseen);
}

TEST_CASE("captured memory: the leading part of what ends with a page") {
  CapturedMemory memory(Tid{getpid()});
  memory.begin();
  Chunks().add(WIRE_MEMORY, kNowhere, "head", 16).into(memory);
  CHECK(text_at(memory, kNowhere, 16) == "head");
}

}  // namespace strut::test

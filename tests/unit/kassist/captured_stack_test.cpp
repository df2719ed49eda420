// The stack of an event's record: reads from its chunks, and missing bytes.
#include "kassist/transport/captured_stack.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace strut::test {
namespace {

constexpr uint64_t kSp = 0x7000, kEnd = 0x9000;

/// A record with registers and pieces of a stack.
class StackRecord {
 public:
  explicit StackRecord(bool goes_on) {
    wire_registers registers{};
    registers.numbered[7] = kSp;
    registers.numbered[16] = 0x1234;
    add(WIRE_REGISTERS, kEnd, {reinterpret_cast<const char*>(&registers), sizeof registers}, goes_on);
  }
  StackRecord& piece(uint64_t at, std::string_view content) { return add(WIRE_STACK, at, content, false); }
  /// The stack that a handler interrupted.
  StackRecord& interrupted(uint64_t sp, uint64_t end) {
    return add(WIRE_INTERRUPTED, end, {reinterpret_cast<const char*>(&sp), sizeof sp}, false);
  }
  std::optional<CapturedStack> stack() {
    words_.resize((sizeof(wire_record) + bytes_.size()) / 8 + 1);
    auto* record = reinterpret_cast<wire_record*>(words_.data());
    record->bytes = static_cast<uint32_t>(sizeof(wire_record) + bytes_.size());
    std::memcpy(record + 1, bytes_.data(), bytes_.size());
    return CapturedStack::of({0, RecordView(record), nullptr, {}});
  }

 private:
  StackRecord& add(uint8_t kind, uint64_t at, std::string_view content, bool missed) {
    wire_chunk chunk{};
    chunk.at = at;
    chunk.kind = kind;
    chunk.missed = missed;
    chunk.bytes = static_cast<uint16_t>(content.size());
    bytes_.append(reinterpret_cast<const char*>(&chunk), sizeof chunk).append(content);
    bytes_.resize((bytes_.size() + 7) & ~size_t{7});
    return *this;
  }
  std::string bytes_;
  std::vector<uint64_t> words_;
};

std::string text_at(CapturedStack& stack, uint64_t at, size_t bytes) {
  std::string text(bytes, '?');
  return text.substr(0, stack.read(Addr{at}, std::as_writable_bytes(std::span(text))).bytes);
}

}  // namespace

TEST_CASE("captured stack: registers, and a read across its pieces") {
  StackRecord record(false);
  auto stack = record.piece(kSp, "abcdefgh").piece(kSp + 8, "ijklmnop").stack();
  REQUIRE(stack);
  CHECK(stack->registers()[7] == kSp);
  CHECK(stack->registers()[16] == 0x1234);
  CHECK(text_at(*stack, kSp + 4, 8) == "efghijkl");
  CHECK(text_at(*stack, kSp + 12, 100) == "mnop");
  CHECK_FALSE(StackRecord(false).stack()->fell_short());
}

TEST_CASE("captured stack: it fell short where something of the stack was wanted, and nowhere else") {
  StackRecord record(false), longer(true);
  auto stack = record.piece(kSp, "abcdefgh").piece(kSp + 0x1000, "ijklmnop").stack();
  CHECK(text_at(*stack, kSp - 64, 8).empty());
  CHECK(text_at(*stack, kEnd + 64, 8).empty());
  CHECK_FALSE(stack->fell_short());
  CHECK(text_at(*stack, kSp + 64, 8).empty());  // a page that was not present
  CHECK(stack->fell_short());
  auto cut = longer.piece(kSp, "abcdefgh").stack();
  CHECK(text_at(*cut, kEnd + 64, 8).empty());
  CHECK(cut->fell_short());
}

TEST_CASE("captured stack: beside an alternate stack there is the one that was interrupted, above it or below") {
  StackRecord record(false);
  auto stack = record.piece(kSp, "abcdefgh").interrupted(0x1000, 0x1800).piece(0x1000, "ABCDEFGH").stack();
  REQUIRE(stack);
  CHECK(stack->registers()[7] == kSp);
  CHECK(text_at(*stack, kSp, 8) == "abcdefgh");
  CHECK(text_at(*stack, 0x1000, 8) == "ABCDEFGH");
  CHECK(text_at(*stack, 0x1800, 8).empty());
  CHECK_FALSE(stack->fell_short());
  CHECK(text_at(*stack, 0x1400, 8).empty());
  CHECK(stack->fell_short());
}

TEST_CASE("captured stack: a record without registers has none") {
  wire_record record{};
  record.bytes = sizeof record;
  CHECK_FALSE(CapturedStack::of({0, RecordView(&record), nullptr, {}}));
}

}  // namespace strut::test

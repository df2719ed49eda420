#include "ustack/cfi_row.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/scripted_memory.hpp"
#include "ustack/dwarf_expression.hpp"
#include "ustack/stack_words.hpp"

using namespace strut;
using namespace strut::test;

namespace {

constexpr uint64_t kFramesAt = 0x2000, kCode = 0x1000;

/// An .eh_frame put together by hand.
class Frames {
 public:
  Frames& bytes(std::string_view text) {
    bytes_.append(text);
    return *this;
  }
  template <typename Number>
  Frames& number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  /// A common entry: "zR" (or as said) with pc-relative 32-bit pointers, RA in 16, CFA = rsp + 8, RA at CFA - 8.
  Frames& common(std::string_view letters = "zR") {
    Frames entry;
    entry.number<uint32_t>(0).number<uint8_t>(1).bytes(letters).bytes({"\0", 1}).bytes("\x01\x78\x10");
    entry.bytes("\x01\x1b");              // augmentation: one byte, the encoding
    entry.bytes("\x0c\x07\x08\x90\x01");  // def_cfa rsp 8, offset r16 1
    return number(static_cast<uint32_t>(entry.bytes_.size())).bytes(entry.bytes_);
  }
  /// An entry for [start, start + length) of the common entry at the beginning.
  Frames& entry(uint64_t start, uint32_t length, std::string_view instructions) {
    uint32_t here = static_cast<uint32_t>(bytes_.size()) + 4;
    number(static_cast<uint32_t>(4 + 8 + 1 + instructions.size())).number(here);
    number(static_cast<int32_t>(start - (kFramesAt + bytes_.size()))).number(length).bytes({"\0", 1});
    return bytes(instructions);
  }
  std::span<const std::byte> view() const { return std::as_bytes(std::span(bytes_)); }

 private:
  std::string bytes_;
};

/// push rbp at +0, mov rbp,rsp at +1: what gcc writes of a function with a frame pointer, its `leave; ret` at +0x20.
constexpr std::string_view kFramed("\x41\x0e\x10\x86\x02\x43\x0d\x06\x5c\x0c\x07\x08", 12);

CfiSection section_of(const Frames& frames) { return CfiSection(frames.view(), kFramesAt, {}, 0); }

std::optional<uint64_t> value_of(std::string_view expression, std::optional<uint64_t> initial = std::nullopt) {
  ScriptedMemory memory;
  StackWords words(memory);
  UserRegisters registers{};
  registers[kStackPointer] = 0x7000;
  return evaluate(std::as_bytes(std::span(expression)), initial, registers, words);
}

}  // namespace

TEST_CASE("cfi: the row of an address by the instructions up to it") {
  Frames frames;
  frames.common().entry(kCode, 0x21, kFramed);
  CfiSection section = section_of(frames);
  auto entry = section.find(kCode);
  REQUIRE(entry);
  CHECK(entry->end == kCode + 0x21);
  auto first = cfi_row(*entry, kCode), pushed = cfi_row(*entry, kCode + 1), framed = cfi_row(*entry, kCode + 4),
       last = cfi_row(*entry, kCode + 0x20);
  REQUIRE((first && pushed && framed && last));
  CHECK((first->cfa_register == kStackPointer && first->cfa_offset == 8));
  CHECK((pushed->cfa_register == kStackPointer && pushed->cfa_offset == 16));
  CHECK((framed->cfa_register == kFramePointer && framed->cfa_offset == 16));
  CHECK((framed->rules[kFramePointer].by == CfiRule::By::Saved && framed->rules[kFramePointer].offset == -16));
  CHECK(framed->rules[kInstructionPointer].offset == -8);
  CHECK((last->cfa_register == kStackPointer && last->cfa_offset == 8));
}

TEST_CASE("cfi: outside of all entries there is none") {
  Frames frames;
  frames.common().entry(kCode, 0x10, "").entry(kCode + 0x20, 0x10, "");
  CfiSection section = section_of(frames);
  CHECK_FALSE(section.find(kCode - 1));
  CHECK_FALSE(section.find(kCode + 0x10));
  CHECK(section.find(kCode + 0x2f));
  CHECK_FALSE(section.find(kCode + 0x30));
}

TEST_CASE("cfi: the search table finds what the list finds") {
  Frames frames;
  frames.common();
  size_t first = frames.view().size();
  frames.entry(kCode, 0x10, "");
  size_t second = frames.view().size();
  frames.entry(kCode + 0x20, 0x10, "\x0e\x20");
  constexpr uint64_t kHeaderAt = 0x4000;
  Frames header;
  header.bytes("\x01\x1b\x03\x3b").number<int32_t>(0).number<uint32_t>(2);
  auto relative = [](uint64_t address) { return static_cast<int32_t>(address - kHeaderAt); };
  header.number(relative(kCode)).number(relative(kFramesAt + first));
  header.number(relative(kCode + 0x20)).number(relative(kFramesAt + second));
  CfiSection section(frames.view(), kFramesAt, header.view(), kHeaderAt);
  auto found = section.find(kCode + 0x25);
  REQUIRE(found);
  CHECK(found->start == kCode + 0x20);
  CHECK(cfi_row(*found, kCode + 0x25)->cfa_offset == 32);
  CHECK_FALSE(section.find(kCode + 0x18));
  CHECK_FALSE(section.find(kCode - 1));
}

TEST_CASE("cfi: signal frames, and an augmentation that nobody knows") {
  Frames signal, strange;
  signal.common("zRS").entry(kCode, 0x10, "");
  strange.common("xR").entry(kCode, 0x10, "");
  REQUIRE(section_of(signal).find(kCode));
  CHECK(section_of(signal).find(kCode)->signal_frame);
  CHECK_FALSE(section_of(strange).find(kCode));
}

TEST_CASE("cfi: remembered rows come back, unknown instructions have no row") {
  Frames frames;
  frames.common().entry(kCode, 0x10, "\x0a\x0e\x40\x41\x0b").entry(kCode + 0x10, 0x10, "\x3f");
  CfiSection section = section_of(frames);
  CHECK(cfi_row(*section.find(kCode), kCode)->cfa_offset == 64);
  CHECK(cfi_row(*section.find(kCode + 1), kCode + 1)->cfa_offset == 8);
  CHECK_FALSE(cfi_row(*section.find(kCode + 0x10), kCode + 0x10));
}

TEST_CASE("cfi: every cut of a section is survived, and none invents an entry elsewhere") {
  Frames frames;
  frames.common().entry(kCode, 0x21, kFramed);
  for (size_t length = 0; length < frames.view().size(); length++) {
    CfiSection section(frames.view().first(length), kFramesAt, {}, 0);
    CHECK_FALSE(section.find(kCode));
  }
}

TEST_CASE("dwarf expressions: of procedure linkage tables, and ones that fail") {
  // rsp + 8 + ((rip & 15) >= 11) * 8, as the linker writes it; rip is 0 here.
  CHECK(value_of({"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", 11}) == 0x7008);
  CHECK(value_of("\x23\x05", 2) == 7);
  CHECK(value_of("\x31\x32\x16\x1c") == 1);
  CHECK_FALSE(value_of("\x22"));
  CHECK_FALSE(value_of({"\x31\x30\x1b", 3}));
  CHECK_FALSE(value_of("\x2f\xfd\xff"));
  CHECK_FALSE(value_of(""));
}

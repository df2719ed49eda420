#include "symtab/dwarf/call_frames.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/scripted_memory.hpp"
#include "tests/unit/symtab/frame_file.hpp"
#include "ustack/frame_evaluation.hpp"
#include "ustack/stack_words.hpp"

using namespace strut;
using namespace strut::test;

namespace {

constexpr uint64_t kFramesAt = FrameFile::kFrames, kHeaderAt = FrameFile::kHeader, kCode = FrameFile::kCode;
constexpr uint8_t kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;

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
  const std::string& text() const { return bytes_; }

 private:
  std::string bytes_;
};

/// push rbp at +0, mov rbp,rsp at +1: gcc's description of a function with a frame pointer, its `leave; ret` at +0x20.
constexpr std::string_view kFramed("\x41\x0e\x10\x86\x02\x43\x0d\x06\x5c\x0c\x07\x08", 12);

/// The file that has them, and the results of reading it.
class Described {
 public:
  explicit Described(const Frames& frames, std::string_view header = "", uint16_t machine = EM_X86_64)
      : file_(*ElfFile::over(FrameFile(frames.text(), header, machine).bytes(), "made by a test")), frames_(file_) {}
  std::optional<CallerRules> at(uint64_t address) const { return frames_.at(address); }

 private:
  ElfFile file_;
  CallFrames frames_;
};

const CallerRule* rule_of(const CallerRules& rules, uint8_t number) {
  for (const CallerRules::Change& change : rules.changes)
    if (change.number == number) return &change.rule;
  return nullptr;
}

/// "rsp+16 rbp@-16 ra@-8": the CFA, and the places of values in memory.
std::string text_of(const std::optional<CallerRules>& rules) {
  if (!rules) return "none";
  auto name = [](uint8_t number) -> std::string {
    return number == kFramePointer    ? "rbp"
           : number == kStackPointer  ? "rsp"
           : number == kReturnAddress ? "ra"
                                      : "r" + std::to_string(number);
  };
  std::string text = name(rules->cfa_register) + "+" + std::to_string(rules->cfa_offset);
  for (const CallerRules::Change& change : rules->changes)
    text += " " + name(change.number) +
            (change.rule.by == CallerRule::By::Saved ? "@" + std::to_string(change.rule.offset) : "?");
  return text;
}

/// libdw's reading of the bytes as the CFA's expression, run where rsp is 0x7000.
std::optional<uint64_t> value_of(std::string_view expression) {
  Frames frames;
  std::string instructions = "\x0f" + std::string(1, static_cast<char>(expression.size())) + std::string(expression);
  frames.common().entry(kCode, 0x10, instructions);
  auto rules = Described(frames).at(kCode);
  if (!rules || rules->cfa_expression.empty()) return std::nullopt;
  ScriptedMemory memory;
  StackWords words(memory);
  UserRegisters registers{};
  registers[kStackPointer] = 0x7000;
  return evaluate(rules->cfa_expression, {kAbiX86_64, registers}, words);
}

/// .eh_frame_hdr of these entries: where their code begins, and where they lie in .eh_frame.
std::string search_table(std::initializer_list<std::pair<uint64_t, uint64_t>> entries) {
  Frames header;
  header.bytes("\x01\x1b\x03\x3b").number(static_cast<int32_t>(kFramesAt - (kHeaderAt + 4)));
  header.number(static_cast<uint32_t>(entries.size()));
  for (auto [code, offset] : entries)
    header.number(static_cast<int32_t>(code - kHeaderAt)).number(static_cast<int32_t>(kFramesAt + offset - kHeaderAt));
  return header.text();
}

}  // namespace

TEST_CASE("call frames: the row of an address by the instructions up to it") {
  Frames frames;
  frames.common().entry(kCode, 0x21, kFramed);
  Described described(frames);
  CHECK(text_of(described.at(kCode)) == "rsp+8 ra@-8");
  CHECK(text_of(described.at(kCode + 1)) == "rsp+16 rbp@-16 ra@-8");
  CHECK(text_of(described.at(kCode + 4)) == "rbp+16 rbp@-16 ra@-8");
  CHECK(text_of(described.at(kCode + 0x20)) == "rsp+8 rbp@-16 ra@-8");
}

TEST_CASE("call frames: outside of all entries there is none") {
  Frames frames;
  frames.common().entry(kCode, 0x10, "").entry(kCode + 0x20, 0x10, "");
  Described described(frames);
  CHECK_FALSE(described.at(kCode - 1));
  CHECK_FALSE(described.at(kCode + 0x10));
  CHECK(described.at(kCode + 0x2f));
  CHECK_FALSE(described.at(kCode + 0x30));
}

TEST_CASE("call frames: by the search table, too") {
  Frames frames;
  frames.common();
  size_t first = frames.text().size();
  frames.entry(kCode, 0x10, "");
  size_t second = frames.text().size();
  frames.entry(kCode + 0x20, 0x10, "\x0e\x20");
  Described described(frames, search_table({{kCode, first}, {kCode + 0x20, second}}));
  CHECK(text_of(described.at(kCode + 0x25)) == "rsp+32 ra@-8");
  CHECK_FALSE(described.at(kCode + 0x18));
  CHECK_FALSE(described.at(kCode - 1));
}

TEST_CASE("call frames: a search table that leads into an entry is not followed") {
  Frames frames;
  frames.common();
  size_t first = frames.text().size();
  frames.entry(kCode, 0x10, "");
  CHECK(Described(frames, search_table({{kCode, first}})).at(kCode));
  CHECK_FALSE(Described(frames, search_table({{kCode, first + 4}})).at(kCode));
}

TEST_CASE("call frames: absurd registers and rows without end are refused before libdw keeps room for them") {
  auto is_read = [](std::string_view instructions) {
    Frames frames;
    frames.common().entry(kCode, 0x10, instructions);
    return Described(frames).at(kCode).has_value();
  };
  CHECK(is_read({"\x05\x7f\x01", 3}));                        // offset_extended r127
  CHECK_FALSE(is_read({"\x05\xff\xff\xff\x7f\x01", 6}));      // r268435455: 2 GB
  CHECK_FALSE(is_read({"\x40\x08\xff\xff\xff\x7f", 6}));      // same_value of it, behind an advance
  CHECK_FALSE(is_read({"\x09\x01\xff\xff\xff\x7f", 6}));      // register r1 is it
  CHECK_FALSE(is_read({"\x10\xff\xff\xff\x7f\x01\x30", 7}));  // the expression
  CHECK(is_read(std::string(200, '\x0a')));
  CHECK_FALSE(is_read(std::string(1000, '\x0a')));
}

TEST_CASE("call frames: signal frames, and an augmentation that is not known") {
  Frames signal, strange;
  signal.common("zRS").entry(kCode, 0x10, "");
  strange.common("xR").entry(kCode, 0x10, "");
  auto rules = Described(signal).at(kCode);
  REQUIRE(rules);
  CHECK(rules->signal_frame);
  CHECK_FALSE(Described(strange).at(kCode));
}

TEST_CASE("call frames: remembered rows come back, unknown instructions have no row") {
  Frames frames;
  frames.common().entry(kCode, 0x10, "\x0a\x0e\x40\x41\x0b").entry(kCode + 0x10, 0x10, "\x3f");
  Described described(frames);
  CHECK(text_of(described.at(kCode)) == "rsp+64 ra@-8");
  CHECK(text_of(described.at(kCode + 1)) == "rsp+8 ra@-8");
  CHECK_FALSE(described.at(kCode + 0x10));
}

TEST_CASE("call frames: an undefined return address ends the stack, other registers keep their values") {
  Frames frames;
  frames.common().entry(kCode, 0x10, {"\x07\x10\x07\x03", 4});
  auto rules = Described(frames).at(kCode);
  REQUIRE(rules);
  CHECK(rules->outermost);
  CHECK(rule_of(*rules, 3) == nullptr);
}

TEST_CASE("call frames: of another machine nothing is known") {
  Frames frames;
  frames.common().entry(kCode, 0x10, "");
  CHECK_FALSE(Described(frames, "", EM_AARCH64).at(kCode));
}

TEST_CASE("call frames: every cut of a section is survived, and none invents an entry elsewhere") {
  Frames frames;
  frames.common().entry(kCode, 0x21, kFramed);
  for (size_t length = 0; length < frames.text().size(); length++) {
    Frames cut;
    cut.bytes(std::string_view(frames.text()).substr(0, length));
    CHECK_FALSE(Described(cut).at(kCode));
  }
}

TEST_CASE("frame expressions: of procedure linkage tables, and ones that fail") {
  // rsp + 8 + ((rip & 15) >= 11) * 8, as the linker writes it; rip is 0 here.
  CHECK(value_of({"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", 11}) == 0x7008);
  CHECK(value_of({"\x31\x32\x16\x1c", 4}) == 1);
  CHECK(value_of({"\x31\x32\x33\x17\x1c\x22", 6}) == 2);  // 1 2 3 rot: 3 1 2, minus, plus
  CHECK(value_of({"\x30\x28\x01\x00\x39\x35", 6}) == 5);  // bra is not taken
  CHECK(value_of({"\x38\x31\x28\x01\x00\x39", 6}) == 8);  // bra is taken
  CHECK_FALSE(value_of({"\x22", 1}));
  CHECK_FALSE(value_of({"\x31\x30\x1b", 3}));
  CHECK_FALSE(value_of({"\x31\x2f\xfd\xff", 4}));
}

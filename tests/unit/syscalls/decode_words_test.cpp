// Words of the notation beyond scalars, structures and arrays.
#include <doctest/doctest.h>

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/compared.hpp"
#include "syscalls/types/common/counted_text.hpp"
#include "syscalls/types/common/shown_bytes.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kNothing = row("nothing", kNone, kUnsignedResult);

/// A Decoder outside any phase.
struct WordScene : DecodeScene {
  WordScene(std::initializer_list<uint64_t> regs = {}) : DecodeScene(kNothing, regs) {}
  Decoder decoder() { return Decoder(call, {memory, around, options}, Phase::Enter, decoded); }
  std::string scalar(const Type& type, uint64_t bits) { return show(decoder().scalar(type, bits)); }
  std::string object(const Type& type, uint64_t at = 0x1000) { return show(decoder().object(type, Addr{at})); }
};

constexpr Constant kColourNames[] = {{1, "RED"}, {2, "BLUE"}};
constexpr Constant kFlagNames[] = {{0x10, "DARK"}, {0x20, "DIM"}};
constinit const ConstantSet kColours = enumeration("COLOUR_???", kColourNames);
constinit const ConstantSet kFlags = flag_set("FLAG_???", kFlagNames);
constexpr Type kColour = named(kColours), kFlag = named(kFlags);

Value show_first(Decoder& decoder, std::string_view bytes) { return decoder.text(bytes.substr(0, 1)); }

}  // namespace

TEST_CASE("word: parts of a number, each of a type of its own") {
  constexpr static WordPart kParts[] = {part(0xf, kColour), part_if_any(0xf0, kFlag)};
  constexpr static WordLayout kLayout = {.parts = kParts, .one_is_plain = true};
  WordScene scene;
  CHECK(scene.scalar(word(kLayout), 1) == "RED");
  CHECK(scene.scalar(word(kLayout), 0x22) == "BLUE|DIM");
  constexpr static WordLayout kForm = {.parts = kParts, .form = "PAINT"};
  CHECK(scene.scalar(word(kForm), 0x11) == "PAINT(RED, DARK)");
  CHECK(scene.scalar(bit_field<4, 2>(), 0x35) == "3");
}

TEST_CASE("word: a part that only has a place where it has a name leaves its bits to the others") {
  constexpr static WordPart kNamedOnly = {0xf00, &kColour, WordPart::When::IfNamed, 8};
  constexpr static WordPart kParts[] = {kNamedOnly, part(0xffff, kHex32)};
  constexpr static WordLayout kLayout = {.parts = kParts};
  WordScene scene;
  CHECK(scene.scalar(word(kLayout), 0x201) == "BLUE|0x1");
  CHECK(scene.scalar(word(kLayout), 0x501) == "0x501");
}

TEST_CASE("word: a part that is zero is shown where it is alone") {
  constexpr static WordPart kParts[] = {part_if_any(0xf0, kFlag), part_or_alone(0xf, kUInt)};
  constexpr static WordLayout kLayout = {.parts = kParts, .one_is_plain = true};
  WordScene scene;
  CHECK(scene.scalar(word(kLayout), 0x13) == "DARK|3");
  CHECK(scene.scalar(word(kLayout), 0x10) == "DARK");
  CHECK(scene.scalar(word(kLayout), 0) == "0");
}

TEST_CASE("numbers with a name as a remark, and scalars without brackets") {
  constexpr static Type kPlain = unboxed(kUInt);
  WordScene scene;
  Value two = scene.decoder().scalar(numbered(kColour), 2);
  REQUIRE(std::holds_alternative<Named>(two.is));
  CHECK(std::get<Named>(two.is).set->unknown == std::string_view("BLUE"));
  CHECK(scene.scalar(remarked_with(kColours, kInt), 1) == "1 /* RED */");
  CHECK(scene.scalar(remarked_with(kColours, kInt), 9) == "9 /* COLOUR_??? */");
  scene.memory.put_object(0x1000, uint32_t{7});
  CHECK(scene.scalar(pointer_to(kUInt), 0x1000) == "box[7]");
  CHECK(scene.scalar(pointer_to(kPlain), 0x1000) == "7");
}

TEST_CASE("either: by an argument, a word of the structure, the number itself") {
  constexpr static Type kByArgument = kEither<int_arg_is<1, 7>, kFlag, kUInt>;
  WordScene seven({0, 7}), other({0, 8});
  CHECK(seven.scalar(kByArgument, 0x10) == "DARK");
  CHECK(other.scalar(kByArgument, 0x10) == "16");
  CHECK(other.scalar(kEither<int_is<16>, kFlag, kUInt>, 16) == "DARK");

  constexpr static FieldType kFields[] = {field("what", kUInt), field("is", kEither<word_is<0, 7>, kFlag, kUInt>),
                                          field("more", kUInt, not_zero<8, 4>)};
  constexpr static StructLayout kLayout = {"either", kFields};
  other.memory.put_object(0x1000, std::array<uint32_t, 3>{7, 16, 0});
  CHECK(other.object(structure(kLayout)) == "{what=7, is=DARK}");
  other.memory.put_object(0x1000, std::array<uint32_t, 3>{8, 16, 1});
  CHECK(other.object(structure(kLayout)) == "{what=8, is=16, more=1}");
}

TEST_CASE("counted: by a member, in its room or behind the structure") {
  constexpr static FieldType kFields[] = {field("count", kUInt), field("of", counted(kU8, by_field_in(0, 4))),
                                          field("behind", counted(kUInt, cut_at(1, by_field(0))))};
  constexpr static StructLayout kLayout = {"counted", kFields};
  static_assert(size_of(kLayout, Abi::X86_64) == 8);
  WordScene scene;
  scene.memory.put_object(0x1000, std::array<uint32_t, 4>{2, 0x04030201, 5, 6});
  CHECK(scene.object(structure(kLayout)) == "{count=2, of=[1, 2], behind=[5, ...]}");
  scene.memory.put_object(0x1000, std::array<uint32_t, 4>{9, 0x04030201, 5, 6});
  CHECK(scene.object(structure(kLayout)) == "{count=9, of=[1, 2, 3, 4], behind=[5, ...]}");
}

TEST_CASE("counted: twice as many and one, or by bytes") {
  constexpr static FieldType kFields[] = {field("count", kUInt), field("pairs", counted(kU8, times(2, by_field(0), 1))),
                                          at(4, field("words", counted(kU16, in_bytes(by_field(0), 2))))};
  constexpr static StructLayout kLayout = {"counted", kFields};
  WordScene scene;
  scene.memory.put_object(0x1000, std::array<uint32_t, 3>{2, 0x04030201, 5});
  CHECK(scene.object(structure(kLayout)) == "{count=2, pairs=[1, 2, 3, 4, 5], words=[513]}");
}

TEST_CASE("extensible: a structure of the caller's size, with the bytes behind its known part") {
  constexpr static FieldType kFields[] = {field("a", kUInt), field("b", kUInt)};
  constexpr static StructLayout kLayout = {"grows", kFields};
  constexpr static Type kGrows = extensible(kLayout, by_arg(2), 4, 16);
  auto of_size = [](uint64_t size) {
    WordScene scene({0, 0, size});
    scene.memory.put_object(0x1000, std::array<uint32_t, 4>{1, 2, 0, 0});
    return scene.object(kGrows);
  };
  CHECK(of_size(3) == "0x1000");
  CHECK(of_size(4) == "{a=1, ...}");
  CHECK(of_size(16) == "{a=1, b=2}");
  CHECK(of_size(17) == "0x1000");
}

TEST_CASE("bit_set: the numbers of set bits, of a set with names the first") {
  WordScene scene({0, 2});
  scene.memory.put(0x1000, std::string_view("\x05\x80", 2));
  CHECK(scene.object(bit_set(kUInt, at_most(1024, by_arg(1)))) == "[0, 2, 15]");
  CHECK(scene.object(bit_set(kUInt, at_most(8, by_arg(1)))) == "[0, 2, ...]");

  constexpr static Constant kBitNames[] = {{0, "A"}, {1, "B"}, {2, "C"}, {3, "D"}, {4, "E"}};
  constexpr static ConstantSet kBits = enumeration("BIT_???", kBitNames);
  constexpr static Type kBit = named(kBits);
  scene.memory.put(0x1000, std::string_view("\x1f\0", 2));
  CHECK(scene.object(bit_set(kBit, at_most(16, by_arg(1)))) == "[A, B, C, D, ...]");
  scene.options.abbreviate = SyscallSet{};
  CHECK(scene.object(bit_set(kBit, at_most(16, by_arg(1)))) == "[A, B, C, D, E]");
  CHECK(WordScene({0, 0}).object(bit_set(kBit, at_most(16, by_arg(1)))) == "0x1000");
}

TEST_CASE("members: as a list, or by index") {
  constexpr static FieldType kFields[] = {field("FIRST", kU8), field("SECOND", kU8)};
  constexpr static StructLayout kLayout = {"pair", kFields};
  WordScene scene;
  scene.memory.put(0x1000, std::string_view("\3\4", 2));
  CHECK(scene.object(listed(kLayout)) == "[3, 4]");
  CHECK(scene.object(indexed(kLayout)) == "[{FIRST=3}, {SECOND=4}]");
}

TEST_CASE("whole: all of an array or of bytes, or nothing, whatever -s says") {
  WordScene scene;
  scene.options.max_string_bytes = 1;
  scene.memory.put(0x1000, std::string_view("\3\4ab", 4));
  CHECK(scene.object(whole(array_of(kU8, 2))) == "[3, 4]");
  CHECK(scene.object(array_of(kU8, 2)) == "[3, ...]");
  CHECK(scene.object(whole(array_of(kU8, 5))) == "bad:0x1000");
  CHECK(scene.object(whole(bytes(fixed(2))), 0x1002) == "\"ab\"");
}

TEST_CASE("dated: the date is a remark behind the number") {
  WordScene scene;
  scene.memory.put_object(0x1000, uint64_t{86400});
  CHECK(scene.object(dated(kU64)).starts_with("86400 /* 1970-01-02T"));

  constexpr static FieldType kFields[] = {field("sec", kU64), field("nsec", kU64)};
  constexpr static StructLayout kLayout = {"pair", kFields};
  scene.memory.put_object(0x1000, std::array<uint64_t, 2>{86400, 5});
  CHECK(scene.object(dated(kU64, Dated::SecondsOfPair)).find(":00.000000005") != std::string::npos);
  std::string pair = scene.object(dated(structure(kLayout), Dated::Nanoseconds));
  CHECK(pair.starts_with("{sec=86400, nsec=5} /* 1970-01-02T"));
  CHECK(pair.find(":00.000000005") != std::string::npos);
}

TEST_CASE("dated: seconds of 32 bits count on where the kernel's do") {
  WordScene scene;
  scene.call.abi = Abi::I386;
  scene.memory.put_object(0x1000, int32_t{-2});
  CHECK(scene.object(dated(kInt, Dated::SecondsTo2106)).starts_with("-2 /* 2106-"));
  CHECK(scene.object(dated(kInt)).starts_with("-2 /* 19"));
}

TEST_CASE("a length of the result within an argument") {
  constexpr static SyscallDesc kGives =
      row("gives", kNone, kUnsignedResult, bytes_out("buffer", by_result_within(1)), ulong("room"));
  DecodeScene scene(kGives, {0x1000, 2});
  scene.memory.put(0x1000, std::string_view("abcd", 4));
  scene.enter();
  CHECK(scene.exit(4).find("\"ab\"") != std::string::npos);
}

TEST_CASE("an object that a function shows, all of it or nothing") {
  constexpr static Type kThree = kBytesShownBy<show_first, 3>;
  static_assert(size_of(kThree, Abi::X86_64) == 3 && align_of(kThree, Abi::X86_64) == 1);
  constexpr static FieldType kFields[] = {field("three", kThree), field("next", kU8)};
  constexpr static StructLayout kLayout = {"shown", kFields};
  WordScene scene;
  scene.memory.put(0x1000, std::string_view("abc\4", 4));
  CHECK(scene.object(structure(kLayout)) == "{three=\"a\", next=4}");
  CHECK(scene.scalar(pointer_to(kThree), 0x1001) == "\"b\"");
  CHECK(scene.object(kThree, 0x1002) == "bad:0x1002");
}

TEST_CASE("a text that ends where a number says, or before at its NUL") {
  constexpr static CountedText kText = {.room = 4, .length_in_front = 1, .width = Width::B1, .has_nul = false};
  constexpr static CountedText kEnded = {.room = 4, .length_in_front = 1, .width = Width::B1, .has_nul = true};
  constexpr static FieldType kFields[] = {field("len", kS8), field("text", kCountedText<kText>),
                                          at(1, field("ended", kCountedText<kEnded>))};
  constexpr static StructLayout kLayout = {"text", kFields};
  static_assert(size_of(kLayout, Abi::X86_64) == 5);
  auto of = [](std::string_view memory) {
    WordScene scene;
    scene.memory.put(0x1000, memory);
    return scene.object(structure(kLayout));
  };
  CHECK(of({"\2ab\0d", 5}) == "{len=2, text=\"ab\"..., ended=\"ab\"}");
  CHECK(of({"\2abcd", 5}) == "{len=2, text=\"ab\"..., ended=\"ab\"...}");
  CHECK(of({"\3a\0cd", 5}) == "{len=3, text=\"a\", ended=\"a\"}");
  CHECK(of({"\x20"
            "abcd",
            5}) == "{len=32, text=\"abc\"..., ended=\"abc\"...}");
  CHECK(of({"\0bcde", 5}) == "{len=0, text=\"\", ended=\"\"...}");
}

TEST_CASE("counted: a member below zero counts none") {
  constexpr static FieldType kFields[] = {field("count", kInt), field("of", counted(kU8, by_field_in(0, 4)))};
  constexpr static StructLayout kLayout = {"counted", kFields};
  WordScene scene;
  scene.memory.put_object(0x1000, std::array<int32_t, 2>{-1, 0x04030201});
  CHECK(scene.object(structure(kLayout)) == "{count=-1, of=[]}");
}

TEST_CASE("a string that is looked at no further than its reader does") {
  WordScene scene;
  scene.memory.put(0x1000, std::string_view("abcde", 6));
  CHECK(scene.scalar(pointer_to(kString, fixed(5)), 0x1000) == "\"abcde\"...");
  CHECK(scene.scalar(pointer_to(kString, fixed(6)), 0x1000) == "\"abcde\"");
  CHECK(scene.scalar(pointer_to(kString, at_most(4, fixed(5))), 0x1000) == "\"abcd\"...");
}

TEST_CASE("compared: a member as it was and as it is, though it did not change, or where it did") {
  constexpr static FieldType kAlways = field("always", kUInt), kChanged = field("changed", kUInt);
  constexpr static FieldType kFields[] = {field("id", kUInt), compared<kAlways>(),
                                          compared<kChanged, Compared::IfChanged>()};
  constexpr static StructLayout kLayout = {"compared", kFields};
  constexpr static Type kObject = structure(kLayout);
  constexpr static SyscallDesc kCompares = row("compares", kNone, kUnsignedResult, fd("fd"), uinteger("command"),
                                               remembered(even_on_failure(out("object", kObject))));
  auto text = [](std::array<uint32_t, 3> after, int error) {
    DecodeScene scene(kCompares, {0, 0, 0x1000});
    scene.memory.put_object(0x1000, std::array<uint32_t, 3>{1, 2, 3});
    scene.enter();
    scene.memory.put_object(0x1000, after);
    return error ? scene.fail(error) : scene.exit(0);
  };
  CHECK(text({1, 2, 3}, 0).find("{id=1, always=2 => 2, changed=3}") != std::string::npos);
  CHECK(text({1, 5, 6}, 0).find("{id=1, always=2 => 5, changed=3 => 6}") != std::string::npos);
  CHECK(text({1, 5, 6}, 22).find("{id=1, always=5, changed=6}") != std::string::npos);
}

}  // namespace strut::test

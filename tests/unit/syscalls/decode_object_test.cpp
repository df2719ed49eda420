// Decoder's objects in memory: strings, buffers, arrays, structures.
#include <doctest/doctest.h>

#include "syscalls/notation.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr FieldType kInnerFields[] = {field("x", kU8), field("y", kInt)};
constexpr StructLayout kInner{"inner", kInnerFields};
constexpr FieldType kOuterFields[] = {field("tag", kU16),
                                      field("inner", structure(kInner)),
                                      padding(kInt),
                                      field("wide", kU64),
                                      overlapping(field("low", kUInt)),
                                      field("only_if_7", kU8,
                                            [](Decoder& d, Addr at) {
                                              uint16_t tag = 0;
                                              return d.read(at, tag) && tag == 7;
                                            }),
                                      field("name", char_array(4))};
constexpr StructLayout kOuter{"outer", kOuterFields};

struct Outer {
  uint16_t tag;
  struct {
    uint8_t x;
    int32_t y;
  } inner;
  int32_t padding;
  uint64_t wide;
  uint8_t flag;
  char name[4];
};
static_assert(size_of(kOuter, Abi::X86_64) == sizeof(Outer));

constexpr SyscallDesc kNothing = row("nothing", kNone, kUnsignedResult);

/// A Decoder outside any phase.
struct ObjectScene : DecodeScene {
  ObjectScene(Abi abi = Abi::X86_64) : DecodeScene(kNothing, {}, abi) {}
  Decoder decoder() { return Decoder(call, {memory, around, options}, Phase::Enter, decoded); }
};

TEST_CASE("object: a structure is read at once and decoded by its layout") {
  ObjectScene scene;
  Outer outer{7, {1, -2}, 0, 0x100000002, 9, {'a', 'b', 0, 'c'}};
  scene.memory.put_object(0x1000, outer);
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000})) ==
        "{tag=7, inner={x=1, y=-2}, wide=4294967298, low=2, only_if_7=9, name=\"ab\"}");
  CHECK(scene.memory.reads == 1);
  outer.tag = 8;
  scene.memory.put_object(0x1000, outer);
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000})) ==
        "{tag=8, inner={x=1, y=-2}, wide=4294967298, low=2, name=\"ab\"}");
}

TEST_CASE("object: i386 aligns 64 bits to four bytes") {
  ObjectScene scene(Abi::I386);
  scene.memory.put(0x1000, std::string_view("\7\0\0\0"
                                            "\1\0\0\0\2\0\0\0"
                                            "\0\0\0\0"
                                            "\3\0\0\0\4\0\0\0"
                                            "\5"
                                            "ab\0\0\0\0\0",
                                            32));
  CHECK(size_of(kOuter, Abi::I386) == 32);
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000})) ==
        "{tag=7, inner={x=1, y=2}, wide=17179869187, low=3, only_if_7=5, name=\"ab\"}");
}

TEST_CASE("object: of a structure with a size given by the caller, the fields that fit are shown") {
  ObjectScene scene;
  scene.memory.put(0x1000, std::string_view("\7\0\0\0"
                                            "\1\0\0\0\2\0\0\0",
                                            12));
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000}, 12)) == "{tag=7, inner={x=1, y=2}, ...}");
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000}, 13)) == "bad:0x1000");
  CHECK(show(scene.decoder().structure(kOuter, Addr{0x1000})) == "bad:0x1000");
}

TEST_CASE("object: fields at given offsets and packed structures") {
  constexpr static FieldType kAt4[] = {field("a", kU8),
                                       [] {
                                         FieldType late = field("b", kU8);
                                         late.offset = 4;
                                         return late;
                                       }(),
                                       field("c", kUInt)};
  constexpr static StructLayout kLayout{"late", kAt4};
  constexpr static FieldType kPackedFields[] = {field("events", kUInt), field("data", kU64)};
  constexpr static StructLayout kPacked{"epoll_event", kPackedFields, true};
  ObjectScene scene;
  scene.memory.put(0x1000, std::string_view("\1\xff\xff\xff\2\xff\xff\xff\3\0\0\0", 12));
  CHECK(show(scene.decoder().structure(kLayout, Addr{0x1000})) == "{a=1, b=2, c=3}");
  CHECK(show(scene.decoder().structure(kPacked, Addr{0x1000})) == "{events=4294967041, data=17179868930}");
}

TEST_CASE("object: pointers in structures are followed, with lengths from other fields") {
  constexpr static FieldType kVectorFields[] = {field("base", pointer_to(kBytes, by_field(1))), field("len", kSize)};
  constexpr static StructLayout kVector{"iovec", kVectorFields};
  constexpr static Type kVectorType = structure(kVector);
  ObjectScene scene;
  scene.memory.put_object(0x1000, std::array<uint64_t, 6>{0x2000, 3, 0xbad, 4, 0, 0}).put(0x2000, "abc");
  CHECK(show(scene.decoder().array(kVectorType, Addr{0x1000}, 3)) ==
        "[{base=\"abc\", len=3}, {base=bad:0xbad, len=4}, {base=NULL, len=0}]");
}

TEST_CASE("object: strings are cut at -s, paths at PATH_MAX") {
  ObjectScene scene;
  scene.options.max_string_bytes = 4;
  scene.memory.put(0x1000, std::string_view("abcd\0", 5)).put(0x2000, "abcde");
  scene.memory.put(0x10000, std::string(5000, 'x'))
      .put(0x20000, std::string(4095, 'x'))
      .put(0x20fff, std::string_view("\0", 1));
  CHECK(show(scene.decoder().c_string(Addr{0x1000}, TextKind::Text)) == "\"abcd\"");
  CHECK(show(scene.decoder().c_string(Addr{0x2000}, TextKind::Text)) == "\"abcd\"...");
  CHECK(show(scene.decoder().c_string(Addr{0x2001}, TextKind::Text)) == "bad:0x2001");
  CHECK(show(scene.decoder().c_string(Addr{0x10000}, TextKind::Path)) == '"' + std::string(4095, 'x') + "\"...");
  CHECK(show(scene.decoder().c_string(Addr{0x20000}, TextKind::Path)) == '"' + std::string(4095, 'x') + "\"");
  CHECK(show(scene.decoder().c_string(Addr{0}, TextKind::Path)) == "NULL");
}

TEST_CASE("object: a string without its NUL is cut, as a member it lacks its last byte") {
  constexpr static Type kName = char_array(4), kComm = pointer_to(kString, fixed(4));
  ObjectScene scene;
  scene.memory.put(0x1000, "abcd").put(0x2000, std::string_view("abc\0", 4));
  CHECK(show(scene.decoder().object(kName, Addr{0x1000})) == "\"abc\"...");
  CHECK(show(scene.decoder().object(kName, Addr{0x2000})) == "\"abc\"");
  CHECK(show(scene.decoder().pointee(kComm, 0x1000)) == "\"abcd\"...");
  CHECK(show(scene.decoder().pointee(kComm, 0x2000)) == "\"abc\"");
}

TEST_CASE("object: long strings with a large -s") {
  ObjectScene scene;
  scene.options.max_string_bytes = 20000;
  std::string text(10000, 'y');
  scene.memory.put(0x1000, text).put(0x1000 + text.size(), std::string_view("\0", 1));
  CHECK(show(scene.decoder().c_string(Addr{0x1000}, TextKind::Text)) == '"' + text + '"');
  CHECK(show(scene.decoder().buffer(Addr{0x1000}, 9000)) == '"' + text.substr(0, 9000) + '"');
}

TEST_CASE("object: buffers are cut at -s, and need one byte more to be shown") {
  ObjectScene scene;
  scene.options.max_string_bytes = 4;
  scene.memory.put(0x1000, "abcd").put(0x2000, "abcde");
  CHECK(show(scene.decoder().buffer(Addr{0x1000}, 4)) == "\"abcd\"");
  CHECK(show(scene.decoder().buffer(Addr{0x1000}, 5)) == "bad:0x1000");
  CHECK(show(scene.decoder().buffer(Addr{0x2000}, 1u << 30)) == "\"abcd\"...");
  CHECK(show(scene.decoder().buffer(Addr{0x3000}, 0)) == "\"\"");
}

TEST_CASE("object: a size that lies costs no memory") {
  ObjectScene scene;
  scene.options.max_string_bytes = ~0ull;
  scene.memory.put(0x1000, "abc");
  CHECK(show(scene.decoder().buffer(Addr{0x1000}, ~0ull)) == "bad:0x1000");
  scene.options.abbreviate = SyscallSet{};
  CHECK(show(scene.decoder().array(kU8, Addr{0x1000}, ~0u)) == "[97, 98, 99, bad:0x1003]");
  CHECK(show(scene.decoder().array(kUInt, Addr{0x1000}, ~0ull)) == "0x1000");
}

TEST_CASE("object: arrays are cut at -s items unless shown in full") {
  ObjectScene scene;
  scene.options.max_string_bytes = 2;
  scene.memory.put_object(0x1000, std::array<int32_t, 4>{1, 2, 3, 4});
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 4)) == "[1, 2, ...]");
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 2)) == "[1, 2]");
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 0)) == "[]");
  CHECK(show(scene.decoder().array(kInt, Addr{0}, 2)) == "NULL");
  CHECK(scene.memory.reads == 2);
  CHECK(show(scene.decoder().array(kInt, Addr{0x1008}, 3)) == "[3, 4, bad:0x1010]");
  scene.options.max_string_bytes = 0;
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 4)) == "[...]");
  CHECK(show(scene.decoder().array(kInt, Addr{0x2000}, 4)) == "bad:0x2000");
  scene.options.max_string_bytes = 2;
  scene.options.abbreviate = SyscallSet{};
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 4)) == "[1, 2, 3, 4]");
}

TEST_CASE("object: an array says where memory ends") {
  ObjectScene scene;
  scene.memory.put_object(0x1000, std::array<int32_t, 2>{1, 2}).put(0x1008, "ab");
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 5)) == "[1, 2, bad:0x1008]");
  CHECK(show(scene.decoder().array(kInt, Addr{0x1008}, 5)) == "bad:0x1008");
  scene.memory.unseen(0x1008, 0x2000);
  CHECK(show(scene.decoder().array(kInt, Addr{0x1000}, 5)) == "[1, 2, ... unseen:0x1008]");
  CHECK(scene.decoded.unseen == 1);
}

TEST_CASE("object: arrays larger than one read are whole") {
  ObjectScene scene;
  scene.options.max_string_bytes = 5000;
  for (uint32_t i = 0; i < 3000; i++) scene.memory.put_object(0x1000 + 4 * i, i);
  Value value = scene.decoder().array(kUInt, Addr{0x1000}, 3000);
  const Array& array = std::get<Array>(value.is);
  REQUIRE(array.items.size() == 3000);
  CHECK_FALSE(array.cut);
  for (uint32_t i = 0; i < 3000; i++) CHECK(std::get<Number>(array.items[i].is).bits == i);
}

TEST_CASE("object: a scalar behind a pointer stands in a box, a structure does not") {
  constexpr static Type kStatusPointer = pointer_to(kWaitStatus), kInnerType = structure(kInner);
  constexpr static Type kInnerPointer = pointer_to(kInnerType), kSetPointer = pointer_to(kSigset, by_arg(0));
  constexpr static SyscallDesc kSized = row("sized", kNone, kUnsignedResult, size("n"));
  DecodeScene scene(kSized, {8});
  scene.memory.put_object(0x1000, std::array<int32_t, 2>{0x103, 2});
  Decoder decoder(scene.call, {scene.memory, scene.around, scene.options}, Phase::Enter, scene.decoded);
  CHECK(show(decoder.pointee(kStatusPointer, 0x1000)) == "box[status:0x103]");
  CHECK(show(decoder.pointee(kInnerPointer, 0x1000)) == "{x=3, y=2}");
  CHECK(show(decoder.pointee(kSetPointer, 0x1000)) == "signals:0x200000103");
  scene.call.regs[0] = 4;
  CHECK(show(decoder.pointee(kSetPointer, 0x1000)) == "0x1000");
}

TEST_CASE("object: pointers are followed only so far") {
  static Type self = pointer_to(kInt);
  self.element = &self;
  ObjectScene scene;
  scene.memory.put_object<uint64_t>(0x1000, 0x1000);
  CHECK(show(scene.decoder().pointee(self, 0x1000)).find("0x1000") != std::string::npos);
}

TEST_CASE("object: same() compares what is shown") {
  ObjectScene scene;
  Decoder d = scene.decoder();
  Value one = Decoder::number(1, Show::Signed), two = Decoder::number(2, Show::Signed);
  CHECK(same(one, Decoder::number(1, Show::Signed)));
  CHECK_FALSE(same(one, two));
  CHECK_FALSE(same(one, Decoder::address(1)));
  FieldValue a[] = {{"a", one, false}}, b[] = {{"a", two, false}};
  CHECK(same(d.fields(a), d.fields(a)));
  CHECK_FALSE(same(d.fields(a), d.fields(b)));
  CHECK_FALSE(same(d.text("a"), d.text("b")));
  CHECK(same(d.change(one, two), d.change(one, two)));
}

}  // namespace
}  // namespace strut::test

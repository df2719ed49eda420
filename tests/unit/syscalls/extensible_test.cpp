// Structures with a size that the caller passes: shorter, longer, with unknown bytes.
#include <doctest/doctest.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr FieldType kFields[] = {field("a", kHex32), field("b", kUInt)};
constexpr StructLayout kLayout{"pair", kFields};
constexpr SyscallDesc kNothing = row("nothing", kNone, kUnsignedResult);

struct DecodeContext : DecodeScene {
  DecodeContext() : DecodeScene(kNothing, {}) {
    memory.put_object(0x1000, std::array<uint32_t, 4>{1, 2, 0, 0x61626364});
  }
  std::string of_size(uint64_t size, uint64_t smallest = 8) {
    Decoder decoder(call, {memory, around, options}, Phase::Enter, decoded);
    return show(decode_extensible(decoder, kLayout, Addr{0x1000}, size, smallest));
  }
};

}  // namespace

TEST_CASE("extensible: as long as known") { CHECK(DecodeContext().of_size(8) == "{a=0x1, b=2}"); }

TEST_CASE("extensible: shorter than the shortest is not looked at") {
  CHECK(DecodeContext().of_size(7) == "0x1000");
  CHECK(DecodeContext().of_size(0) == "0x1000");
}

TEST_CASE("extensible: zeros behind the known members are not shown, other bytes are, with their offset") {
  CHECK(DecodeContext().of_size(12) == "{a=0x1, b=2}");
  std::string longer = DecodeContext().of_size(16);
  CHECK(longer.starts_with("{a=0x1, b=2, "));
  CHECK(longer.find("bytes 8..15") != std::string::npos);
  CHECK(longer.find("dcba") != std::string::npos);
}

TEST_CASE("extensible: what cannot be read is said") {
  CHECK(DecodeContext().of_size(32) == "{a=0x1, b=2, ???}");
  DecodeContext nowhere;
  nowhere.memory = ScriptedMemory();
  CHECK(nowhere.of_size(8) == "bad:0x1000");
}

TEST_CASE("extensible: however large a size is, a page is all that is looked at") {
  DecodeContext scene;
  scene.memory.put(0x1000, std::string(5000, '\0'));
  CHECK(scene.of_size(~0ull) == "{a=0, b=0}");
}

}  // namespace strut::test

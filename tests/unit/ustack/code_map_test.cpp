// The places of code: later mappings replace earlier ones.
#include "ustack/code_map.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

Mapping made(uint64_t start, uint64_t end) {
  Mapping mapping;
  mapping.start = Addr{start};
  mapping.end = Addr{end};
  mapping.executable = true;
  return mapping;
}

}  // namespace

TEST_CASE("code map: a mapping in the midst of another leaves its two ends") {
  CodeMap code;
  code.place(made(0x1000, 0x5000), nullptr);
  code.place(made(0x2000, 0x3000), nullptr);
  REQUIRE((code.at(0x1fff) && code.at(0x2000) && code.at(0x3000)));
  CHECK((code.at(0x1fff)->start == 0x1000 && code.at(0x1fff)->end == 0x2000));
  CHECK((code.at(0x2fff)->start == 0x2000 && code.at(0x2fff)->end == 0x3000));
  CHECK((code.at(0x4fff)->start == 0x3000 && code.at(0x4fff)->end == 0x5000));
  CHECK_FALSE(code.at(0xfff));
  CHECK_FALSE(code.at(0x5000));
}

TEST_CASE("code map: a mapping over several takes their places") {
  CodeMap code;
  for (uint64_t start = 0x1000; start < 0x5000; start += 0x1000) code.place(made(start, start + 0x1000), nullptr);
  code.place(made(0x1800, 0x4800), nullptr);
  CHECK(code.at(0x17ff)->start == 0x1000);
  CHECK((code.at(0x1800)->start == 0x1800 && code.at(0x47ff)->start == 0x1800));
  CHECK((code.at(0x4800)->start == 0x4800 && code.at(0x4fff)->end == 0x5000));
  CodeMap copy = code;
  code.clear();
  CHECK(code.empty());
  CHECK(copy.at(0x2000));
}

}  // namespace strut::test

#include <doctest/doctest.h>

#include <vector>

#include "tests/unit/scripted_memory.hpp"
#include "ustack/python_code.hpp"
#include "ustack/python_layout.hpp"

namespace strut::test {
namespace {

uint32_t line_of(std::vector<uint8_t> table, int64_t instruction) {
  return python_line(std::as_bytes(std::span(table)), 10, instruction);
}

}  // namespace

TEST_CASE("python_line: each form of entry moves the line as Objects/locations.md says") {
  // Short form of 2 instructions; one-line form, + 1, of 1; no columns, - 3, of 1; long form, + 100, of 8; no line,
  // of 1.
  std::vector<uint8_t> table = {0x81, 0x00, 0xd8, 0x01, 0x02, 0xe8, 0x07, 0xf7, 0x48, 0x03, 0x00, 0x01, 0x01, 0xf8};
  CHECK(line_of(table, -1) == 10);
  CHECK(line_of(table, 0) == 10);
  CHECK(line_of(table, 1) == 10);
  CHECK(line_of(table, 2) == 11);
  CHECK(line_of(table, 3) == 8);
  CHECK(line_of(table, 4) == 108);
  CHECK(line_of(table, 11) == 108);
  CHECK(line_of(table, 12) == 0);
  CHECK(line_of(table, 13) == 0);
}

TEST_CASE("python_line: a damaged table has no line") {
  CHECK(line_of({}, 0) == 0);
  CHECK(line_of({0x01, 0x02}, 0) == 0);                                      // no entry begins there
  CHECK(line_of({0xe8}, 0) == 10);                                           // the delta is cut off
  CHECK(line_of({0xe8, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f}, 0) == 0);  // a delta without end, below line 1
}

TEST_CASE("python_layout: versions that are not known, and offsets that Python contradicts") {
  ScriptedMemory nothing({});
  CHECK(python_layout(0x030b02f0, Addr{0x1000}, nothing)->native_thread_id == 160);
  CHECK(python_layout(0x030c01f0, Addr{0x1000}, nothing)->native_thread_id == 144);
  CHECK(!python_layout(0x030d00f0, Addr{0x1000}, nothing));
  CHECK(!python_layout(0x030e00f0, Addr{0x1000}, nothing));
  CHECK(!python_layout(0, Addr{0x1000}, nothing));
}

}  // namespace strut::test

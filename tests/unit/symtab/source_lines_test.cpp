#include <cstdint>

#include <doctest/doctest.h>
#include <unistd.h>

#include "symtab/process/process_modules.hpp"

using namespace strut;

// clang-format off
static inline __attribute__((always_inline)) int inlined_inner(int x) { return x * 7 + getppid(); }
static inline __attribute__((always_inline)) int inlined_outer(int x) { return inlined_inner(x) + getpid(); }
extern "C" __attribute__((noinline)) int lines_landmark(int x) { return inlined_outer(x) - 1; }
// clang-format on
static constexpr uint32_t kInnerLine = __LINE__ - 4, kOuterLine = __LINE__ - 3, kLandmarkLine = __LINE__ - 2;

namespace {

struct Own {
  ModuleCache cache;
  ProcessModules modules{Pid{getpid()}, cache};
  const ModuleFile* file = nullptr;
  uint64_t landmark = 0, bytes = 0;

  Own() {
    REQUIRE(modules.refresh());
    file = modules.named("a.out")->file.get();
    auto found = file->symbols().named("lines_landmark");
    REQUIRE_FALSE(found.empty());
    landmark = found[0]->address;
    bytes = found[0]->bytes;
  }
};

}  // namespace

TEST_CASE("lines: a function's first address is the line that defines it") {
  Own own;
  auto line = own.file->lines().at(own.landmark);
  REQUIRE(line);
  CHECK(line->line == kLandmarkLine);
  CHECK(line->file.ends_with("tests/unit/symtab/source_lines_test.cpp"));
  CHECK(line->file.starts_with('/'));
  CHECK_FALSE(own.file->lines().at(0));
}

TEST_CASE("lines: of an inlined call the innermost comes first, each with the place it was called from") {
  CHECK(lines_landmark(1) != 0);
  Own own;
  const SourceLines& lines = own.file->lines();
  bool seen = false;
  for (uint64_t at = own.landmark; at < own.landmark + own.bytes; at++) {
    auto calls = lines.inlined_at(at);
    if (calls.size() != 2) continue;
    seen = true;
    CHECK(calls[0].function.find("inlined_inner") != std::string_view::npos);
    CHECK(calls[0].called_from.line == kOuterLine);
    CHECK(calls[1].function.find("inlined_outer") != std::string_view::npos);
    CHECK(calls[1].called_from.line == kLandmarkLine);
    CHECK(calls[1].called_from.file == lines.at(own.landmark)->file);
    CHECK(lines.at(at)->line == kInnerLine);
  }
  CHECK(seen);
}

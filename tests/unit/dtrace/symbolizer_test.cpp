// Names of addresses in processes as they were when the addresses were recorded.
#include "dtrace/session/symbolizer.hpp"

#include <algorithm>

#include <doctest/doctest.h>
#include <unistd.h>

namespace strut::test {
namespace {

constexpr uint64_t kPlace = 0x1000'0000;
constexpr Pid kSomebody{7};

/// Code of a file that this process has mapped, as it would be in another one.
Mapping code_of(std::string_view file, uint64_t at = kPlace) {
  auto maps = maps_of(Pid{::getpid()});
  REQUIRE(maps);
  auto found = std::ranges::find_if(
      *maps, [&](const Mapping& mapping) { return mapping.executable && mapping.path.contains(file); });
  REQUIRE(found != maps->end());
  Mapping mapping = *found;
  mapping.end = Addr{at + (raw(mapping.end) - raw(mapping.start))};
  mapping.start = Addr{at};
  return mapping;
}

struct SymbolizerDecodeContext {
  SymbolizerDecodeContext() { symbolizer.will_be_reported(); }
  std::string module_at(uint64_t time_ns, uint64_t address = kPlace + 16, Pid pid = kSomebody) {
    symbolizer.set_time(time_ns);
    return symbolizer.name(static_cast<uint64_t>(raw(pid)), address, DShape::Kind::UserModule);
  }
  ModuleCache cache;
  ProcessSymbolizer symbolizer{cache};
};

constexpr uint64_t kAnyTime = ProcessSymbolizer::kAnyTime;

}  // namespace

TEST_CASE("symbolizer: an address is that of the program that ran when it was recorded") {
  SymbolizerDecodeContext scene;
  scene.symbolizer.executed(kSomebody, 100);
  scene.symbolizer.mapped(kSomebody, code_of("unit-tests"));
  scene.symbolizer.executed(kSomebody, 200);
  scene.symbolizer.mapped(kSomebody, code_of("libc.so"));
  scene.symbolizer.ended(kSomebody);
  CHECK(scene.module_at(150) == "unit-tests");
  CHECK(scene.module_at(250) == "libc.so.6");
  CHECK(scene.module_at(kAnyTime) == "libc.so.6");
}

TEST_CASE("symbolizer: an address without a time is that of the last program that has code there") {
  SymbolizerDecodeContext scene;
  scene.symbolizer.executed(kSomebody, 100);
  scene.symbolizer.mapped(kSomebody, code_of("unit-tests"));
  scene.symbolizer.executed(kSomebody, 200);
  scene.symbolizer.mapped(kSomebody, code_of("libc.so", 0x7000'0000));
  CHECK(scene.module_at(kAnyTime) == "unit-tests");
  CHECK(scene.module_at(kAnyTime, 0x7000'0010) == "libc.so.6");
  CHECK(scene.module_at(250) == "0x10000010");
}

TEST_CASE("symbolizer: a child has what its parent had, and its pid may have been another's") {
  SymbolizerDecodeContext scene;
  scene.symbolizer.executed(kSomebody, 100);
  scene.symbolizer.mapped(kSomebody, code_of("unit-tests"));
  scene.symbolizer.executed(Pid{8}, 110);
  scene.symbolizer.mapped(Pid{8}, code_of("libc.so"));
  scene.symbolizer.forked(kSomebody, Pid{8}, 200);
  scene.symbolizer.mapped(kSomebody, code_of("libc.so"));  // in its own memory
  CHECK(scene.module_at(150, kPlace + 16, Pid{8}) == "libc.so.6");
  CHECK(scene.module_at(250, kPlace + 16, Pid{8}) == "unit-tests");
  CHECK(scene.module_at(250) == "libc.so.6");
}

TEST_CASE("symbolizer: a mapping over code takes its place, and code that is reported twice stays as it is") {
  SymbolizerDecodeContext scene;
  scene.symbolizer.executed(kSomebody, 100);
  Mapping program = code_of("unit-tests"), library = code_of("libc.so");
  scene.symbolizer.mapped(kSomebody, program);
  scene.symbolizer.mapped(kSomebody, program);
  library.start = Addr{kPlace + 4096};
  scene.symbolizer.mapped(kSomebody, library);
  CHECK(scene.module_at(150, kPlace + 4096) == "libc.so.6");
  CHECK(scene.module_at(150, kPlace + 16) == "0x10000010");
}

TEST_CASE("symbolizer: processes that live already are looked at, and keep their names when more is reported") {
  SymbolizerDecodeContext scene;
  Pid self{::getpid()};
  scene.symbolizer.remember_all();
  auto function = reinterpret_cast<uint64_t>(&::getpid);
  Mapping there = code_of("unit-tests");
  CHECK(scene.module_at(1, function, self) == "libc.so.6");
  scene.symbolizer.mapped(self, there);
  CHECK(scene.module_at(1, kPlace + 16, self) == "unit-tests");
  CHECK(scene.module_at(1, function, self) == "libc.so.6");
}

}  // namespace strut::test

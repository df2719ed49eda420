// Which functions of a process must be armed: the test's own process, with a C library that is linked lazily or not.
#include "libcalls/arming/call_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>
#include <tuple>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "libcalls/arming/filtered_choice.hpp"

namespace strut::test {
namespace {

CallFilters filters(std::vector<const char*> calls, std::vector<const char*> symbols) {
  CallFilters made;
  for (const char* text : calls) made.calls.push_back({text, *SymbolFilter::parse(text)});
  for (const char* text : symbols) made.symbols.push_back({text, *SymbolFilter::parse(text)});
  made.calls_label = FunctionLabel::Caller;
  return made;
}

/// The armed sites of this process.
struct Armed {
  explicit Armed(CallFilters filters)
      : choice(std::move(filters)), points(choice, prototypes, {}), codes(points.code_changed(Pid{getpid()})) {}

  std::vector<std::pair<const FunctionCode*, FunctionSite>> of(std::string_view symbol, FunctionSite::Kind kind) const {
    std::vector<std::pair<const FunctionCode*, FunctionSite>> found;
    for (const FunctionCode& code : codes)
      for (const FunctionSite& site : code.sites)
        if (site.kind == kind && points.function(site.function).symbol == symbol) found.emplace_back(&code, site);
    return found;
  }

  FilteredChoice choice;
  PrototypeSearch prototypes;
  CallPoints points;
  std::vector<FunctionCode> codes;
};

/// Where the linker says that a function of the C library is, as an offset in its file.
uint64_t offset_in_library(void* address) {
  Dl_info information{};
  REQUIRE(dladdr(address, &information) != 0);
  auto file = ElfFile::open(information.dli_fname);
  REQUIRE(file.has_value());
  uint64_t in_file = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(information.dli_fbase);
  return file->offset_of_address(in_file).value_or(0);
}
void* in_libc(const char* name) {
  void* library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return dlsym(library, name);
}

TEST_CASE("call points: an import means the function that the linker has bound it to") {
  Armed armed(filters({"calloc@MAIN+strlen@MAIN"}, {}));
  for (const char* name : {"calloc", "strlen"}) {
    auto entries = armed.of(name, FunctionSite::Kind::Entry);
    REQUIRE_MESSAGE(entries.size() == 1, name);
    CHECK(entries[0].second.file_offset == offset_in_library(in_libc(name)));
    struct stat status{};
    REQUIRE(stat(entries[0].first->path.c_str(), &status) == 0);
    CHECK((status.st_ino == entries[0].first->inode && status.st_dev == entries[0].first->device));
    const TracedFunction& function = armed.points.function(entries[0].second.function);
    CHECK(function.module == "libc.so.6");
    CHECK(function.desc->name == std::string_view(name));
    CHECK(function.may_replace_return);
    REQUIRE(function.callers.size() == 1);
    REQUIRE(stat("/proc/self/exe", &status) == 0);
    CHECK(function.callers[0] == CodeFile{status.st_dev, status.st_ino});
    CHECK_FALSE(armed.of(name, FunctionSite::Kind::Return).empty());
    CHECK(entries[0].first->displace(entries[0].second).length > 0);
  }
  CHECK(armed.points.code_changed(Pid{getpid()}).empty());
}

TEST_CASE("call points: functions where they are, with any caller") {
  Armed armed(filters({}, {"qsort@libc.so.6"}));
  auto entries = armed.of("qsort", FunctionSite::Kind::Entry);
  REQUIRE(entries.size() == 1);
  const TracedFunction& function = armed.points.function(entries[0].second.function);
  CHECK(function.callers.empty());
  CHECK_FALSE(function.may_replace_return);  // it calls its argument
  CHECK(armed.of("malloc", FunctionSite::Kind::Entry).empty());
}

TEST_CASE("call points: what unwinds, blocks or never returns keeps its return address") {
  Armed armed(filters({"@MAIN"}, {}));
  for (const char* name : {"exit", "read", "waitpid", "vfork", "fork"})
    for (auto& [code, site] : armed.of(name, FunctionSite::Kind::Entry))
      CHECK_MESSAGE(!armed.points.function(site.function).may_replace_return, name);
}

TEST_CASE("call points: a call is recognized by the instruction before its return address") {
  Armed armed(filters({"getpid@MAIN"}, {}));
  auto entries = armed.of("getpid", FunctionSite::Kind::Entry);
  REQUIRE(entries.size() == 1);
  uint32_t index = entries[0].second.function;
  // From the library itself, from no code at all.
  auto in_library = reinterpret_cast<uintptr_t>(in_libc("qsort")) + 16;
  CHECK_FALSE(armed.points.called(index, Pid{getpid()}, in_library, monotonic_ns()).reported);
  CHECK_FALSE(armed.points.called(index, Pid{getpid()}, 0x10, monotonic_ns()).reported);
}

TEST_CASE("call points: errno is where the C library has it") {
  Armed armed(filters({"getpid@MAIN"}, {}));
  auto place = armed.points.errno_place(Pid{getpid()});
  REQUIRE(place.has_value());
  uint64_t base = 0;
  asm("mov %%fs:0, %0" : "=r"(base));
  CHECK(reinterpret_cast<uintptr_t>(&errno) == base + static_cast<uint64_t>(*place));
}

TEST_CASE("call points: a process that is gone has nothing") {
  FilteredChoice choice(filters({"@MAIN"}, {}));
  PrototypeSearch prototypes;
  CallPoints points(choice, prototypes, {});
  CHECK(points.code_changed(Pid{INT32_MAX}).empty());
}

/// File, place, kind, and length of the call instruction.
using Place = std::tuple<uint64_t, uint64_t, FunctionSite::Kind, uint8_t>;
std::multiset<Place> new_sites_of(FunctionPoints& points) {
  std::multiset<Place> sites;
  for (const FunctionCode& code : points.code_changed(Pid{getpid()}))
    for (const FunctionSite& site : code.sites)
      sites.insert({code.inode, site.file_offset, site.kind, site.call_bytes});
  return sites;
}

TEST_CASE("call points: a look by another object for the same functions changes no site") {
  FilteredChoice choice(filters({"@MAIN"}, {}));
  PrototypeSearch prototypes;
  CallPointsOptions options{.arms_calls = true};
  CallPoints alone(choice, prototypes, options), second(choice, prototypes, options);
  auto first = second.anew();
  std::multiset<Place> sites = new_sites_of(alone);
  REQUIRE_FALSE(sites.empty());
  CHECK(new_sites_of(*first) == sites);
  CHECK(new_sites_of(second) == sites);
  CHECK(second.findings().functions == alone.findings().functions);
}

}  // namespace
}  // namespace strut::test

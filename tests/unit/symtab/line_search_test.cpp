#include <doctest/doctest.h>
#include <unistd.h>

#include "pid-provider/line_points.hpp"
#include "symtab/process/process_modules.hpp"

using namespace strut;

// clang-format off
static inline __attribute__((always_inline)) long searched_inner(long x) {
  return x * 11 + getppid();  // in both functions below
}
extern "C" __attribute__((noinline, optimize("O0"))) long searched_once(long x) { return searched_inner(x) + 1; }
extern "C" __attribute__((noinline, optimize("O0"))) long searched_twice(long x) {

  long first = searched_inner(x);
  for (long i = 0; i < x; i++) first ^= getpid();
  return first + searched_inner(x + 3);
}
// clang-format on
static constexpr uint32_t kSearchedLine = __LINE__ - 10, kLineWithoutCode = __LINE__ - 6,
                          kSearchedLoopLine = __LINE__ - 4;

namespace {

/// The program that runs this.
struct Searched {
  ModuleCache cache;
  ProcessModules modules{Pid{getpid()}, cache};
  const ModuleFile* file = nullptr;

  Searched() {
    REQUIRE(modules.refresh());
    file = modules.named("a.out")->file.get();
  }

  LinesFound find(uint32_t line, std::string_view source = "line_search_test.cpp") const {
    auto is_file = [=](std::string_view path) { return path.ends_with(source); };
    auto is_line = [=](uint32_t number) { return number == line; };
    auto is_code = [](uint64_t) { return true; };
    return find_lines(file->debug_information().get(), {is_file, is_line, is_code, line});
  }

  /// The functions with the line, each as often as the line begins there.
  std::vector<std::string_view> functions(uint32_t line) const {
    std::vector<std::string_view> names;
    for (const LineStart& start : find(line).starts) {
      CHECK(start.line == line);
      CHECK(file->lines().at(start.address)->file == start.path);
      names.push_back(file->symbols().at(start.address)->symbol->name);
    }
    return names;
  }
};

}  // namespace

TEST_CASE("line search: each inlined copy of a line counts, a loop's head once") {
  CHECK(searched_once(1) + searched_twice(2) != 0);
  Searched own;
  auto inner = own.functions(kSearchedLine);
  CHECK(std::ranges::count(inner, "searched_once") == 1);
  CHECK(std::ranges::count(inner, "searched_twice") == 2);
  CHECK(inner.size() == 3);
  CHECK(own.functions(kSearchedLoopLine) == std::vector<std::string_view>{"searched_twice"});
}

TEST_CASE("line search: a line without code has closest ones, another source has none") {
  Searched own;
  LinesFound none = own.find(kLineWithoutCode);
  CHECK(none.starts.empty());
  CHECK(none.has_file);
  CHECK(none.below == kLineWithoutCode - 1);
  CHECK(none.above == kLineWithoutCode + 1);
  CHECK_FALSE(own.find(1, "no_such_source.cpp").has_file);
  CHECK_FALSE(find_lines(nullptr, {}).has_file);
}

TEST_CASE("line points: a probe for each function with the line, with a site for each copy") {
  Searched own;
  ModuleFunctions functions(*own.file);
  auto probes = [&](const std::string& text) {
    ProbeList list;
    auto pattern = pid_pattern(*parse_probe_description(text));
    REQUIRE_MESSAGE(pattern, text);
    REQUIRE(add_probes(functions, *pattern, {}, list));
    CHECK(list.refused.empty());
    return list;
  };
  std::string line = "line_search_test.cpp@" + std::to_string(kSearchedLine);
  ProbeList list = probes("pid1:a.out:" + line + ":");
  REQUIRE(list.probes.size() == 2);
  for (const PidProbe& probe : list.probes) {
    bool is_once = list.functions[probe.function].name == "searched_once";
    CHECK(list.name_of(probe) == line);
    CHECK(probe.sites == (is_once ? 1 : 2));
  }
  CHECK(probes("pid1:a.out:searched_t*:" + line).probes.size() == 1);
  CHECK(probes("pid1:a.out:main:" + line).probes.empty());
  ProbeList by_path = probes("pid1:a.out:symtab/" + line + ":");
  REQUIRE(by_path.probes.size() == 2);
  CHECK(by_path.name_of(by_path.probes[0]) == "symtab/" + line);
  CHECK(probes("pid1:a.out:dlang/" + line + ":").probes.empty());
  ProbeLimits one;
  one.max_probes = 1;
  ProbeList cut;
  auto all = pid_pattern(*parse_probe_description("pid1:a.out:line_search_te*@*:"));
  auto outcome = add_probes(functions, *all, one, cut);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().tag == "D_PROC_CREATEFAIL");
  CHECK(cut.probes.size() == 1);
}

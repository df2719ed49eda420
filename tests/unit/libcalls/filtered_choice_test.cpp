// The calls that ltrace's filters choose, and messages about names that do not exist.
#include "libcalls/arming/filtered_choice.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace strut::test {
namespace {

constexpr FilteredModule kMain{"prog", "/tmp/prog", true};
constexpr FilteredModule kLibc{"libc.so.6", "/lib/libc.so.6", false};
constexpr FilteredModule kSsl{"libssl.so.3", "/lib/libssl.so.3", false};

NamedFilter filter(const char* text) {
  auto parsed = SymbolFilter::parse(text);
  REQUIRE(parsed.has_value());
  return {text, *parsed};
}

FilteredChoice calls(const char* text) { return FilteredChoice({.calls = {filter(text)}}); }
FilteredChoice symbols(const char* text) { return FilteredChoice({.symbols = {filter(text)}}); }

TEST_CASE("filtered choice: -e is about callers, and never about calls within a module") {
  FilteredChoice choice = calls("malloc@MAIN");
  CHECK(choice.calls_from(kMain));
  CHECK_FALSE(choice.calls_from(kSsl));
  CHECK(choice.label("malloc", kLibc, &kMain, CallWay::Import) == FunctionLabel::Name);
  CHECK(choice.label("malloc", kLibc, &kMain, CallWay::Pointer) == FunctionLabel::Name);
  CHECK_FALSE(choice.label("malloc", kLibc, &kMain, CallWay::Direct));
  CHECK_FALSE(choice.label("malloc", kLibc, &kSsl, CallWay::Import));
  CHECK_FALSE(choice.label("malloc", kLibc, nullptr, CallWay::Pointer));
  CHECK_FALSE(choice.defined("malloc", kLibc));
}

TEST_CASE("filtered choice: -x is about where functions are, with any caller") {
  FilteredChoice choice = symbols("malloc@libc.so.6");
  CHECK(choice.looks_into(kLibc));
  CHECK_FALSE(choice.looks_into(kMain));
  CHECK(choice.defined("malloc", kLibc));
  CHECK_FALSE(choice.defined("free", kLibc));
  CHECK(choice.label("malloc", kLibc, nullptr, CallWay::Direct) == FunctionLabel::Module);
  CHECK(choice.label("malloc", kLibc, &kSsl, CallWay::Import) == FunctionLabel::Module);
  CHECK_FALSE(choice.label("malloc", kSsl, &kMain, CallWay::Import));
}

TEST_CASE("filtered choice: libraries add calls to -e, callers and callees limit everything") {
  CallFilters filters{.calls = {filter("malloc@MAIN")}, .libraries = {filter("@libssl*")}};
  FilteredChoice both(filters);
  CHECK(both.calls_from(kLibc));
  CHECK(both.label("SSL_new", kSsl, &kMain, CallWay::Import));
  CHECK(both.label("SSL_new", kSsl, &kLibc, CallWay::Import));
  CHECK(both.label("malloc", kLibc, &kMain, CallWay::Import));
  CHECK_FALSE(both.label("malloc", kLibc, &kSsl, CallWay::Import));
  CHECK_FALSE(both.label("free", kLibc, &kMain, CallWay::Import));

  filters = {.symbols = {filter("free")}, .callers = {filter("@libssl*")}, .callees = {filter("@libc*")}};
  FilteredChoice between(filters);
  CHECK(between.label("free", kLibc, &kSsl, CallWay::Import));
  CHECK_FALSE(between.label("free", kLibc, &kMain, CallWay::Import));
  CHECK_FALSE(between.label("free", kLibc, nullptr, CallWay::Direct));
  CHECK_FALSE(between.label("free", kMain, &kSsl, CallWay::Import));
}

TEST_CASE("filtered choice: what only startup code calls is left out where that is asked for") {
  CallFilters filters{.calls = {filter("@MAIN")}, .leaves_out_startup = true};
  CHECK_FALSE(FilteredChoice(filters).label("__libc_start_main", kLibc, &kMain, CallWay::Import));
  filters.leaves_out_startup = false;
  CHECK(FilteredChoice(filters).label("__libc_start_main", kLibc, &kMain, CallWay::Import));
}

using Lines = std::vector<std::string>;

TEST_CASE("filtered choice: rules that match nothing are said, with what may have been meant") {
  FilteredChoice choice = symbols("malloc+fre@libc.so.6+free@libcc.so.6+/x.*/");
  CHECK(choice.unmatched() == Lines{});  // nothing was seen
  for (const char* name : {"malloc", "free", "memcpy"}) choice.defined(name, kLibc);
  choice.calls_from(kSsl);
  CHECK(choice.unmatched() == Lines{"-x 'fre@libc.so.6' matches no function; nearest: free",
                                    "-x 'free@libcc.so.6' matches no function; nearest: libc.so.6",
                                    "-x '/x.*/' matches no function"});

  FilteredChoice one = calls("-mallco+mallco");
  static_cast<void>(one.label("malloc", kLibc, &kMain, CallWay::Import));
  CHECK(one.unmatched() == Lines{"-e 'mallco' matches no function; nearest: malloc"});
}

TEST_CASE("filtered choice: a rule that another one takes everything from") {
  FilteredChoice choice = symbols("malloc-@libc*");
  CHECK_FALSE(choice.defined("malloc", kLibc));
  CHECK(choice.unmatched() == Lines{"-x 'malloc-@libc*' matches no function"});
  CHECK(choice.defined("malloc", kMain));
  CHECK(choice.unmatched() == Lines{});
}

}  // namespace
}  // namespace strut::test

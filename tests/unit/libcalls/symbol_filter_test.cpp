// Filter expressions: ltrace(1), "FILTER EXPRESSIONS".
#include "libcalls/arming/symbol_filter.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

constexpr FilteredModule kProgram{"m3", "/tmp/m3", true};
constexpr FilteredModule kCLibrary{"libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6", false};
constexpr FilteredModule kLinker{"ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2", false};

bool matches(std::string_view filter, std::string_view symbol, const FilteredModule& module = kProgram) {
  Result<SymbolFilter> parsed = SymbolFilter::parse(filter);
  REQUIRE_MESSAGE(parsed.has_value(), (parsed ? "" : parsed.error().why));
  return parsed->matches(symbol, module);
}
std::string error(std::string_view filter) {
  Result<SymbolFilter> parsed = SymbolFilter::parse(filter);
  return parsed ? std::string() : parsed.error().why;
}

TEST_CASE("symbol filter: the manual's example") {
  constexpr std::string_view kFilter = "malloc+free-@libc.so*";
  CHECK(matches(kFilter, "malloc"));
  CHECK(matches(kFilter, "free"));
  CHECK_FALSE(matches(kFilter, "free", kCLibrary));
  CHECK_FALSE(matches(kFilter, "calloc"));
}

TEST_CASE("symbol filter: globs match whole names") {
  CHECK_FALSE(matches("mall", "malloc"));
  CHECK(matches("m*c", "malloc"));
  CHECK(matches("mallo[a-d]", "malloc"));
  CHECK(matches("^malloc$", "malloc"));
  CHECK(matches("mal?oc@^m3$", "malloc"));
  CHECK_FALSE(matches("MALLOC", "malloc"));
}

TEST_CASE("symbol filter: C++ functions can be asked for as the source has them") {
  for (const char* filter : {"shop::*", "shop::id*", "shop::id<long>", "long shop::id<long>(long)", "/shop::i.*/"})
    CHECK_MESSAGE(matches(filter, "_ZN4shop2idIlEET_S1_"), filter);
  CHECK(matches("shop::A::get", "_ZNK4shop1A3getEv"));
  CHECK(matches("shop::A::get() const", "_ZNK4shop1A3getEv"));
  CHECK(matches("std::vector<int>::size", "_ZNKSt6vectorIiSaIiEE4sizeEv"));
  CHECK(matches("std::string::append*", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc"));
  CHECK(matches("(anonymous namespace)::f", "_ZN12_GLOBAL__N_11fEi"));
  CHECK(matches("mycrate::foo", "_RNvC7mycrate3foo"));
  CHECK_FALSE(matches("shop::A", "_ZNK4shop1A3getEv"));
  CHECK_FALSE(matches("shop::*", "shop"));
  CHECK_FALSE(matches("get", "_ZNK4shop1A3getEv"));
}

TEST_CASE("symbol filter: regular expressions match whole names too") {
  CHECK_FALSE(matches("/all/", "malloc"));
  CHECK(matches("/.*all.*/", "realloc"));
  CHECK(matches("/mal\\(l\\)oc/", "malloc"));
  CHECK(matches("/m[+-]*a-*lloc/", "malloc"));
  CHECK(matches("/mal.*@MAIN/", "malloc"));
  CHECK(matches("/mal.*@m./", "malloc"));
  CHECK(matches("/mal.*/@/libc.*/", "malloc", kCLibrary));
  CHECK_FALSE(matches("/mal.*/@/libc.*/", "malloc"));
}

TEST_CASE("symbol filter: modules by soname, path and MAIN") {
  CHECK(matches("@libc.*", "x", kCLibrary));
  CHECK(matches("@MAIN", "x", kProgram));
  CHECK_FALSE(matches("@MAIN", "x", kCLibrary));
  CHECK_FALSE(matches("@[M]AIN", "x", kProgram));
  CHECK(matches("@/lib/*", "x", kCLibrary));
  CHECK_FALSE(matches("@/lib/*", "x", kLinker));
  CHECK(matches("@", "x", kLinker));
  CHECK(matches("@ld\\-linux*", "x", kLinker));
}

TEST_CASE("symbol filter: chains, and a first rule that takes away") {
  CHECK(matches("-malloc", "free"));
  CHECK_FALSE(matches("-malloc", "malloc"));
  CHECK(matches("+malloc", "malloc"));
  CHECK(matches("-f*+free", "free"));
  CHECK_FALSE(matches("f*-free+nothing", "free"));
  CHECK(matches("f*-free+free", "free"));
}

TEST_CASE("symbol filter: what is no filter") {
  CHECK(error("").ends_with("it is empty"));
  CHECK(error("malloc+").ends_with("nothing stands behind the last sign"));
  CHECK(error("/[/").find("invalid filter '/[/'") == 0);
  CHECK(error("-").ends_with("nothing stands behind the last sign"));
}

TEST_CASE("symbol filter: -l, the default, and alternatives") {
  CHECK(SymbolFilter::of_modules("libc.so*")->matches("x", kCLibrary));
  CHECK_FALSE(SymbolFilter::of_modules("libc.so*")->matches("x", kProgram));
  CHECK(SymbolFilter::main_program().matches("x", kProgram));
  CHECK_FALSE(SymbolFilter::main_program().matches("x", kCLibrary));
  std::vector<SymbolFilter> filters;
  CHECK_FALSE(any_matches(filters, "x", kProgram));
  filters.push_back(*SymbolFilter::parse("a"));
  filters.push_back(*SymbolFilter::parse("b"));
  CHECK(any_matches(filters, "b", kProgram));
  CHECK_FALSE(any_matches(filters, "c", kProgram));
}

}  // namespace
}  // namespace strut::test

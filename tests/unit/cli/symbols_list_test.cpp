#include <doctest/doctest.h>

#include "base/close_names.hpp"
#include "cli/symbols/list.hpp"
#include "symtab/elf/demangle.hpp"

using namespace strut;

namespace {

Result<SymbolsOptions> parse(std::vector<std::string> words) { return parse_symbols_options(words); }

}  // namespace

TEST_CASE("symbols: options stand before or behind FILE and PATTERN") {
  auto options = parse({"/bin/x", "--only", "plt,got", "mem*", "-C"});
  REQUIRE(options);
  CHECK(options->file == "/bin/x");
  CHECK(options->pattern == "mem*");
  CHECK(options->kinds == (kListPlt | kListGot));
  CHECK(options->names == NameForm::Demangled);
  options = parse({"--", "-file", "--pattern"});
  REQUIRE(options);
  CHECK(options->file == "-file");
  CHECK(options->pattern == "--pattern");
}

TEST_CASE("symbols: addresses are hexadecimal, as addr2line takes them") {
  auto options = parse({"-p", "12", "--address", "0x10,ff", "-a", "20"});
  REQUIRE(options);
  CHECK(options->addresses == std::vector<uint64_t>{0x10, 0xff, 0x20});
  CHECK_FALSE(parse({"-p", "12", "-a", "0xg"}));
  CHECK_FALSE(parse({"-p", "12", "-a", ""}));
  CHECK_FALSE(parse({"-p", "0"}));
  CHECK_FALSE(parse({}));
  CHECK_FALSE(parse({"a", "b", "c"}));
  CHECK_FALSE(parse({"a", "b", "-a", "1"}));
}

TEST_CASE("symbols: names are close by the letters that differ") {
  CHECK(edit_distance("malok", "malloc", 3) == 2);
  CHECK(edit_distance("same", "same", 3) == 0);
  CHECK(edit_distance("", "abc", 3) == 3);
  CHECK(edit_distance("abcdef", "x", 3) == 4);
}

TEST_CASE("demangle: C++, both schemes of Rust, and what is neither") {
  CHECK(demangled("_ZNKSt6vectorIiSaIiEE4sizeEv") == "std::vector<int, std::allocator<int> >::size() const");
  CHECK(demangled("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE") == "core::fmt::Formatter::pad");
  CHECK(demangled("_RNvC7mycrate3foo") == "mycrate::foo");
  CHECK(demangled("main") == "main");
  CHECK(demangled("_Znonsense!") == "_Znonsense!");
  // Each part stands for all before it: 2^40 characters.
  std::string bomb = "_Z1f1aI";
  for (int i = 0; i < 40; i++)
    bomb +=
        "S" + (i < 1 ? std::string("_") : std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(i - 1) % 36]) + "_");
  CHECK(demangled(bomb).size() <= 64 * 1024);
}

// Messages of truss's -u and -U about names that do not exist.
#include "cli/truss/choice.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace strut::test {
namespace {

constexpr FilteredModule kMain{"prog", "/tmp/prog", true};
constexpr FilteredModule kLibc{"libc.so.6", "/lib/libc.so.6", false};
using Lines = std::vector<std::string>;

TrussChoice choice(const char* text) {
  auto choices = parse_function_choices(text, 'u');
  REQUIRE(choices.has_value());
  return TrussChoice(*choices);
}
/// The messages when these existed.
Lines said(const char* text) {
  TrussChoice made = choice(text);
  for (const char* name : {"malloc", "free", "memcpy"})
    static_cast<void>(made.label(name, kLibc, &kMain, CallWay::Import));
  static_cast<void>(made.defined("main", kMain));
  return made.unmatched();
}

TEST_CASE("truss choice: what was named is not complained of") {
  for (const char* text : {"libc:malloc", "libc", "libc.so.6:malloc", "/lib/lib*.so:malloc", "libc:m*", "a.out:main",
                           "!libc", "libc:!malloc", "libc:malloc,a.out::main"}) {
    CAPTURE(text);
    CHECK(said(text) == Lines{});
  }
}

TEST_CASE("truss choice: nothing is said where nothing was seen") {
  CHECK(choice("libz:inflate").unmatched() == Lines{});
}

TEST_CASE("truss choice: a library or a function that is not there") {
  CHECK(said("libcc:malloc") == Lines{"'libcc:malloc' names no function of what was traced; nearest: libc"});
  CHECK(said("libc:mallco") == Lines{"'libc:mallco' names no function of what was traced; nearest: malloc"});
  CHECK(said("a.out:mian") == Lines{"'a.out:mian' names no function of what was traced; nearest: main"});
  CHECK(said("libxyzzy*") == Lines{"'libxyzzy*' names no function of what was traced"});
}

TEST_CASE("truss choice: a part of a list that is not there") {
  CHECK(said("libc:malloc,mallco,fre") ==
        Lines{"'mallco' of 'libc:malloc,mallco,fre' names no function of what was traced; nearest: malloc",
              "'fre' of 'libc:malloc,mallco,fre' names no function of what was traced; nearest: free"});
  CHECK(said("libc:free,libz:inflate") == Lines{"'libz:inflate' names no function of what was traced; nearest: libc"});
}

}  // namespace
}  // namespace strut::test

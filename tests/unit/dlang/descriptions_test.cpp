// The probe descriptions of a source, whose types nothing knows yet.
#include <doctest/doctest.h>

#include <string>

#include "dlang/language/ast.hpp"

namespace strut::test {
namespace {

std::string described(const std::string& text, ProbeField last = ProbeField::Name, const DMacros& macros = {}) {
  std::string found;
  for (const ProbeDescription& one : probe_descriptions_of({text, last}, macros))
    found += (found.empty() ? "" : " ") + one.text();
  return found;
}

TEST_CASE("d descriptions: those of all clauses, whatever they hold") {
  CHECK(described("tc*:::send, :::start /args[0]->x == 2 / 1/ { x = args[1] ? 1 : 2; } BEGIN; END") ==
        "tc*:::send :::start :::BEGIN :::END");
  CHECK(described("BEGIN { if (1) { trace(\"}\"); } /* } */ } tick-1s { trace((unknown_t *)0); }") ==
        ":::BEGIN :::tick-1s");
  CHECK(described("tc*", ProbeField::Provider) == "tc*:::");
  DMacros macros;
  macros.arguments = {"dtrace", "tcp"};
  CHECK(described("$1:::send {}", ProbeField::Name, macros) == "tcp:::send");
}

TEST_CASE("d descriptions: declarations have none") {
  CHECK(described("struct s { int a; } x; int f(int a) { return a; } BEGIN {}") == ":::BEGIN");
  CHECK(described("translator unknown_t < struct s *p > { a = p->b; }; inline int i = 1 ? 2 : 3; "
                  "provider p { probe q(int); }; self int y; tick-1s {}") == ":::tick-1s");
}

TEST_CASE("d descriptions: those in front of an error") {
  CHECK(described("BEGIN {} END { ") == ":::BEGIN :::END");
  CHECK(described("BEGIN {} { }") == ":::BEGIN");
  CHECK(described("BEGIN {} $2:::x {}") == ":::BEGIN");
}

}  // namespace
}  // namespace strut::test

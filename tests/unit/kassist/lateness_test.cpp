// Messages about threads that went on before their new code was armed.
#include "kassist/functions/lateness.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

using Lines = std::vector<std::string>;

wire_question question(uint32_t kind, uint32_t number) { return {kind, 77, 77, number, 0}; }

Answer found(std::vector<std::string> armed) { return {Answer::Life::There, std::move(armed)}; }

TEST_CASE("lateness: a library that was armed too late is said, whatever is known first") {
  const Lines line{
      "first calls of libone.so, libtwo.so in pid 77 may be missing: it could not be held until they were armed"};
  Lateness lateness;
  SUBCASE("the answer") {
    lateness.answered(question(WIRE_ASKS_LIBRARY, 5), found({"libone.so", "libtwo.so"}));
    CHECK(lateness.take().empty());
    lateness.went_on(question(WIRE_ASKS_LIBRARY | WIRE_WENT_ON, 5));
  }
  SUBCASE("that nobody waited for it") {
    lateness.went_on(question(WIRE_ASKS_LIBRARY | WIRE_WENT_ON, 5));
    CHECK(lateness.take().empty());
    lateness.answered(question(WIRE_ASKS_LIBRARY, 5), found({"libone.so", "libtwo.so"}));
  }
  CHECK(lateness.take() == line);
  CHECK(lateness.take().empty());
}

TEST_CASE("lateness: processes that waited are not reported, nor are answers that armed nothing") {
  Lateness lateness;
  lateness.answered(question(WIRE_ASKS_LIBRARY, 1), found({"libone.so"}));
  lateness.answered(question(WIRE_ASKS_LIBRARY, 2), found({}));
  lateness.went_on(question(WIRE_ASKS_LIBRARY | WIRE_WENT_ON, 2));
  CHECK(lateness.take().empty());
}

TEST_CASE("lateness: what was armed after a question, each file once, whatever it was armed for") {
  Lateness lateness;
  lateness.armed(77, {"libone.so", "libtwo.so"}, 100);
  lateness.armed(77, {"libtwo.so", "libthree.so"}, 200);
  lateness.armed(78, {"libfour.so"}, 300);
  CHECK(lateness.armed_since(77, 99) == Lines{"libone.so", "libtwo.so", "libthree.so"});
  CHECK(lateness.armed_since(77, 100) == Lines{"libtwo.so", "libthree.so"});
  CHECK(lateness.armed_since(77, 200).empty());
  lateness.forget(77);
  CHECK(lateness.armed_since(77, 0).empty());
  CHECK(lateness.armed_since(78, 0) == Lines{"libfour.so"});
}

TEST_CASE("lateness: which program asked") {
  Lateness lateness;
  CHECK(!lateness.has_executed_since(77, 0));
  lateness.executed(77, 200);
  lateness.executed(77, 100);
  CHECK(lateness.has_executed_since(77, 199));
  CHECK(!lateness.has_executed_since(77, 200));
  CHECK(!lateness.has_executed_since(78, 0));
  lateness.forget(77);
  CHECK(!lateness.has_executed_since(77, 0));
}

TEST_CASE("lateness: processes that ran before they could be looked at") {
  Lateness lateness;
  for (uint32_t kind : {WIRE_ASKS_BIRTH, WIRE_ASKS_PROGRAM, WIRE_ASKS_PROGRAM_ANEW, WIRE_ASKS_LIBRARY}) {
    lateness.went_on(question(kind | WIRE_WENT_ON, kind));
    lateness.answered(question(kind, kind), {Answer::Life::Gone, {}});
  }
  CHECK(
      lateness.take() ==
      Lines{"first calls of pid 77, which was just made, may be missing: it could not be held until they were armed",
            "first calls of the new program of pid 77 may be missing: it could not be held until they were armed",
            "first calls of the new program of pid 77 may be missing: it could not be held until they were armed",
            "first calls of libraries that pid 77 opened may be missing: it could not be held until they were armed"});
}

}  // namespace
}  // namespace strut::test

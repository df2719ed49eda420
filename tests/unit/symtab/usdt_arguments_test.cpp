#include <doctest/doctest.h>

#include "symtab/elf/usdt_arguments.hpp"

using namespace strut;
using Place = UsdtArgument::Place;

TEST_CASE("usdt arguments: sizes, signs and every form of operand") {
  auto arguments =
      usdt_arguments("8@%rax -4@-8(%rbp) 1@$5 -8@$-3 8@0x10(%rax,%rbx,8) 4f@%xmm0 2@counter+6(%rip) 8@(%rdi)");
  REQUIRE(arguments.size() == 8);
  CHECK(arguments[0].place == Place::Register);
  CHECK(arguments[0].base == "rax");
  CHECK(arguments[0].bytes == 8);
  CHECK_FALSE(arguments[0].is_signed);
  CHECK(arguments[1].place == Place::Memory);
  CHECK(arguments[1].is_signed);
  CHECK(arguments[1].bytes == 4);
  CHECK(arguments[1].base == "rbp");
  CHECK(arguments[1].displacement == -8);
  CHECK(arguments[2].place == Place::Constant);
  CHECK(arguments[2].displacement == 5);
  CHECK(arguments[3].displacement == -3);
  CHECK(arguments[4].index == "rbx");
  CHECK(arguments[4].scale == 8);
  CHECK(arguments[4].displacement == 16);
  CHECK(arguments[5].is_float);
  CHECK(arguments[6].place == Place::Memory);
  CHECK(arguments[6].symbol == "counter");
  CHECK(arguments[6].displacement == 6);
  CHECK(arguments[6].base == "rip");
  CHECK(arguments[7].base == "rdi");
  CHECK(arguments[7].displacement == 0);
}

TEST_CASE("usdt arguments: blanks within an operand belong to it; what is malformed stays text") {
  auto arguments = usdt_arguments(" 4@0(%eax, %ebx) -1@%al  x@y");
  REQUIRE(arguments.size() == 2);
  CHECK(arguments[0].base == "eax");
  CHECK(arguments[0].index == "ebx");
  CHECK(arguments[1].text == "-1@%al  x@y");
  CHECK(arguments[1].place == Place::Unknown);
  CHECK(usdt_arguments("").empty());
  CHECK(usdt_arguments("junk").at(0).place == Place::Unknown);
}

#include "base/expression_size.hpp"

#include <doctest/doctest.h>

using namespace strut;

TEST_CASE("expression size: what is repeated is multiplied") {
  CHECK(expression_size("", true) == 0);
  CHECK(expression_size("open(at)?", true) == 6);
  CHECK(expression_size("a+b", true) == 3);
  CHECK(expression_size("a++++", true) == 16);
  CHECK(expression_size("((ab){3}c){2,5}", true) == 35);
  CHECK(expression_size("x{3,}", true) == 4);
  CHECK(expression_size("[a+]]\\+", true) == 3);
  CHECK(expression_size("a****|b", true) == 2);
}

TEST_CASE("expression size: operators of basic expressions have a backslash") {
  CHECK(expression_size("a++++", false) == 5);
  CHECK(expression_size("a\\+\\+", false) == 4);
  CHECK(expression_size("\\(ab\\)\\{4\\}", false) == 8);
}

TEST_CASE("expression size: too much is the most there is") {
  CHECK(expression_size("a{9999}{9999}{9999}{9999}", true) == UINT32_MAX);
  CHECK(expression_size("((((", true) > 0);
  CHECK(expression_size(")))", true) == 3);
}

// Numbers, times and sets as options spell them.
#include <doctest/doctest.h>

#include "cli/common/numbers.hpp"

namespace strut::test {

TEST_CASE("numbers: decimal, bounded, nothing behind") {
  CHECK(parse_number("10", 10) == 10);
  CHECK(parse_number(" \t+010", 100) == 10);
  CHECK(parse_number("18446744073709551615", UINT64_MAX) == UINT64_MAX);
  for (const char* text : {"", " ", "+", "-1", "11", "1x", "0x1", "1 ", "18446744073709551616", "99999999999999999999"})
    CHECK_MESSAGE(!parse_number(text, 10), text);
}

TEST_CASE("numbers: spans of time have units, microseconds unless said") {
  CHECK(parse_time_span_ns("2") == 2000);
  CHECK(parse_time_span_ns("1.5ms") == 1'500'000);
  CHECK(parse_time_span_ns(".5us") == 500);
  CHECK(parse_time_span_ns("1e3ns") == 1000);
  CHECK(parse_time_span_ns("1s") == 1'000'000'000);
  CHECK(parse_time_span_ns("0") == 0);
  CHECK(parse_time_span_ns("1e-9") == 1);
  CHECK(parse_time_span_ns("1e300") == uint64_t(INT64_MAX));
  for (const char* text : {"", "x", "-1", "1m", "1US", "1 us", "1sx", "1e", "0x10", "inf", "infinity", "nan", "nan(1)"})
    CHECK_MESSAGE(!parse_time_span_ns(text), text);
}

TEST_CASE("numbers: sets of words") {
  constexpr SetWord kWords[] = {{"one", 1}, {"two", 2}, {"zwei", 2}, {"four", 4}};
  CHECK(parse_word_set("one,FOUR", kWords, "word") == 5u);
  CHECK(parse_word_set("!zwei", kWords, "word") == 5u);
  CHECK(parse_word_set("!!one", kWords, "word") == 1u);
  CHECK(parse_word_set("all", kWords, "word") == 7u);
  CHECK(parse_word_set("!all", kWords, "word") == 0u);
  CHECK(parse_word_set("none", kWords, "word") == 0u);
  CHECK(parse_word_set("!none", kWords, "word") == 7u);
  CHECK(parse_word_set(",one,,two,", kWords, "word") == 3u);
  CHECK(parse_word_set("", kWords, "word").error().why == "invalid word ''");
  CHECK(parse_word_set("!", kWords, "word").error().why == "invalid word '!'");
  CHECK(parse_word_set("one,all", kWords, "word").error().why == "invalid word 'all'");
  CHECK(parse_word_set("ALL", kWords, "word").error().why == "invalid word 'ALL'");
}

TEST_CASE("numbers: sets of descriptors") {
  CHECK(parse_fd_set("3,5")->contains(5));
  CHECK_FALSE(parse_fd_set("3,5")->contains(4));
  CHECK(parse_fd_set("!3")->contains(4));
  CHECK(parse_fd_set("all")->contains(0));
  CHECK_FALSE(parse_fd_set("!all")->contains(0));
  CHECK(parse_fd_set("none")->none());
  CHECK(parse_fd_set("3,x").error().why == "invalid descriptor 'x'");
  CHECK(parse_fd_set("2147483648").error().why == "invalid descriptor '2147483648'");
}

}  // namespace strut::test

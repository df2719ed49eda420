#include "syscalls/signal_names.hpp"

#include <string>

#include <doctest/doctest.h>

namespace strut::test {
namespace {

std::string why(const Result<SignalNumbers>& result) { return result ? "" : result.error().why; }

TEST_CASE("signal names: the kernel's count of realtime signals, nothing beyond 64") {
  CHECK(std::string(signal_name(1)) == "SIGHUP");
  CHECK(std::string(signal_name(29)) == "SIGIO");
  CHECK(std::string(signal_name(31)) == "SIGSYS");
  CHECK(std::string(signal_name(32)) == "SIGRTMIN");
  CHECK(std::string(signal_name(33)) == "SIGRT_1");
  CHECK(std::string(signal_name(64)) == "SIGRT_32");
  CHECK(signal_name(0) == nullptr);
  CHECK(signal_name(65) == nullptr);
  CHECK(signal_name(-1) == nullptr);
}

TEST_CASE("signal names: parsed with or without SIG, in any case, or as a number up to 255") {
  CHECK(signal_number("SIGINT") == 2);
  CHECK(signal_number("int") == 2);
  CHECK(signal_number("rt_1") == 33);
  CHECK(signal_number("RTMIN") == 32);
  CHECK(signal_number("09") == 9);
  CHECK(signal_number("255") == 255);
  for (const char* wrong : {"", "SIG", "SIGPOLL", "SIGRTMAX", "SIGRTMIN+1", "sig9", "256", "-1", "0x5", " int"})
    CHECK(signal_number(wrong) == std::nullopt);
}

TEST_CASE("signal set: lists, inversion, all and none") {
  SignalNumbers chld_and_int;
  chld_and_int.set(2).set(17);
  CHECK((parse_signal_set("int,SIGCHLD,") == chld_and_int));
  CHECK((parse_signal_set("!int,,chld") == ~chld_and_int));
  CHECK((parse_signal_set("!!2,17") == chld_and_int));
  CHECK(parse_signal_set("all")->all());
  CHECK(parse_signal_set("!none")->all());
  CHECK(parse_signal_set("none")->none());
  CHECK(parse_signal_set("!all")->none());
  CHECK(parse_signal_set("200")->none());
}

TEST_CASE("signal set: the item that is wrong is named, the whole text if there is no item") {
  CHECK(why(parse_signal_set("foo")) == "invalid signal 'foo'");
  CHECK(why(parse_signal_set("int,!chld")) == "invalid signal '!chld'");
  CHECK(why(parse_signal_set("int, hup")) == "invalid signal ' hup'");
  CHECK(why(parse_signal_set("all,int")) == "invalid signal 'all'");
  CHECK(why(parse_signal_set("")) == "invalid signal ''");
  CHECK(why(parse_signal_set(",,")) == "invalid signal ',,'");
  CHECK(why(parse_signal_set("!,")) == "invalid signal '!,'");
}

}  // namespace
}  // namespace strut::test

// The contents of /proc/PID/fdinfo, good and bad.
#include "procfs/fd_details.hpp"

#include <doctest/doctest.h>

namespace strut::test {

TEST_CASE("fd details: eventfd, in hexadecimal") {
  auto details =
      parse_fdinfo("anon_inode:[eventfd]",
                   "pos:\t0\nflags:\t02\neventfd-count:              12c\neventfd-id: 7\neventfd-semaphore: 1\n");
  auto* eventfd = std::get_if<EventfdTarget>(&details);
  REQUIRE(eventfd);
  CHECK(eventfd->count == 300);
  CHECK(eventfd->id == 7);
  CHECK(eventfd->semaphore);
}

TEST_CASE("fd details: a pidfd has a process only while that exists here") {
  auto pid_in = [](const char* line) {
    auto details = parse_fdinfo("anon_inode:[pidfd]", line);
    auto* pidfd = std::get_if<PidfdTarget>(&details);
    return pidfd ? pidfd->pid : 0;
  };
  CHECK(pid_in("flags:\t02\nPid:\t42\nNSpid:\t42\n") == 42);
  CHECK(pid_in("Pid:\t-1\n") == 0);
  CHECK(pid_in("Pid:\t0\n") == 0);
  CHECK(pid_in("NSpid:\t42\n") == 0);
  CHECK(pid_in("Pid:\t99999999999\n") == 0);
}

TEST_CASE("fd details: signalfd") {
  auto details = parse_fdinfo("anon_inode:[signalfd]", "sigmask:\t0000000000010200\n");
  REQUIRE(std::holds_alternative<SignalfdTarget>(details));
  CHECK(std::get<SignalfdTarget>(details).mask == 0x10200);
}

TEST_CASE("fd details: what is not understood is nothing") {
  for (const char* path : {"anon_inode:[eventfd]", "anon_inode:[pidfd]", "anon_inode:[signalfd]", "pipe:[1]", ""})
    for (const char* text :
         {"", "\n\n", "eventfd-count", "eventfd-count:", "eventfd-count:\nPid:\nsigmask:  ", "Pid:\tx"})
      CHECK(std::holds_alternative<std::monostate>(parse_fdinfo(path, text)));
}

TEST_CASE("fd details: the other end of a pseudo-terminal") {
  CHECK(parse_pty_peer("pos:\t0\ntty-index:\t3\n") == "/dev/pts/3");
  CHECK(parse_pty_peer("pos:\t0\n").empty());
}

}  // namespace strut::test

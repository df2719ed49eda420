#include <doctest/doctest.h>

#include "pid-provider/watch_pattern.hpp"

using namespace strut;

namespace {

WatchPattern watched(std::string_view text) {
  auto pattern = watch_pattern(*parse_probe_description(text));
  REQUIRE_MESSAGE(pattern, text);
  return *pattern;
}

Complaint unwatched(std::string_view text) {
  auto pattern = watch_pattern(*parse_probe_description(text));
  REQUIRE_FALSE_MESSAGE(pattern.has_value(), text);
  return pattern.error();
}

}  // namespace

TEST_CASE("watch pattern: a variable, bytes of it, an address") {
  WatchPattern counter = watched("watch1234:a.out:counter:w");
  CHECK(counter.pid == Pid{1234});
  CHECK(counter.module == "a.out");
  CHECK(counter.variable == "counter");
  CHECK(counter.offset == 0);
  CHECK(counter.bytes == 0);
  CHECK(watched("watch1::buffer+8:w4").offset == 8);
  CHECK(watched("watch1::buffer+0x10:w4").offset == 0x10);
  CHECK(watched("watch1::count.3:w").variable == "count.3");
  WatchPattern address = watched("watch1::0x601040:w8");
  CHECK(address.variable.empty());
  CHECK(address.offset == 0x601040);
  CHECK(address.bytes == 8);
}

TEST_CASE("watch pattern: accesses and lengths") {
  CHECK(watched("watch1::v:w").access == WatchAccess::Write);
  CHECK(watched("watch1::v:r2").access == WatchAccess::Read);
  CHECK(watched("watch1::v:r2").bytes == 2);
  CHECK(watched("watch1::v:rw").access == WatchAccess::ReadWrite);
  CHECK(watched("watch1::v:rw1").bytes == 1);
  CHECK(watched("watch1::f:x").access == WatchAccess::Execute);
  CHECK(watched("watch1::f:x").bytes == 1);
  for (const char* name : {"", "q", "w3", "w16", "wr", "rwx", "W", "w4 ", "w-1", "x1", "*"})
    CHECK(unwatched("watch1::v:" + std::string(name)).field == ProbeField::Name);
}

TEST_CASE("watch pattern: refusals name the field") {
  CHECK(unwatched("watch0::v:w").tag == "D_PROC_BADPID");
  CHECK(unwatched("watch99999999999::v:w").tag == "D_PROC_BADPID");
  CHECK(unwatched("watch*::v:w").tag == "D_PROC_BADPID");
  CHECK(unwatched("watch::v:w").tag == "D_PROC_BADPROV");
  CHECK(unwatched("watch1::v*:w").field == ProbeField::Function);
  CHECK(unwatched("watch1:::w").field == ProbeField::Function);
  CHECK(unwatched("watch1::v+x:w1").field == ProbeField::Function);
  CHECK(unwatched("watch1:a.out:0x601040:w8").field == ProbeField::Module);
  CHECK(unwatched("watch1::0x601040:w").field == ProbeField::Name);  // no length
  CHECK(unwatched("watch1::0x601041:w8").text ==
        "'0x601041': 8 bytes can be watched only at a multiple of 8, and 0x601041 is none");
  CHECK(unwatched("watch1::0xffffffff81000000:w8").field == ProbeField::Function);
}

TEST_CASE("watch pattern: it is no statically defined provider") {
  CHECK(is_watch_provider("watch12"));
  CHECK(is_watch_provider("watch$target"));
  CHECK_FALSE(is_watch_provider("watch"));
  CHECK_FALSE(is_watch_provider("watcher12"));
  CHECK_FALSE(is_usdt_provider("watch12"));
  CHECK_FALSE(may_be_usdt("watch*"));
  CHECK(is_usdt_provider("watcher12"));
}

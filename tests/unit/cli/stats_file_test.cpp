// --stats: one JSON object about a run.
#include <doctest/doctest.h>

#include <cstdint>

#include "cli/common/stats_file.hpp"

namespace strut::test {

TEST_CASE("stats: every count has its name") {
  BackendStats stats;
  stats.events = 1;
  stats.lost = 2;
  stats.unseen = 3;
  stats.late = 4;
  stats.held = 5;
  stats.startup_ns = 6'500'000;
  stats.unfollowed = 7;
  CHECK(stats_json("kassist", stats) ==
        "{\"backend\":\"kassist\",\"events\":1,\"lost\":2,\"unseen\":3,\"late\":4,\"held\":5,\"unfollowed\":7,"
        "\"startup_ms\":6.500}\n");
}

TEST_CASE("stats: the largest counts fit") {
  BackendStats stats{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  CHECK(stats_json("kassist", stats).ends_with("}\n"));
}

}  // namespace strut::test

// Which cgroup limits memory.
#include <doctest/doctest.h>

#include "kassist/loader/memory_limit.hpp"

namespace strut::test {
namespace {

std::string file_of(std::string_view text) {
  auto group = memory_group(text);
  return group ? group->folder + group->file : "none";
}

}  // namespace

TEST_CASE("memory limit: the group of the hierarchy that counts memory") {
  CHECK(file_of("0::/user.slice/a:b\n") == "/sys/fs/cgroup/user.slice/a:b/memory.max");
  CHECK(file_of("0::/\n") == "/sys/fs/cgroup/memory.max");
  CHECK(file_of("9:name=systemd:/\n4:cpu,memory:/docker/1\n0::/x\n") ==
        "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes");
  CHECK(file_of("3:memory_not:/a\n2:cpu:/b\n") == "none");
  CHECK(file_of("") == "none");
  CHECK(file_of("0::") == "/sys/fs/cgroup/memory.max");
  CHECK(memory_group("4:memory:/a\n")->root_length == std::string_view("/sys/fs/cgroup/memory").size());
}

}  // namespace strut::test

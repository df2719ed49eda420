#include "procfs/cgroups.hpp"

#include <filesystem>

#include <stdlib.h>

#include <doctest/doctest.h>

namespace strut::test {
namespace {

using Paths = std::vector<std::string>;

const std::string kId = "0123456789ab" + std::string(52, 'c');

TEST_CASE("cgroups: a container's name is found in the forms that engines write") {
  CHECK(is_cgroup_of_container("web", "web"));
  CHECK(is_cgroup_of_container("lxc.payload.web", "web"));
  CHECK(is_cgroup_of_container("systemd-nspawn@web.service", "web"));
  CHECK(is_cgroup_of_container("machine-web\\x2dserver.scope", "web-server"));
  CHECK(is_cgroup_of_container("nginx.service", "nginx"));
  CHECK(is_cgroup_of_container("nginx.service", "nginx.service"));
  CHECK_FALSE(is_cgroup_of_container("webs", "web"));
  CHECK_FALSE(is_cgroup_of_container("docker-web", "web"));
  CHECK_FALSE(is_cgroup_of_container("system.slice", ""));
}

TEST_CASE("cgroups: of a container's id twelve digits will do") {
  for (std::string form : {"docker-" + kId + ".scope", "libpod-" + kId + ".scope", "cri-containerd-" + kId + ".scope",
                           "crio-" + kId + ".scope", "nerdctl-" + kId + ".scope", kId}) {
    CAPTURE(form);
    CHECK(is_cgroup_of_container(form, kId));
    CHECK(is_cgroup_of_container(form, kId.substr(0, 12)));
    CHECK_FALSE(is_cgroup_of_container(form, kId.substr(0, 11)));
    CHECK_FALSE(is_cgroup_of_container(form, "1" + kId.substr(1)));
  }
  CHECK_FALSE(is_cgroup_of_container("0123456789abcdef", "0123456789ab"));  // no id of a container is so short
}

TEST_CASE("cgroups: a backslash at a name's end stands for itself") {
  CHECK(is_cgroup_of_container("machine-a\\.scope", "a\\"));
  CHECK(is_cgroup_of_container("machine-a\\x2.scope", "a\\x2"));
  CHECK_FALSE(is_cgroup_of_container("\\xzz", "z"));
}

TEST_CASE("cgroups: mounts of version 2 alone") {
  CHECK(cgroup_mounts("cgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0\n") == Paths{"/sys/fs/cgroup"});
  CHECK(cgroup_mounts("tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
                      "none /sys/fs/cgroup/unified cgroup2 rw 0 0") == Paths{"/sys/fs/cgroup/unified"});
  CHECK(cgroup_mounts("").empty());
  CHECK(cgroup_mounts("cgroup2\n \n/a b").empty());
}

TEST_CASE("cgroups: a container is found at any depth, without the cgroups in it") {
  char folder[] = "/tmp/strut-cgroups.XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  std::filesystem::path root = folder;
  auto make = [&](const std::string& path) { std::filesystem::create_directories(root / path); };
  make("machine.slice/libpod-" + kId + ".scope/container/" + kId);
  make("a/web");
  make("b/web/web");
  make("c/other");
  CHECK(cgroups_of_container(folder, kId.substr(0, 12)) ==
        Paths{root / "machine.slice" / ("libpod-" + kId + ".scope")});
  CHECK(cgroups_of_container(folder, "web") == Paths{root / "a/web", root / "b/web"});
  CHECK(cgroups_of_container(folder, "nothing").empty());
  CHECK(cgroups_of_container(root / "gone", "web").empty());
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace strut::test

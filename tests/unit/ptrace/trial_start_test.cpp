#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/maps.hpp"
#include "ptrace/engine/trial_start.hpp"

using namespace strut;

namespace {

Launch launch(std::vector<std::string> words) { return {words[0], words, {}, {}}; }

/// The last names of the files with code that the command has when its own code begins; empty: the trial failed.
std::vector<std::string> code_of(const Launch& launch) {
  std::vector<std::string> names;
  try_start(launch, [&](Pid pid) {
    auto maps = maps_of(pid);
    REQUIRE(maps);
    for (const Mapping& mapping : *maps)
      if (mapping.executable && mapping.inode != 0) names.push_back(mapping.path.substr(mapping.path.rfind('/') + 1));
  });
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 || errno != ECHILD; }

}  // namespace

TEST_CASE("trial start: shows the libraries of a command, which does not run") {
  std::string marker = "/tmp/strut-trial-" + std::to_string(::getpid());
  auto names = code_of(launch({"/usr/bin/touch", marker}));
  struct stat file;
  CHECK(::stat(marker.c_str(), &file) != 0);
  CHECK(has(names, "touch"));
  CHECK(has(names, "libc.so.6"));
  CHECK_FALSE(has_children());
}

TEST_CASE("trial start: a command that cannot be executed, or without libraries to come") {
  CHECK(code_of(launch({"/nonexistent"})).empty());
  CHECK(code_of(launch({"/dev/null"})).empty());
  auto linker = code_of(launch({"/lib64/ld-linux-x86-64.so.2", "/bin/true"}));
  CHECK_FALSE(has(linker, "libc.so.6"));
  CHECK_FALSE(has_children());
}

TEST_CASE("trial start: none where the environment makes the linker do more than mapping") {
  Launch audited = launch({"/bin/true"});
  audited.environment = {"PATH=/bin", "LD_AUDIT=/nonexistent"};
  CHECK(code_of(audited).empty());
  audited.environment = {"PATH=/bin"};
  CHECK(has(code_of(audited), "libc.so.6"));
}

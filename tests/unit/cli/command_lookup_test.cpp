// Which file a command is, and the environment it gets.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/command_lookup.hpp"

namespace strut::test {
namespace {

/// An environment variable that gets its value back.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name), before_(getenv(name) ? getenv(name) : "") {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

/// A folder with: a/tool (not executable), a/dir/ (a folder), b/tool, b/dir (executable files).
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/strut-lookup.XXXXXX";
    REQUIRE(mkdtemp(name));
    path = name;
    for (const char* sub : {"/a", "/b", "/a/dir"}) REQUIRE(mkdir((path + sub).c_str(), 0700) == 0);
    make("/a/tool", 0600);
    make("/b/tool", 0700);
    make("/b/dir", 0700);
  }
  ~Folder() { [[maybe_unused]] int status = std::system(("rm -rf " + path).c_str()); }
  std::string path;

 private:
  void make(const char* name, mode_t mode) {
    int fd = open((path + name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, mode);
    REQUIRE(fd >= 0);
    close(fd);
  }
};

std::string why_not(const std::string& name) {
  auto found = find_executable(name);
  return found ? "" : describe(found.error());
}

}  // namespace

TEST_CASE("command lookup: the first executable regular file in PATH") {
  Folder folder;
  Variable path("PATH", folder.path + "/a:" + folder.path + "/b/");
  CHECK(find_executable("tool") == folder.path + "/b/tool");
  CHECK(find_executable("dir") == folder.path + "/b/dir");
  CHECK(why_not("nothing") == "Cannot find executable 'nothing'");
  CHECK(why_not("") == "Cannot find executable ''");
}

TEST_CASE("command lookup: a slash means a path, which need not be executable") {
  Folder folder;
  CHECK(find_executable(folder.path + "/a/tool") == folder.path + "/a/tool");
  CHECK(why_not("./no/such") == "Cannot stat './no/such': No such file or directory");
  CHECK(why_not(std::string(5000, 'x')) == "exec: File name too long");
}

TEST_CASE("command lookup: what has no execute bit is no program") {
  Folder folder;
  CHECK(find_program(folder.path + "/b/tool").value() == folder.path + "/b/tool");
  CHECK(find_program(folder.path + "/a/tool").error().why ==
        "Cannot execute '" + folder.path + "/a/tool': Permission denied");
  CHECK(find_program(folder.path + "/a/dir").error().why ==
        "Cannot execute '" + folder.path + "/a/dir': Is a directory");
}

TEST_CASE("command lookup: an empty element of PATH is the current directory, but not the last") {
  Folder folder;
  char before[4096];
  REQUIRE(getcwd(before, sizeof before));
  REQUIRE(chdir((folder.path + "/b").c_str()) == 0);
  {
    Variable path("PATH", ":/nowhere");
    CHECK(find_executable("tool") == folder.path + "/b/tool");
  }
  {
    Variable path("PATH", "/nowhere:");
    CHECK_FALSE(find_executable("tool"));
  }
  REQUIRE(chdir(before) == 0);
}

TEST_CASE("command lookup: the environment is changed in order") {
  Variable kept("STRUT_TEST_A", "1");
  Variable changed("STRUT_TEST_B", "2");
  auto environment = changed_environment({"STRUT_TEST_B=3", "STRUT_TEST_C=4", "STRUT_TEST_D=5", "STRUT_TEST_D"});
  auto has = [&](const char* variable) { return std::count(environment.begin(), environment.end(), variable); };
  CHECK(has("STRUT_TEST_A=1") == 1);
  CHECK(has("STRUT_TEST_B=3") == 1);
  CHECK(has("STRUT_TEST_B=2") == 0);
  CHECK(has("STRUT_TEST_C=4") == 1);
  CHECK(has("STRUT_TEST_D=5") == 0);
}

}  // namespace strut::test

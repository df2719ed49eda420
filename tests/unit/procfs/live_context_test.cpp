// The files of our own descriptors.
#include "procfs/live_context.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace strut::test {

/// A new file that is removed with its scope.
struct TemporaryFile {
  explicit TemporaryFile(std::string name) : path("/tmp/strut-unit-" + std::to_string(::getpid()) + name) {
    fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  ~TemporaryFile() {
    ::close(fd);
    ::unlink(path.c_str());
  }
  std::string path;
  int fd;
};

TEST_CASE("live context: a file, and one that was removed") {
  LiveContext around(Tid{::getpid()});
  TemporaryFile file("");
  auto target = around.fd_target(file.fd, false);
  REQUIRE(target);
  CHECK(target->path == file.path);
  CHECK_FALSE(target->deleted);
  ::unlink(file.path.c_str());
  target = around.fd_target(file.fd, false);
  REQUIRE(target);
  CHECK(target->path == file.path);
  CHECK(target->deleted);
}

TEST_CASE("live context: a name that ends in (deleted) does not make a file deleted") {
  LiveContext around(Tid{::getpid()});
  TemporaryFile file("x (deleted)");
  auto target = around.fd_target(file.fd, false);
  REQUIRE(target);
  CHECK(target->path == file.path);
  CHECK_FALSE(target->deleted);
}

TEST_CASE("live context: the current directory, and descriptors that are not open") {
  LiveContext around(Tid{::getpid()});
  char* cwd = ::getcwd(nullptr, 0);
  auto target = around.fd_target(AT_FDCWD, false);
  REQUIRE(target);
  CHECK(target->path == cwd);
  ::free(cwd);
  CHECK_FALSE(around.fd_target(-1, false));
  CHECK_FALSE(around.fd_target(1 << 20, false));
}

TEST_CASE("live context: pipes have names of their own") {
  LiveContext around(Tid{::getpid()});
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  auto target = around.fd_target(ends[0], true);
  REQUIRE(target);
  CHECK(target->path.starts_with("pipe:["));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("live context: names of processes, however they are called") {
  LiveContext around(Tid{::getpid()});
  char before[16];
  ::prctl(PR_GET_NAME, before);
  ::prctl(PR_SET_NAME, ") R 1\n\n");
  CHECK(around.comm(::getpid()) == ") R 1\n\n");
  ::prctl(PR_SET_NAME, before);
  CHECK_FALSE(around.comm(0));
  CHECK_FALSE(around.comm(0x7ffffff0));
}

TEST_CASE("live context: in our own namespace no pid needs translating") {
  LiveContext around(Tid{::getpid()});
  CHECK_FALSE(around.translate_pid(::getpid()));
  CHECK_FALSE(around.translate_pid(-1));
}

}  // namespace strut::test

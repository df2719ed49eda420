#include "formatters/common/output.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace strut::test {
namespace {

/// A directory that is gone with the test, and the files in it.
struct Directory {
  char path[32] = "/tmp/strut-output-XXXXXX";
  Directory() { REQUIRE(mkdtemp(path)); }
  ~Directory() { (void)system(("rm -rf " + std::string(path)).c_str()); }
  std::string file(std::string_view name) const { return std::string(path) + "/" + std::string(name); }
  std::string read(std::string_view name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
};

int create(const std::string& name) { return open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); }

}  // namespace

TEST_CASE("output: a regular file gathers until flush") {
  Directory directory;
  auto out = make_fd_output(create(directory.file("log")), Ownership::Owned, "log");
  CHECK_FALSE(out->immediate());
  REQUIRE(out->write(Tid{1}, "a"));
  CHECK(directory.read("log").empty());
  REQUIRE(out->flush());
  CHECK(directory.read("log") == "a");
  REQUIRE(out->write(Tid{1}, std::string(70000, 'b')));
  CHECK(directory.read("log").size() == 70001);
  REQUIRE(out->write(Tid{2}, "c"));
  out.reset();
  CHECK(directory.read("log").back() == 'c');
}

TEST_CASE("output: a descriptor shared with others is written at once") {
  Directory directory;
  int fd = create(directory.file("log"));
  auto out = make_fd_output(fd, Ownership::Borrowed, "log");
  CHECK(out->immediate());
  REQUIRE(out->write(Tid{1}, "a"));
  CHECK(directory.read("log") == "a");
  out.reset();
  CHECK(close(fd) == 0);
}

TEST_CASE("output: a shared descriptor buffers while no process waits for its lines") {
  Directory directory;
  int fd = create(directory.file("log"));
  auto out = make_fd_output(fd, Ownership::Borrowed, "log");
  out->gather();
  CHECK_FALSE(out->immediate());
  REQUIRE(out->write(Tid{1}, "a"));
  CHECK(directory.read("log").empty());
  REQUIRE(out->flush());
  CHECK(directory.read("log") == "a");
  out.reset();
  CHECK(close(fd) == 0);
}

TEST_CASE("output: a closed pipe is an Error with its name") {
  int pipe_ends[2];
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  close(pipe_ends[0]);
  auto old = signal(SIGPIPE, SIG_IGN);
  auto out = make_fd_output(pipe_ends[1], Ownership::Owned, "|cat");
  auto written = out->write(Tid{1}, "a");
  signal(SIGPIPE, old);
  REQUIRE_FALSE(written);
  CHECK(written.error().code == EPIPE);
  CHECK(written.error().subject == "|cat");
}

TEST_CASE("output: a log for every thread") {
  Directory directory;
  std::ofstream(directory.file("log.1")) << "old";
  auto out = make_separate_output(directory.file("log"), OpenMode::Truncate);
  CHECK(out->separate());
  REQUIRE(out->write(Tid{1}, "a"));
  REQUIRE(out->write(Tid{2}, {}));
  REQUIRE(out->close(Tid{1}));
  CHECK(directory.read("log.1") == "a");
  CHECK(access(directory.file("log.2").c_str(), F_OK) == 0);
  REQUIRE(out->write(Tid{1}, "b"));
  REQUIRE(out->flush());
  CHECK(directory.read("log.1") == "ab");
}

TEST_CASE("output: logs of threads can be appended to, or fail to open") {
  Directory directory;
  std::ofstream(directory.file("log.1")) << "old";
  auto out = make_separate_output(directory.file("log"), OpenMode::Append);
  REQUIRE(out->write(Tid{1}, "new"));
  REQUIRE(out->flush());
  CHECK(directory.read("log.1") == "oldnew");
  auto failed = make_separate_output("/nonexistent/log", OpenMode::Append)->write(Tid{1}, "a");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().subject == "/nonexistent/log.1");
}

}  // namespace strut::test

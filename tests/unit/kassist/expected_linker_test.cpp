// Which dynamic linker will run a program.
#include "kassist/uprobes/expected_linker.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace strut::test {
namespace {

/// A script that is gone with this object.
class Script {
 public:
  explicit Script(const std::string& first_line) {
    int file = ::mkstemp(path_.data());
    ::close(file);
    std::ofstream(path_) << first_line << "\nexit 0\n";
  }
  ~Script() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/strut-script.XXXXXX";
};

TEST_CASE("expected linker: of a program, of a script, of a script's script") {
  auto shells = expected_linker("/bin/sh");
  REQUIRE(shells);
  CHECK(::access(shells->c_str(), X_OK) == 0);
  CHECK(shells->find("ld") != std::string::npos);
  Script script("#! /bin/sh -e"), again("#!" + script.path());
  CHECK(expected_linker(script.path()) == shells);
  CHECK(expected_linker(again.path()) == shells);
}

TEST_CASE("expected linker: none") {
  CHECK_FALSE(expected_linker("/nonexistent/strut"));
  CHECK_FALSE(expected_linker(*expected_linker("/bin/sh")));  // it needs none itself
  Script text("just text"), empty("#!"), missing("#!/nonexistent/strut");
  CHECK_FALSE(expected_linker(text.path()));
  CHECK_FALSE(expected_linker(empty.path()));
  CHECK_FALSE(expected_linker(missing.path()));
  Script loop("");
  std::ofstream(loop.path()) << "#!" << loop.path() << "\n";
  CHECK_FALSE(expected_linker(loop.path()));
}

}  // namespace
}  // namespace strut::test

// When files of prototypes are read.
#include "libcalls/prototypes/prototype_search.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "libcalls/pairing/decode_function.hpp"
#include "tests/unit/own_modules.hpp"

namespace strut::test {
namespace {

TEST_CASE("prototypes: the system's file is read when a function is not known otherwise, and its errors are reported") {
  OwnModules own;
  CallModule libc(own.libc().file, "/libc.so.6", {});
  std::string path = "/tmp/strut-prototypes-" + std::to_string(::getpid());
  std::vector<std::string> lines;
  PrototypeSearch prototypes;
  prototypes.systems_libraries().report_to([&](const std::string& line) { lines.push_back(line); });
  prototypes.add_systems(path);
  CHECK(prototypes.of("getpid", libc, 0) != &unknown_function());  // the file is not there yet
  CHECK(lines.empty());
  std::ofstream(path) << "int strut_only_in_a_file(int, string);\nnonsense\n";
  const FunctionDesc* found = prototypes.of("strut_only_in_a_file", libc, 0);
  std::remove(path.c_str());
  CHECK(found->args.size() == 2);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find(path) != std::string::npos);
  CHECK(prototypes.of("strut_in_no_file", libc, 0) == &unknown_function());  // which is not read again
  CHECK(lines.size() == 1);
}

}  // namespace
}  // namespace strut::test

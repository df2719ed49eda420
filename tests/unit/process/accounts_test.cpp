// Users and groups without NSS, from files.
#include <doctest/doctest.h>

#include <memory>

#include "process/accounts.hpp"

namespace strut::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File file_of(std::string text) {
  File file(std::tmpfile(), &std::fclose);
  REQUIRE(file);
  std::fputs(text.c_str(), file.get());
  std::rewind(file.get());
  return file;
}

}  // namespace

TEST_CASE("accounts: a user is found by its whole name") {
  constexpr const char* kPasswd = "root:x:0:0:root:/root:/bin/sh\nann:x:1001:100::/home/ann:/bin/sh\nanna:x:7:8:::\n";
  auto ann = find_account_in(file_of(kPasswd).get(), "ann");
  REQUIRE(ann);
  CHECK(ann->uid == 1001);
  CHECK(ann->gid == 100);
  CHECK_FALSE(find_account_in(file_of(kPasswd).get(), "an"));
  CHECK_FALSE(find_account_in(file_of("").get(), "ann"));
}

TEST_CASE("accounts: a user's own group comes first, and once") {
  constexpr const char* kGroup = "users:x:100:ann\nwheel:x:10:bob,ann\nannals:x:11:annals\ntracers:x:12:ann\n";
  CHECK(groups_in(file_of(kGroup).get(), "ann", 100) == std::vector<gid_t>{100, 10, 12});
  CHECK(groups_in(file_of(kGroup).get(), "eve", 5) == std::vector<gid_t>{5});
}

}  // namespace strut::test

// Linked instead of accounts.cpp into the static binary.
#include <memory>

#include <grp.h>

#include "process/accounts.hpp"

namespace strut {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const char* path) { return {std::fopen(path, "re"), &std::fclose}; }

}  // namespace

std::optional<Account> find_account(const std::string& name) {
  File passwd = open_file("/etc/passwd");
  return passwd ? find_account_in(passwd.get(), name) : std::nullopt;
}

bool take_groups_of(const std::string& name, gid_t gid) {
  File group = open_file("/etc/group");
  std::vector<gid_t> groups = group ? groups_in(group.get(), name, gid) : std::vector{gid};
  return ::setgroups(groups.size(), groups.data()) == 0;
}

}  // namespace strut

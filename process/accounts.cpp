#include "process/accounts.hpp"

#include <grp.h>
#include <pwd.h>

namespace strut {

std::optional<Account> find_account(const std::string& name) {
  const passwd* entry = ::getpwnam(name.c_str());
  if (!entry) return std::nullopt;
  return Account{entry->pw_uid, entry->pw_gid};
}

bool take_groups_of(const std::string& name, gid_t gid) { return ::initgroups(name.c_str(), gid) == 0; }

}  // namespace strut

#include <grp.h>
#include <pwd.h>

#include "process/accounts.hpp"

namespace strut {

std::optional<Account> find_account_in(std::FILE* passwd, const std::string& name) {
  while (const struct passwd* entry = ::fgetpwent(passwd))
    if (name == entry->pw_name) return Account{entry->pw_uid, entry->pw_gid};
  return std::nullopt;
}

std::vector<gid_t> groups_in(std::FILE* group, const std::string& name, gid_t gid) {
  std::vector<gid_t> groups = {gid};
  while (const struct group* entry = ::fgetgrent(group))
    for (char** member = entry->gr_mem; *member; member++)
      if (name == *member && entry->gr_gid != gid) groups.push_back(entry->gr_gid);
  return groups;
}

}  // namespace strut

// Users and groups of this machine, by name: through NSS, or, in the static binary, from /etc/passwd and /etc/group.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace strut {

struct Account {
  uid_t uid;
  gid_t gid;
};

/// nullopt: there is no such user.
std::optional<Account> find_account(const std::string& name);

/// Gives this process the user's groups, as initgroups(3). False: errno says why not.
bool take_groups_of(const std::string& name, gid_t gid);

// Without NSS, which a static program can only use by loading shared libraries of its own build of the C library.

/// As find_account(), from a file of the form of passwd(5).
std::optional<Account> find_account_in(std::FILE* passwd, const std::string& name);
/// The groups that have this member, after `gid`, from a file of the form of group(5).
std::vector<gid_t> groups_in(std::FILE* group, const std::string& name, gid_t gid);

}  // namespace strut

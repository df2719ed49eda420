#include "cli/common/command_lookup.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/numbers.hpp"
#include "process/accounts.hpp"
#include "process/caller.hpp"

namespace strut {
namespace {

bool is_executable_file(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111) != 0;
}

std::string current_directory() {
  char directory[PATH_MAX];
  return getcwd(directory, sizeof directory) ? directory : ".";
}

/// The first of a PATH's directories that has it; empty: none. An empty element stands for the current directory, but
/// not behind a last colon.
std::string find_in_path(std::string_view name, std::string_view path) {
  for (std::string_view rest = path; !rest.empty();) {
    std::string candidate(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(candidate.size() + 1, rest.size()));
    if (candidate.empty()) candidate = current_directory();
    if (!candidate.ends_with('/')) candidate += '/';
    candidate += name;
    if (candidate.size() < PATH_MAX && is_executable_file(candidate)) return candidate;
  }
  return {};
}

}  // namespace

Result<std::string> find_executable(std::string_view name) {
  if (name.size() >= PATH_MAX) return fail({ENAMETOOLONG, "exec", {}, {}, {}});
  if (name.find('/') != std::string_view::npos) {
    std::string path(name);
    struct stat status;
    if (stat(path.c_str(), &status) == 0) return path;
    return fail_because("Cannot stat '" + path + "': " + strerror(errno));
  }
  const char* directories = getenv("PATH");
  std::string path = find_in_path(name, directories ? directories : "");
  if (path.empty()) return fail_because("Cannot find executable '" + std::string(name) + "'");
  return path;
}

Result<std::string> find_helper(std::string_view name) {
  if (trusted_variable("PATH")) return find_executable(name);
  constexpr const char* kStandard = "/usr/bin:/bin";
  std::string path = find_in_path(name, kStandard);
  if (path.empty()) return fail_because("Cannot find executable '" + std::string(name) + "' in " + kStandard);
  return path;
}

Result<std::string> find_program(std::string_view name) {
  std::string path = TRY(find_executable(name));
  if (is_executable_file(path)) return path;
  struct stat status;
  bool is_folder = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return fail_because("Cannot execute '" + path + "': " + strerror(is_folder ? EISDIR : EACCES));
}

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; variable++) variables.emplace_back(*variable);
  for (const std::string& change : changes) {
    size_t equals = change.find('=');
    std::string name = change.substr(0, equals) + "=";
    auto named = [&](const std::string& variable) { return variable.starts_with(name); };
    if (equals == std::string::npos) {
      std::erase_if(variables, named);
      continue;
    }
    auto found = std::find_if(variables.begin(), variables.end(), named);
    if (found != variables.end()) *found = change;
    else variables.push_back(change);
  }
  return variables;
}

Result<Launch::User> find_user(const std::string& text) {
  if (getuid() != 0) return fail_because("You must be root to use the -u/--username option");
  constexpr uint64_t kLargestId = UINT32_MAX - 1;  // all ones means "unchanged" to setuid(2) and friends
  size_t colon = text.find(':');
  if (colon != std::string::npos) {
    auto uid = parse_number(std::string_view(text).substr(0, colon), kLargestId);
    auto gid = parse_number(std::string_view(text).substr(colon + 1), kLargestId);
    if (uid && gid) return Launch::User{uid_t(*uid), gid_t(*gid), {}};
    return fail_because("Invalid UID:GID pair '" + text + "'");
  }
  std::optional<Account> account = find_account(text);
  if (!account) return fail_because("Cannot find user '" + text + "'");
  return Launch::User{account->uid, account->gid, text};
}

}  // namespace strut

#include "procfs/cgroups.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

namespace strut {
namespace {

/// Text around a container's name or id.
struct CgroupName {
  std::string_view before, behind;
};
constexpr CgroupName kCgroupNames[] = {
    {"", ""},               // engines that write cgroups themselves: docker/ID, kubepods/…/ID
    {"docker-", ".scope"},  // and those that ask systemd
    {"libpod-", ".scope"},  // Podman
    {"libpod-", ""},
    {"cri-containerd-", ".scope"},  // Kubernetes
    {"crio-", ".scope"},
    {"nerdctl-", ".scope"},
    {"lxc.payload.", ""},  // LXC, Incus
    {"systemd-nspawn@", ".service"},
    {"machine-", ".scope"},  // systemd-machined
    {"", ".service"},
};
constexpr size_t kIdDigits = 64, kLeastDigits = 12;  // as `docker ps` shows them

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// systemd writes a character that a unit's name may not have as \xHH (systemd.unit(5)).
std::string unescaped(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); i++) {
    std::string_view digits = name.substr(i + 1).starts_with('x') ? name.substr(i + 2, 2) : std::string_view();
    if (name[i] == '\\' && digits.size() == 2 && is_hexadecimal(digits)) {
      text += static_cast<char>(std::stoi(std::string(digits), nullptr, 16));
      i += 3;
    } else {
      text += name[i];
    }
  }
  return text;
}

bool is_name_or_id(std::string_view found, std::string_view name) {
  if (found == name) return true;
  return found.size() == kIdDigits && name.size() >= kLeastDigits && is_hexadecimal(found) && found.starts_with(name);
}

/// Cgroups come and go meanwhile: one that cannot be read has no others below it.
void find_below(const std::filesystem::path& folder, std::string_view name, std::vector<std::string>& found) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (!at->is_directory(gone)) continue;
    if (is_cgroup_of_container(at->path().filename().native(), name)) found.push_back(at->path().native());
    else find_below(at->path(), name, found);
  }
}

}  // namespace

bool is_cgroup_of_container(std::string_view last_part, std::string_view name) {
  if (name.empty()) return false;
  for (const CgroupName& form : kCgroupNames) {
    if (last_part.size() < form.before.size() + form.behind.size()) continue;
    if (!last_part.starts_with(form.before) || !last_part.ends_with(form.behind)) continue;
    std::string_view inside = last_part.substr(form.before.size());
    inside.remove_suffix(form.behind.size());
    if (is_name_or_id(inside, name) || is_name_or_id(unescaped(inside), name)) return true;
  }
  return false;
}

std::vector<std::string> cgroup_mounts(std::string_view mounts) {
  std::vector<std::string> found;
  while (!mounts.empty()) {
    std::string_view line = mounts.substr(0, mounts.find('\n'));
    mounts.remove_prefix(std::min(mounts.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find(' ')));  // the source
    line.remove_prefix(std::min<size_t>(line.size(), 1));
    size_t end = line.find(' ');
    if (end != std::string_view::npos && line.substr(end).starts_with(" cgroup2 "))
      found.emplace_back(line.substr(0, end));
  }
  return found;
}

std::vector<std::string> cgroups_of_container(const std::string& root, std::string_view name) {
  std::vector<std::string> found;
  find_below(root, name, found);
  std::ranges::sort(found);
  return found;
}

}  // namespace strut

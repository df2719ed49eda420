// Cgroups of version 2, and which of them are containers: cgroups(7); the names that container engines give them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// True if an engine calls the cgroup of a container `name` so: the last part of its path is the name, or the name in
/// a form of Docker's, Podman's, Kubernetes', LXC's or systemd's. Of an id in hexadecimal its first 12 digits will do.
bool is_cgroup_of_container(std::string_view last_part, std::string_view name);

/// The directories where cgroup2 is mounted, from the text of /proc/self/mounts.
std::vector<std::string> cgroup_mounts(std::string_view mounts);

/// The directories of this container's cgroups below `root`. Those below another one of it are left out.
std::vector<std::string> cgroups_of_container(const std::string& root, std::string_view name);

}  // namespace strut

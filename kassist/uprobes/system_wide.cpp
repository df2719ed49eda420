#include "kassist/uprobes/system_wide.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>
#include <string>

#include <dirent.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "procfs/socket_diag.hpp"

namespace strut {

namespace {

constexpr size_t kFdinfoBytes = 4096;
constexpr unsigned kTerminalMajor = 136;  // the slaves of /dev/ptmx: Documentation/admin-guide/devices.txt, 136 to 143
constexpr unsigned kTerminalMajors = 8;
constexpr unsigned kMinors = 256;

/// Calls `visit(number)` for the names of a folder below /proc that are numbers.
template <typename Visit>
void each_number(const char* path, Visit visit) {
  DIR* folder = ::opendir(path);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder)) {
    int32_t number;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    auto [at, error] = std::from_chars(entry->d_name, end, number);
    if (error == std::errc{} && at == end) visit(number);
  }
  ::closedir(folder);
}

/// The names of the other ends of our descriptors in /proc/PID/fd.
struct OtherEnds {
  std::set<std::string> links;
  std::set<std::string> terminals;  ///< "tty-index:\t5" in the fdinfo of a /dev/ptmx (proc(5))
};

/// Whether a descriptor is open for S_IRUSR (reading) or S_IWUSR (writing): the link's own mode says so (proc(5)).
bool is_open_for(mode_t what, int32_t pid, int32_t fd) {
  struct stat link{};
  return ::lstat(proc_path(pid, "fd", fd), &link) == 0 && (link.st_mode & what) != 0;
}

void add_other_end(OtherEnds& ends, int fd) {
  struct stat seen{};
  if (::fstat(fd, &seen) != 0 || !is_open_for(S_IWUSR, ::getpid(), fd)) return;
  if (S_ISFIFO(seen.st_mode)) ends.links.insert("pipe:[" + std::to_string(seen.st_ino) + "]");
  if (S_ISSOCK(seen.st_mode))
    if (auto ours = find_unix_socket(static_cast<uint32_t>(seen.st_ino)); ours && ours->peer != 0)
      ends.links.insert("socket:[" + std::to_string(ours->peer) + "]");
  unsigned group = S_ISCHR(seen.st_mode) ? major(seen.st_rdev) - kTerminalMajor : kTerminalMajors;
  if (group < kTerminalMajors)
    ends.terminals.insert("tty-index:\t" + std::to_string(group * kMinors + minor(seen.st_rdev)) + "\n");
}

bool holds(int32_t pid, const OtherEnds& ends) {
  bool found = false;
  each_number(proc_path(pid, "fd"), [&](int32_t fd) {
    auto link = found ? std::nullopt : read_proc_link(proc_path(pid, "fd", fd));
    if (!link) return;
    found = ends.links.contains(*link) && is_open_for(S_IRUSR, pid, fd);
    if (found || !link->ends_with("/ptmx") || ends.terminals.empty()) return;
    auto info = read_proc_file(proc_path(pid, "fdinfo", fd), kFdinfoBytes);
    for (const std::string& terminal : ends.terminals) found |= info && info->find(terminal) != std::string::npos;
  });
  return found;
}

}  // namespace

Result<wire_choice> choice_of(const SystemWide& asked) {
  wire_choice choice{};
  choice.system_wide = 1;
  if (asked.uid) {
    choice.by |= WIRE_BY_UID;
    choice.uid = *asked.uid;
  }
  if (asked.comm) {
    choice.by |= WIRE_BY_COMM;
    size_t length = std::min<size_t>(asked.comm->size(), WIRE_COMM - 1);  // the kernel cuts names, too
    std::memcpy(choice.comm, asked.comm->data(), length);
  }
  if (asked.cgroup) {
    struct stat folder{};
    struct statfs system{};
    if (::stat(asked.cgroup->c_str(), &folder) != 0 || ::statfs(asked.cgroup->c_str(), &system) != 0)
      return fail({errno, "--cgroup", *asked.cgroup, {}, {}});
    if (static_cast<uint64_t>(system.f_type) != CGROUP2_SUPER_MAGIC || !S_ISDIR(folder.st_mode))
      return fail({0, "--cgroup", *asked.cgroup, "it is no directory of a cgroup2 file system", {}});
    choice.by |= WIRE_BY_CGROUP;
    choice.cgroup = folder.st_ino;
  }
  return choice;
}

std::unordered_map<int32_t, wire_seeding> exempt_processes() {
  OtherEnds ends;
  each_number("/proc/self/fd", [&](int32_t fd) { add_other_end(ends, fd); });
  int32_t self = ::getpid();
  std::unordered_map<int32_t, wire_seeding> exempt{{self, WIRE_SEED_EXEMPT}};
  each_number("/proc", [&](int32_t pid) {
    auto status = process_status(Tid{pid});
    if (pid == self) return;
    if (status && raw(status->parent) == self) exempt[pid] = WIRE_SEED_EXEMPT;
    else if (holds(pid, ends)) exempt[pid] = WIRE_SEED_READER;
  });
  return exempt;
}

std::vector<std::vector<wire_seed>> by_process(std::vector<wire_seed> seeds) {
  std::stable_sort(seeds.begin(), seeds.end(), [](const wire_seed& a, const wire_seed& b) {
    return a.tgid != b.tgid ? a.tgid<b.tgid : (a.tid == a.tgid)>(b.tid == b.tgid);
  });
  std::vector<std::vector<wire_seed>> processes;
  for (const wire_seed& seed : seeds) {
    if (processes.empty() || processes.back().front().tgid != seed.tgid) processes.emplace_back();
    processes.back().push_back(seed);
  }
  return processes;
}

}  // namespace strut

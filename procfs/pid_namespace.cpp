#include "procfs/pid_namespace.hpp"

#include <charconv>
#include <memory>
#include <string_view>

#include <dirent.h>

#include "procfs/proc_file.hpp"
#include "procfs/proc_root.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

std::optional<std::string> namespace_of(int32_t id) { return read_proc_link(proc_path(id, "ns/pid")); }

/// The contents of the status that is searched for.
struct Wanted {
  size_t level;  ///< index in NSpid of the namespace with a known number
  int32_t id;
  std::string space;
};

bool numbered(const std::vector<int32_t>& nested, const Wanted& wanted) {
  return nested.size() > wanted.level && nested[wanted.level] == wanted.id;
}

/// A process deeper down has a number in `wanted.space` too if that is an ancestor of its own namespace; its link does
/// not say so, and a match by level and number is taken for it.
bool in_space(int32_t id, const std::vector<int32_t>& nested, const Wanted& wanted) {
  return nested.size() > wanted.level + 1 || namespace_of(id) == wanted.space;
}

std::optional<int32_t> match(int32_t process, const Wanted& wanted) {
  auto status = process_status(Tid{process});
  if (!status || status->nested_pids.size() <= wanted.level) return std::nullopt;
  if (numbered(status->nested_pids, wanted) && in_space(process, status->nested_pids, wanted)) return process;
  if (status->threads < 2) return std::nullopt;
  auto threads = threads_of(Pid{process});
  if (!threads) return std::nullopt;
  for (Tid thread : *threads) {
    auto own = process_status(thread);
    if (own && numbered(own->nested_tids, wanted) && in_space(raw(thread), own->nested_tids, wanted))
      return raw(thread);
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> numbers_are_the_kernels() {
  constexpr std::string_view kFirst = "pid:[4026531836]";  // PID_NS_INIT_INO of <linux/nsfs.h>, fixed since Linux 3.8
  auto ours = read_proc_link("/proc/self/ns/pid");
  return ours ? std::optional(*ours == kFirst) : std::nullopt;
}

uint32_t own_pid_namespace() {
  constexpr std::string_view kPrefix = "pid:[";
  auto ours = read_proc_link("/proc/self/ns/pid");
  uint32_t inode = 0;
  if (ours && ours->starts_with(kPrefix))
    std::from_chars(ours->data() + kPrefix.size(), ours->data() + ours->size(), inode);
  return inode;
}

std::optional<bool> capabilities_are_the_kernels() {
  constexpr std::string_view kFirst = "user:[4026531837]";  // USER_NS_INIT_INO of <linux/nsfs.h>, fixed since Linux 3.8
  auto ours = read_proc_link("/proc/self/ns/user");
  return ours ? std::optional(*ours == kFirst) : std::nullopt;
}

bool shares_our_pid_namespace(Tid thread) {
  static const std::optional<std::string> ours = read_proc_link("/proc/self/ns/pid");
  auto theirs = namespace_of(raw(thread));
  return !ours || !theirs || *ours == *theirs;
}

std::optional<int32_t> find_in_pid_namespace(Tid thread, int32_t id) {
  auto self = process_status(thread);
  auto space = namespace_of(raw(thread));
  if (!self || !space || self->nested_tids.size() < 2) return std::nullopt;
  Wanted wanted{self->nested_tids.size() - 1, id, std::move(*space)};
  if (self->nested_tids.back() == id) return raw(thread);
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(proc_root()), ::closedir);
  if (!folder) return std::nullopt;
  while (const dirent* entry = ::readdir(folder.get())) {
    std::string_view name = entry->d_name;
    int32_t process = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (auto found = match(process, wanted)) return found;
  }
  return std::nullopt;
}

}  // namespace strut

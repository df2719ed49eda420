#include "core/proc/live_surroundings.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/proc/pid_namespace.hpp"
#include "core/proc/proc_file.hpp"
#include "core/proc/process_status.hpp"

namespace strut {

namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// True if the link's " (deleted)" is the kernel's word and not the end of a file's name (d_path adds it to what has
/// no links left).
bool unlinked(const char* link) {
  struct stat64 found;
  return ::stat64(link, &found) != 0 || found.st_nlink == 0;
}

std::optional<DeviceTarget> device_behind(const char* link) {
  struct stat64 found;
  if (::stat64(link, &found) != 0) return std::nullopt;
  if (!S_ISCHR(found.st_mode) && !S_ISBLK(found.st_mode)) return std::nullopt;
  return DeviceTarget{S_ISBLK(found.st_mode), gnu_dev_major(found.st_rdev), gnu_dev_minor(found.st_rdev), {}};
}

}  // namespace

std::optional<FdTarget> LiveSurroundings::fd_target(int fd, bool details) {
  if (fd < 0 && fd != AT_FDCWD) return std::nullopt;
  ProcPath link = fd == AT_FDCWD ? proc_path(raw(tid_), "cwd") : proc_path(raw(tid_), "fd", fd);
  auto path = read_proc_link(link);
  if (!path) return std::nullopt;
  FdTarget target;
  if (path->ends_with(kDeleted) && unlinked(link)) {
    path->resize(path->size() - kDeleted.size());
    target.deleted = true;
  }
  target.path = std::move(*path);
  if (details && target.path.starts_with('/'))
    if (auto device = device_behind(link)) target.details = *device;
  return target;
}

bool LiveSurroundings::in_foreign_namespace() {
  if (namespace_ == Namespace::Unknown)
    namespace_ = shares_our_pid_namespace(tid_) ? Namespace::Ours : Namespace::Foreign;
  return namespace_ == Namespace::Foreign;
}

std::optional<std::string> LiveSurroundings::comm(int32_t id) {
  if (id <= 0) return std::nullopt;
  if (!in_foreign_namespace()) return comm_of(id);
  auto ours = find_in_pid_namespace(tid_, id);
  return ours ? comm_of(*ours) : std::nullopt;
}

std::optional<std::string> LiveSurroundings::namespace_of(int32_t id, const char* kind) {
  int32_t ours = id == 0 ? raw(tid_) : id;
  if (id != 0 && in_foreign_namespace()) {
    auto found = find_in_pid_namespace(tid_, id);
    if (!found) return std::nullopt;
    ours = *found;
  }
  std::string name = std::string("ns/") + kind;
  return read_proc_link(proc_path(ours, name.c_str()));
}

std::optional<int32_t> LiveSurroundings::translate_pid(int32_t id) {
  if (id <= 0 || !in_foreign_namespace()) return std::nullopt;
  return find_in_pid_namespace(tid_, id);
}

}  // namespace strut

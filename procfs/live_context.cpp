#include "procfs/live_context.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <sys/stat.h>

#include "procfs/fd_details.hpp"
#include "procfs/pid_namespace.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// True if the link's " (deleted)" is the kernel's word (d_path adds it to a name that was removed) and not the end of
/// the file's name: then a file of that name would be the one that is open.
bool removed(Tid tid, const char* link, const std::string& text) {
  std::string in_its_root = std::string(proc_path(raw(tid), "root")) + text;
  struct stat64 open_file, named;
  if (::stat64(link, &open_file) != 0 || ::stat64(in_its_root.c_str(), &named) != 0) return true;
  return open_file.st_dev != named.st_dev || open_file.st_ino != named.st_ino;
}

}  // namespace

std::optional<FdTarget> LiveContext::fd_target(int fd, bool details) {
  if (fd < 0 && fd != AT_FDCWD) return std::nullopt;
  bool directory = fd == AT_FDCWD;
  ProcPath link = directory ? proc_path(raw(tid_), "cwd") : proc_path(raw(tid_), "fd", fd);
  auto path = read_proc_link(link);
  if (!path) return std::nullopt;
  FdTarget target;
  target.path = std::move(*path);
  if (directory) return target;
  if (target.path.ends_with(kDeleted) && removed(tid_, link, target.path)) {
    target.path.resize(target.path.size() - kDeleted.size());
    target.deleted = true;
  }
  if (details) target.details = fd_details(tid_, fd, target.path);
  if (details && sockets_)
    if (auto socket = sockets_->find(tid_, fd, target.path)) target.details = std::move(*socket);
  if (auto* pidfd = std::get_if<PidfdTarget>(&target.details); pidfd && pidfds_ == PidfdNames::Learn)
    pidfd->comm = comm_of(pidfd->pid).value_or("");
  return target;
}

bool LiveContext::in_foreign_namespace() {
  if (namespace_ == Namespace::Unknown)
    namespace_ = shares_our_pid_namespace(tid_) ? Namespace::Ours : Namespace::Foreign;
  return namespace_ == Namespace::Foreign;
}

std::optional<std::string> LiveContext::comm(int32_t id) {
  if (id <= 0) return std::nullopt;
  if (!in_foreign_namespace()) return comm_of(id);
  auto ours = find_in_pid_namespace(tid_, id);
  return ours ? comm_of(*ours) : std::nullopt;
}

std::optional<std::string> LiveContext::namespace_of(int32_t id, const char* kind) {
  int32_t ours = id == 0 ? raw(tid_) : id;
  if (id != 0 && in_foreign_namespace()) {
    auto found = find_in_pid_namespace(tid_, id);
    if (!found) return std::nullopt;
    ours = *found;
  }
  std::string name = std::string("ns/") + kind;
  return read_proc_link(proc_path(ours, name.c_str()));
}

std::optional<int32_t> LiveContext::translate_pid(int32_t id) {
  if (id <= 0 || !in_foreign_namespace()) return std::nullopt;
  return find_in_pid_namespace(tid_, id);
}

// In the network namespace of the caller.
std::optional<std::string> LiveContext::interface_name(uint32_t index) {
  char name[IF_NAMESIZE];
  if (!::if_indextoname(index, name)) return std::nullopt;
  return name;
}

std::optional<std::string> LiveContext::generic_family(uint16_t number) {
  return sockets_ ? sockets_->generic_family(number) : std::nullopt;
}

std::optional<NetlinkTarget> LiveContext::netlink_socket(int fd) {
  if (fd < 0 || !sockets_) return std::nullopt;
  auto path = read_proc_link(proc_path(raw(tid_), "fd", fd));
  return path ? sockets_->netlink_socket(tid_, fd, *path) : std::nullopt;
}

}  // namespace strut

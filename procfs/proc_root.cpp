#include "procfs/proc_root.hpp"

#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace strut {
namespace {

/// Above what programs use by themselves.
constexpr int kLeastDescriptor = 1000;

struct ProcRoot {
  char path[32] = "/proc";
  int descriptor = -1;
  bool is_usable = true;
};

/// The link names the reader by its number in the namespace that the procfs was mounted for: proc(5). Without a link
/// there is no procfs at all, which is found out where a file is missing.
bool is_of_another_namespace() {
  char target[16];
  ssize_t length = ::readlink("/proc/self", target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = '\0';
  return std::atoi(target) != ::getpid();
}

/// fsopen(2), fsmount(2): a mount without a place.
int procfs_of_our_own() {
  int context = ::fsopen("proc", FSOPEN_CLOEXEC);
  if (context < 0) return -1;
  int created = ::fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
  int mount = created == 0 ? ::fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC) : -1;
  ::close(context);
  if (mount < 0) return -1;
  int high = ::fcntl(mount, F_DUPFD_CLOEXEC, kLeastDescriptor);
  if (high >= 0) ::close(mount);
  return high >= 0 ? high : mount;
}

ProcRoot found() {
  ProcRoot root;
  if (!is_of_another_namespace()) return root;
  root.descriptor = procfs_of_our_own();
  root.is_usable = root.descriptor >= 0;
  std::snprintf(root.path, sizeof root.path, "/proc/self/fd/%d", root.descriptor);
  return root;
}

const ProcRoot& root() {
  static const ProcRoot kRoot = found();
  return kRoot;
}

}  // namespace

const char* proc_root() { return root().path; }
int proc_root_descriptor() { return root().descriptor; }
bool proc_is_usable() { return root().is_usable; }

}  // namespace strut

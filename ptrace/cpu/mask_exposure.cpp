#include "ptrace/cpu/mask_exposure.hpp"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

#include "procfs/proc_file.hpp"

namespace strut {

enum class MaskExposure::Kind : uint8_t {
  Harmless,
  Own,          ///< a child or a kernel thread inherits the caller's mask, or the right to change it may be lost
  Any,          ///< tells or takes the mask of any thread, or reads what we cannot see
  ReadsFirst,   ///< reads the descriptor that is its first argument …
  ReadsSecond,  ///< … its second
  Ioctl,
};

namespace {

/// The types of the requests (bits 8 to 15) that start threads in the kernel: <linux/kvm.h>, <linux/vhost.h>.
constexpr uint8_t kKvmType = 0xae;
constexpr uint8_t kVhostType = 0xaf;

bool starts_threads(uint64_t request) {
  uint8_t type = static_cast<uint8_t>(request >> 8);
  return type == kKvmType || type == kVhostType;
}

/// Whether a descriptor may be of a file like /proc/PID/status: a regular one of no device, and of no length.
bool may_be_proc_file(int32_t tid, int fd) {
  struct statx file;
  if (::statx(AT_FDCWD, proc_path(tid, "fd", fd), AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_SIZE,
              &file) != 0)
    return true;
  return S_ISREG(file.stx_mode) && file.stx_dev_major == 0 && file.stx_size == 0;
}

}  // namespace

MaskExposure::Kind MaskExposure::kind_of(const SyscallDesc& desc) {
  struct Row {
    std::string_view name;
    Kind kind;
  };
  static constexpr Row kRows[] = {
      {"clone", Kind::Own},
      {"clone3", Kind::Own},
      {"copy_file_range", Kind::ReadsFirst},
      {"execve", Kind::Any},  // changes who has which tid, and by security modules who may place it
      {"execveat", Kind::Any},
      {"fork", Kind::Own},
      {"io_submit", Kind::Any},
      {"io_uring_enter", Kind::Any},
      {"io_uring_register", Kind::Any},
      {"io_uring_setup", Kind::Any},
      {"ioctl", Kind::Ioctl},
      {"pread64", Kind::ReadsFirst},
      {"preadv", Kind::ReadsFirst},
      {"preadv2", Kind::ReadsFirst},
      {"preadv64", Kind::ReadsFirst},
      {"preadv64v2", Kind::ReadsFirst},
      {"read", Kind::ReadsFirst},
      {"readv", Kind::ReadsFirst},
      {"sched_getaffinity", Kind::Any},
      {"sched_setaffinity", Kind::Any},
      {"sched_setattr", Kind::Any},  // SCHED_DEADLINE wants all CPUs
      {"sched_setscheduler", Kind::Any},
      {"sendfile", Kind::ReadsSecond},
      {"sendfile64", Kind::ReadsSecond},
      {"setns", Kind::Own},
      {"setresuid", Kind::Own},
      {"setresuid32", Kind::Own},
      {"setreuid", Kind::Own},
      {"setreuid32", Kind::Own},
      {"setuid", Kind::Own},
      {"setuid32", Kind::Own},
      {"splice", Kind::ReadsFirst},
      {"unshare", Kind::Own},
      {"vfork", Kind::Own},
  };
  auto [at, is_new] = kinds_.try_emplace(&desc, Kind::Harmless);
  if (!is_new) return at->second;
  auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.name == desc.name; });
  if (row != std::end(kRows)) at->second = row->kind;
  if (&desc == &unknown_syscall()) at->second = Kind::Any;
  return at->second;
}

Exposure MaskExposure::of(Tracee& tracee) {
  if (tracee.exposure != Exposure::Unknown) return tracee.exposure;
  auto exposed = [&](size_t argument) {
    bool read = may_be_proc_file(raw(tracee.tid), static_cast<int>(tracee.call.regs[argument]));
    return read ? Exposure::Anybody : Exposure::Nobody;
  };
  auto found = [&] {
    if (tracee.injection) return Exposure::Anybody;  // may make another call of it
    switch (kind_of(*tracee.call.desc)) {
      case Kind::Harmless: return Exposure::Nobody;
      case Kind::Own: return Exposure::Itself;
      case Kind::Any: return Exposure::Anybody;
      case Kind::ReadsFirst: return exposed(0);
      case Kind::ReadsSecond: return exposed(1);
      case Kind::Ioctl: return starts_threads(tracee.call.regs[1]) ? Exposure::Itself : Exposure::Nobody;
    }
    return Exposure::Anybody;
  };
  return tracee.exposure = found();
}

}  // namespace strut

#include "ptrace/cpu/mask_exposure.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "procfs/proc_file.hpp"

namespace strut {

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

Exposure exposure_of(Tracee& tracee) {
  if (tracee.exposure != Exposure::Unknown) return tracee.exposure;
  auto exposed = [&](size_t argument) {
    bool read = may_be_proc_file(raw(tracee.tid), static_cast<int>(tracee.call.regs[argument]));
    return read ? Exposure::Anybody : Exposure::None;
  };
  auto found = [&] {
    if (tracee.injection) return Exposure::Anybody;  // may make another call of it
    if (tracee.call.desc == &unknown_syscall()) return Exposure::Anybody;
    switch (tracee.call.effects().cpu_mask) {
      case MaskUse::Untouched: return Exposure::None;
      case MaskUse::Inherited: return Exposure::Itself;
      case MaskUse::Any: return Exposure::Anybody;
      case MaskUse::ReadsArgument0: return exposed(0);
      case MaskUse::ReadsArgument1: return exposed(1);
      case MaskUse::ByDeviceRequest: return starts_threads(tracee.call.regs[1]) ? Exposure::Itself : Exposure::None;
    }
    return Exposure::Anybody;
  };
  return tracee.exposure = found();
}

}  // namespace strut

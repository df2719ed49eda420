#include "symtab/elf/narrow_vdso.hpp"

#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/maps.hpp"

namespace strut {
namespace {

constexpr long kMapVdso32 = 0x2002;            // ARCH_MAP_VDSO_32 of <asm/prctl.h>
constexpr unsigned long kWanted = 0x10000000;  // anywhere below 4 GB will do

/// [vdso], and the kernel's data beside it, under names that have changed with versions.
std::vector<Mapping> own_vdso_mappings() {
  auto mappings = maps_of(Pid{::getpid()});
  if (!mappings) return {};
  std::erase_if(*mappings,
                [](const Mapping& mapping) { return mapping.path != "[vdso]" && !mapping.path.starts_with("[vvar"); });
  return std::move(*mappings);
}

/// In the child. Nothing of the C library that asks for the time may be called.
[[noreturn]] void sleep_with_vdso(const std::vector<Mapping>& own, int ready) {
  for (const Mapping& mapping : own)
    ::munmap(reinterpret_cast<void*>(raw(mapping.start)), raw(mapping.end) - raw(mapping.start));
  ::syscall(SYS_arch_prctl, kMapVdso32, kWanted);
  ::close(ready);
  for (;;) ::pause();
}

}  // namespace

NarrowVdsoProcess::NarrowVdsoProcess() {
  std::vector<Mapping> own = own_vdso_mappings();
  int ends[2];
  if (own.empty() || ::pipe2(ends, O_CLOEXEC) != 0) return;
  pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    ::close(ends[0]);
    sleep_with_vdso(own, ends[1]);
  }
  ::close(ends[1]);
  char byte;
  while (::read(ends[0], &byte, 1) < 0 && errno == EINTR) {
  }
  ::close(ends[0]);
  if (child > 0) pid_ = Pid{child};
}

NarrowVdsoProcess::~NarrowVdsoProcess() {
  if (raw(pid_) == 0) return;
  ::kill(raw(pid_), SIGKILL);
  ::waitpid(raw(pid_), nullptr, __WALL);
}

}  // namespace strut

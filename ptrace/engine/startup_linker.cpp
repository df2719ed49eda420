#include "ptrace/engine/startup_linker.hpp"

#include <algorithm>

#include <linux/audit.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "procfs/maps.hpp"
#include "procfs/proc_file.hpp"

namespace strut {

namespace {

constexpr uint64_t kOfUprobes[] = {335, 336};  // uretprobe, uprobe: <asm/unistd_64.h> since Linux 6.11 and 6.18

}  // namespace

bool StartupLinker::is_left_by(const SyscallInfo& entry) const {
  bool is_of_uprobes =
      entry.arch == AUDIT_ARCH_X86_64 && std::ranges::find(kOfUprobes, entry.entry.nr) != std::end(kOfUprobes);
  return !contains(entry.instruction_pointer) && !is_of_uprobes;
}

StartupLinker startup_linker(Pid pid, uint64_t entry) {
  auto mappings = maps_of(pid);
  struct stat program{};
  if (!mappings || ::stat(proc_path(raw(pid), "exe"), &program) != 0) return {};
  uint64_t inode = 0;
  for (const Mapping& mapping : *mappings) {
    if (entry >= raw(mapping.start) && entry < raw(mapping.end)) inode = mapping.inode;
    if (inode == 0 || mapping.inode != inode || !mapping.executable) continue;
    // An inode has the same number in all views of a file; the device's may differ from stat's where file systems lie
    // on others.
    if (inode == program.st_ino) return {};
    return {raw(mapping.start), raw(mapping.end)};
  }
  return {};
}

}  // namespace strut

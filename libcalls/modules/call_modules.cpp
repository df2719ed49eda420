#include "libcalls/modules/call_modules.hpp"

#include <algorithm>
#include <iterator>

#include <elf.h>
#include <sys/stat.h>

#include "procfs/proc_file.hpp"

namespace strut {

namespace {

bool is_program_of(Pid pid, const CallModule& module) {
  struct stat status{};
  return ::stat(proc_path(raw(pid), "exe"), &status) == 0 && status.st_dev == module.device() &&
         status.st_ino == module.inode();
}

/// How strut can open the file of a module; empty: it is in none.
std::string path_of(Pid pid, const Module& module) {
  auto mappings = maps_of(pid);
  if (!mappings) return {};
  auto mapping = std::ranges::find(*mappings, module.start, &Mapping::start);
  if (mapping == mappings->end() || mapping->inode == 0) return {};
  return lasting_path(*mapping, opened_path(pid, *mapping));
}

}  // namespace

const CallModule* CallModules::of(Pid pid, const Module& module) {
  if (!module.file || module.file->elf().machine() != EM_X86_64 || !module.file->elf().is_64()) return nullptr;
  auto made = std::make_unique<CallModule>(module.file, module.path, path_of(pid, module));
  if (made->inode() == 0) return others_.emplace_back(std::move(made)).get();
  std::unique_ptr<CallModule>& slot = by_file_[{made->device(), made->inode()}];
  // A file that was written anew in place is another one.
  if (slot && slot->shared_file() != module.file) others_.push_back(std::move(slot));
  if (!slot) slot = std::move(made);
  if (is_program_of(pid, *slot)) slot->set_main();
  return slot.get();
}

const std::vector<std::string>& CallModules::unread() {
  std::ranges::move(files_.take_unread(), std::back_inserter(unread_));
  return unread_;
}

}  // namespace strut

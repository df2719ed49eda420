// The modules of one process: the file of an address, and its names there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "procfs/maps.hpp"
#include "symtab/process/jit_reader.hpp"
#include "symtab/process/module.hpp"

namespace strut {

/// How strut can open the file behind a mapping: a deleted one by /proc/PID/map_files or exe, else through the
/// process's root. Empty: not at all.
std::string opened_path(Pid pid, const Mapping& mapping);
/// The mapping's own path if it leads to the file that `opened` leads to, else `opened`. A path through /proc/PID is
/// gone when that process exits.
std::string lasting_path(const Mapping& mapping, const std::string& opened);
/// A path by which strut can open a file that some process has mapped as code. Empty: no process has.
std::string path_through_any_process(uint64_t device, uint64_t inode);

/// Files that were read, by device, inode and size, and by build-id (the same library in another container), shared by
/// the processes of a trace.
class ModuleCache {
 public:
  /// The file behind a mapping of a process, deleted ones too (/proc/PID/map_files), through its root and mount
  /// namespace. nullptr: it cannot be read or is no ELF file; remembered.
  std::shared_ptr<const ModuleFile> file_of(Pid pid, const Mapping& mapping);
  /// For a process that may have exited since: by its path, if the device shows that this is the file.
  std::shared_ptr<const ModuleFile> file_once_of(Pid pid, const Mapping& mapping);
  /// The vdso, from the process's memory: the kernel has one for each ABI.
  std::shared_ptr<const ModuleFile> vdso_of(Pid pid, const Mapping& mapping);
  /// The vdso of a process that may be gone, which lies at this address in it: below 4 GB in 32-bit processes only.
  /// nullptr: the kernel gives none, or does not show it.
  std::shared_ptr<const ModuleFile> vdso_at(Addr at);

  /// Since the last call: "PATH cannot be read (WHY)" for each file that no memory or no permission kept from being
  /// read.
  std::vector<std::string> take_unread() { return std::exchange(unread_, {}); }

 private:
  /// The file to which this way leads, if it is the one with this inode. `path`: as the process names it, below `root`.
  std::shared_ptr<const ModuleFile> file_at(const std::string& way, uint64_t inode, const std::string& path,
                                            const std::string& root);
  std::shared_ptr<const ModuleFile> own_vdso();
  std::shared_ptr<const ModuleFile> narrow_vdso();

  struct Key {
    uint64_t device, inode, size;
    int64_t changed_ns;  ///< a file may be written anew in place
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::shared_ptr<const ModuleFile>> files_;
  std::map<std::pair<std::string, size_t>, std::shared_ptr<const ModuleFile>> builds_;  ///< by build-id and size
  std::map<std::string, std::shared_ptr<const ModuleFile>> vdsos_;                      ///< by content
  std::optional<std::shared_ptr<const ModuleFile>> narrow_vdso_;                        ///< once it was asked for
  std::vector<std::string> unread_;
};

/// Where a process has the vdso. nullopt: the kernel gave it none.
std::optional<Mapping> vdso_mapping(Pid pid);
/// Where strut itself has it.
std::optional<Mapping> own_vdso();

/// A snapshot of a process's modules. It stays as it was when the process exits; refresh() updates it, or the observer
/// of the process's mappings reports them.
class ProcessModules {
 public:
  /// `cache` must outlive this.
  ProcessModules(Pid pid, ModuleCache& cache) : pid_(pid), cache_(cache) {}
  /// A child has its parent's modules.
  ProcessModules(Pid child, const ProcessModules& parent);

  /// Reads /proc/PID/maps anew; unmoved modules are kept. Error ESRCH: the process is gone, and the known modules stay.
  Result<void> refresh();
  /// Code was mapped there, replacing earlier mappings. The process may have exited since.
  void mapped(const Mapping& mapping);

  const std::vector<std::unique_ptr<Module>>& modules() const { return modules_; }
  const Module* module_at(Addr address) const;
  /// By path, file name, or a library's name up to ".so" ("libc" for libc.so.6); "a.out" is the program itself.
  const Module* named(std::string_view name) const;
  /// For code without a module, a JIT's name for it; such a name lives until the next call.
  Location locate(Addr address) const;

 private:
  std::unique_ptr<Module> read_module(const Mapping& first);
  bool knows(const Mapping& mapping) const;
  std::optional<JitSymbols::Found> made_at(Addr address) const;

  Pid pid_;
  ModuleCache& cache_;
  std::vector<std::unique_ptr<Module>> modules_;  ///< ascending by start
  std::vector<Mapping> made_;                     ///< executable memory without a file
  mutable JitReader jit_;
};

/// The address in a file that a mapping's first byte comes from, subtracted from the mapping's start: the load bias.
/// nullopt: no segment of the file has that offset.
std::optional<uint64_t> load_bias(const ElfFile& file, const Mapping& mapping);

}  // namespace strut

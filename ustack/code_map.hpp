// Where code lies in one process: ranges of addresses, each with the file that it comes from.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "procfs/maps.hpp"
#include "symtab/process/process_modules.hpp"
#include "ustack/code_module.hpp"

namespace strut {

/// Files by their identity, shared by the processes of a trace. Read data stays.
class CodeModules {
 public:
  explicit CodeModules(FrameDetail detail, FileComplaint complaint = {})
      : detail_(detail), complaint_(std::move(complaint)) {}

  /// The module of an executable mapping of a file or of the vdso. Never null; without a file if it cannot be read.
  std::shared_ptr<CodeModule> of(Pid pid, const Mapping& mapping);
  /// The vdso of a process that may be gone, which lies at this address in it: below 4 GB in 32-bit processes only.
  std::shared_ptr<CodeModule> vdso_at(Addr at);

 private:
  std::shared_ptr<CodeModule> keep(const std::string& path, std::shared_ptr<const ModuleFile> file);

  const FrameDetail detail_;
  const FileComplaint complaint_;
  ModuleCache files_;
  std::map<std::pair<std::string, const ModuleFile*>, std::shared_ptr<CodeModule>> modules_;
};

/// Code at [start, end).
struct CodeRange {
  uint64_t start, end;
  uint64_t bias = 0;                   ///< address in the process minus address in the file
  std::shared_ptr<CodeModule> module;  ///< nullptr: made by the process itself (JIT)
};

/// A copy is cheap: a child has its parent's.
class CodeMap {
 public:
  /// All executable mappings of a live process. False: it is gone, and the known ones stay.
  bool read(Pid pid, CodeModules& modules);
  /// A mapping that appeared, or became executable; it replaces earlier ones.
  void add(Pid pid, const Mapping& mapping, CodeModules& modules);
  void place(const Mapping& mapping, std::shared_ptr<CodeModule> module);
  void clear() { ranges_.clear(); }
  bool empty() const { return ranges_.empty(); }

  /// The ABI of the process's first known module.
  const FrameAbi& abi() const;
  /// nullptr: there is no code.
  const CodeRange* at(uint64_t address) const;

 private:
  void make_way(uint64_t start, uint64_t end);

  std::map<uint64_t, CodeRange> ranges_;  ///< by start; none overlaps another
};

}  // namespace strut

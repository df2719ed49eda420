// The modules of all traced processes, each file read once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "libcalls/modules/call_module.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {

/// Not for use by several threads at once.
class CallModules {
 public:
  /// For ProcessModules.
  ModuleCache& files() { return files_; }
  /// A module of a process. nullptr: its file could not be read, or has no code for x86-64.
  const CallModule* of(Pid pid, const Module& module);
  /// "PATH cannot be read (WHY)", for all files so far.
  const std::vector<std::string>& unread();

 private:
  ModuleCache files_;
  std::map<std::pair<uint64_t, uint64_t>, std::unique_ptr<CallModule>> by_file_;  ///< by device and inode
  std::vector<std::unique_ptr<CallModule>> others_;                               ///< in no file, or replaced there
  std::vector<std::string> unread_;
};

}  // namespace strut

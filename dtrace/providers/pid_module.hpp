// The files that pid probes are looked up in: those that a process maps, that a command will map, that any process
// maps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "dtrace/providers/linker_search.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "symtab/process/process_modules.hpp"
#include "trace/request.hpp"

namespace strut {

/// One file of code.
struct PidModule {
  std::shared_ptr<const ModuleFile> file;
  std::string opened;              ///< as strut opens it
  std::string path;                ///< as its process has it
  std::string soname;              ///< empty: none
  uint64_t device = 0, inode = 0;  ///< stat(2) of `opened`
  bool is_program = false;
  std::optional<uint64_t> bias{};  ///< address in the process minus address in the file; nullopt: not mapped yet

  /// "a.out", or the file's name.
  std::string name() const { return is_program ? "a.out" : path.substr(path.rfind('/') + 1); }
  ModuleNames names() const { return {path, soname, is_program}; }
};

/// A command that is held, or a process, that the program is about.
struct DTarget {
  Pid pid{};
  std::optional<Launch> command{};  ///< the process will become this
};

/// The modules that a process maps, ascending by address. Error ESRCH, EACCES.
Result<std::vector<PidModule>> modules_of(Pid pid, ModuleCache& cache);
/// The modules that a command will map before its first instruction and while its libraries are loaded.
std::vector<PidModule> modules_to_come(const Launch& launch, ModuleCache& cache);
/// The files that a pattern without wildcards names, in any process of a kind of programs: a path, or the dynamic
/// linker's result for that name.
std::vector<PidModule> modules_by_name(std::string_view pattern, const LibraryKind& kind, ModuleCache& cache);
/// The files that any process maps, each once; for a pattern without wildcards also the dynamic linker's result for
/// that name, so that processes that start later are covered.
std::vector<PidModule> modules_of_all(std::string_view pattern, ModuleCache& cache);

}  // namespace strut

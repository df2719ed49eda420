// The files that pid probes are looked for in: those that a process has mapped, that a command will map, that anybody
// maps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
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

/// What a process has mapped, ascending by address. Error ESRCH, EACCES.
Result<std::vector<PidModule>> modules_of(Pid pid, ModuleCache& cache);
/// What a command is going to map before its first instruction and while its libraries are loaded.
std::vector<PidModule> modules_to_come(const Launch& launch, ModuleCache& cache);
/// The files that a pattern without wildcards stands for, whoever maps them: a path, or what the dynamic linker finds
/// by that name.
std::vector<PidModule> modules_by_name(std::string_view pattern, ModuleCache& cache);
/// What any process has mapped, each file once; and for a pattern without wildcards what the dynamic linker would find
/// of that name, so that processes are covered that start later.
std::vector<PidModule> modules_of_everybody(std::string_view pattern, ModuleCache& cache);

}  // namespace strut

#include "dtrace/providers/pid_module.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "base/plain_text.hpp"
#include "process/caller.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "symtab/elf/dynamic.hpp"

namespace strut {
namespace {

using FileId = std::pair<uint64_t, uint64_t>;

std::optional<FileId> id_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

bool is_code(const Mapping& mapping) {
  return mapping.executable && mapping.inode != 0 && mapping.path.starts_with('/');
}

std::string plain_path(const Mapping& mapping) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::string path = mapping.path;
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return path;
}

std::optional<PidModule> module_behind(Pid pid, const Mapping& mapping, const std::optional<FileId>& program,
                                       ModuleCache& cache) {
  PidModule module;
  module.opened = lasting_path(mapping, opened_path(pid, mapping));
  auto id = id_of(module.opened);
  if (module.opened.empty() || !id) return std::nullopt;
  module.file = cache.file_of(pid, mapping);
  if (!module.file) return std::nullopt;
  std::tie(module.device, module.inode) = *id;
  module.path = plain_path(mapping);
  module.soname = soname(module.file->elf());
  module.is_program = program == id;
  module.bias = load_bias(module.file->elf(), mapping);
  return module;
}

/// A file that no process needs to map.
std::optional<PidModule> module_of_file(const std::string& path, ModuleCache& cache) {
  auto id = id_of(path);
  if (!id) return std::nullopt;
  Mapping mapping;
  mapping.inode = id->second;
  mapping.path = path;
  auto module = module_behind(Pid{::getpid()}, mapping, std::nullopt, cache);
  if (module) module->bias.reset();
  return module;
}

}  // namespace

/// With CAP_PERFMON the kernel shows every process's mappings (Linux 6.18, may_access_mm()).
Result<std::vector<PidModule>> modules_of(Pid pid, ModuleCache& cache) {
  TRY_VOID(check_may_trace(pid));
  std::vector<Mapping> mappings = TRY(maps_of(pid));
  auto program = id_of(proc_path(raw(pid), "exe").text);
  std::vector<PidModule> modules;
  std::set<std::pair<uint64_t, std::string>> seen;
  for (const Mapping& mapping : mappings) {
    if (!is_code(mapping) || !seen.insert({mapping.inode, mapping.path}).second) continue;
    if (auto module = module_behind(pid, mapping, program, cache)) modules.push_back(*std::move(module));
  }
  return modules;
}

std::vector<PidModule> modules_to_come(const Launch& launch, ModuleCache& cache) {
  std::vector<PidModule> modules;
  std::string program = program_run_by(launch.path);
  auto first = module_of_file(program, cache);
  if (!first) return modules;
  first->is_program = true;
  modules.push_back(*std::move(first));
  std::vector<std::string> environment;
  if (launch.environment) environment = *launch.environment;
  else
    for (char** entry = environ; *entry; entry++) environment.emplace_back(*entry);
  for (const std::string& library : libraries_of(program, environment))
    if (auto module = module_of_file(library, cache)) modules.push_back(*std::move(module));
  return modules;
}

std::vector<PidModule> modules_by_name(std::string_view pattern, const LibraryKind& kind, ModuleCache& cache) {
  std::vector<PidModule> modules;
  auto take = [&](const std::string& path) {
    if (auto module = module_of_file(path, cache)) modules.push_back(*std::move(module));
  };
  if (pattern.empty() || is_glob(pattern)) return modules;
  if (pattern.contains('/')) take(std::string(pattern));
  for (const CachedLibrary& library : linker_cache(kind)) {
    std::error_code error;
    if (module_matches(pattern, {library.path, library.name, false}))
      take(std::filesystem::canonical(library.path, error).string());
  }
  return modules;
}

std::vector<PidModule> modules_of_all(std::string_view pattern, ModuleCache& cache) {
  std::map<std::pair<uint64_t, std::string>, bool> seen;  // inode and path as mapped; whether it was seen as a program
  std::map<FileId, PidModule> modules;
  auto take = [&](std::optional<PidModule> module) {
    if (!module || !module_matches(pattern, module->names())) return;
    FileId id{module->device, module->inode};
    modules.try_emplace(id, *std::move(module));
  };
  for (Pid pid : processes()) {
    auto mappings = maps_of(pid);
    if (!mappings || !check_may_trace(pid)) continue;
    auto program = id_of(proc_path(raw(pid), "exe").text);
    for (const Mapping& mapping : *mappings) {
      bool may_be_program = program && program->second == mapping.inode;
      if (!is_code(mapping)) continue;
      auto [known, is_new] = seen.try_emplace({mapping.inode, mapping.path}, may_be_program);
      if (is_new || (may_be_program && !std::exchange(known->second, true)))
        take(module_behind(pid, mapping, program, cache));
    }
  }
  for (PidModule& module : modules_by_name(pattern, kind_of_x86_64(), cache)) take(std::move(module));
  std::vector<PidModule> all;
  for (auto& [id, module] : modules) {
    module.bias.reset();
    all.push_back(std::move(module));
  }
  return all;
}

}  // namespace strut

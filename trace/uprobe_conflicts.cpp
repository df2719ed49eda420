#include "trace/uprobe_conflicts.hpp"

#include <algorithm>

#include <sys/stat.h>

#include "base/clock.hpp"
#include "procfs/proc_file.hpp"

namespace strut {
namespace {

constexpr uint64_t kLookEvery_ns = 100'000'000;

/// Adds those of the uprobes that are at breakpoints.
void add_conflicts(const UprobesInFile& uprobes, const BreakpointsInFile& file, std::set<uint64_t>& conflicts) {
  for (uint64_t offset : uprobes.offsets) {
    auto [first, end] = std::ranges::equal_range(file.offsets, offset);
    for (auto at = first; at != end; ++at)
      if (file.inserted[static_cast<size_t>(at - file.offsets.begin())]) conflicts.insert(offset);
  }
}

}  // namespace

bool UprobeConflicts::is_due() const { return is_looked_for() && (has_new_file_ || monotonic_ns() >= next_look_ns_); }

std::optional<UprobeConflicts::FileId> UprobeConflicts::unreported(const std::string& path,
                                                                   std::span<const Pid> processes) const {
  auto found = [&](const std::string& at) -> std::optional<FileId> {
    struct stat file{};
    if (::stat(at.c_str(), &file) != 0) return std::nullopt;
    FileId id{file.st_dev, file.st_ino};
    return known_.contains(id) && !reported_.contains(id) ? std::optional(id) : std::nullopt;
  };
  if (auto file = found(path)) return file;
  for (Pid pid : processes)
    if (auto file = found(std::string(proc_path(raw(pid), "root")) + path)) return file;
  return std::nullopt;
}

void UprobeConflicts::look(std::span<const BreakpointsInFile* const> files, std::span<const Pid> processes) {
  has_new_file_ = false;
  std::map<std::string, FileId> wanted;
  auto is_wanted = [&](const std::string& path) {
    if (wanted.contains(path)) return true;
    auto file = unreported(path, processes);
    if (file) wanted.emplace(path, *file);
    return file.has_value();
  };
  std::map<std::string, Offsets> conflicts;
  for (const UprobesInFile& uprobes : report_.list(is_wanted))
    for (const BreakpointsInFile* file : files)
      if (auto known = wanted.find(uprobes.path); known != wanted.end() && known->second == id_of(*file))
        add_conflicts(uprobes, *file, conflicts[uprobes.path]);
  for (const auto& [path, offsets] : conflicts) report(path, wanted.at(path), offsets.size());
  next_look_ns_ = monotonic_ns() + kLookEvery_ns;
}

void UprobeConflicts::report(const std::string& path, const FileId& file, size_t conflicts) {
  if (conflicts == 0 || !reported_.insert(file).second) return;
  report_.say(
      path + ": another tracer has uprobes at " + std::to_string(conflicts) +
      " of strut's breakpoints: the kernel may pass over these, and their hits be lost; --backend=kassist loses "
      "none");
}

}  // namespace strut

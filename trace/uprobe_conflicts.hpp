// Breakpoints of strut at instructions where other tracers have uprobes.
//
// The kernel passes over such a breakpoint in a process that has a uprobe anywhere, or had one (measured on 6.18,
// docs/design/breakpoints.md). The breakpoint stays in memory, so its lost hits cannot be noticed: the conflict itself
// is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace strut {

/// Instructions of a file with uprobes.
struct UprobesInFile {
  std::string path;               ///< as the kernel names it for this process
  std::vector<uint64_t> offsets;  ///< in the file, in no order
};

/// All uprobes of the machine in files with paths that are wanted, as far as the kernel lists them for this process.
using UprobeLister =
    std::function<std::vector<UprobesInFile>(const std::function<bool(const std::string&)>& is_wanted)>;

/// How conflicts are found and reported.
struct UprobeConflictReport {
  UprobeLister list{};  ///< null: they are not looked for
  std::function<void(std::string_view line)> say{};
};

/// Instructions of a file that are to get breakpoints.
struct BreakpointsInFile {
  uint64_t device = 0, inode = 0;  ///< stat(2)
  std::vector<uint64_t> offsets;   ///< ascending
  std::vector<bool> inserted;      ///< by their indexes: there is, or was, a breakpoint in some process
};

/// Reports a file with conflicts once.
class UprobeConflicts {
 public:
  explicit UprobeConflicts(UprobeConflictReport report) : report_(std::move(report)) {}

  bool is_looked_for() const { return report_.list != nullptr; }
  /// A breakpoint was inserted into the file.
  void inserted(const BreakpointsInFile& file) { has_new_file_ |= known_.insert(id_of(file)).second; }
  /// Whether look() is of use now: at once after the first breakpoint in a file, else ten times a second at most.
  bool is_due() const;
  /// `files`: all with breakpoints. `processes`: those with breakpoints, in whose mount namespaces paths may be.
  void look(std::span<const BreakpointsInFile* const> files, std::span<const Pid> processes);

 private:
  using FileId = std::pair<uint64_t, uint64_t>;  ///< device, inode
  using Offsets = std::set<uint64_t>;
  static FileId id_of(const BreakpointsInFile& file) { return {file.device, file.inode}; }
  /// The file at a path, if it has breakpoints and was not reported; in strut's mount namespace, or in a process's.
  std::optional<FileId> unreported(const std::string& path, std::span<const Pid> processes) const;
  void report(const std::string& path, const FileId& file, size_t conflicts);

  UprobeConflictReport report_;
  std::set<FileId> known_, reported_;
  bool has_new_file_ = false;
  uint64_t next_look_ns_ = 0;
};

}  // namespace strut

#include "kassist/uprobes/uprobe_budget.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

constexpr uint64_t kUprobe_ns = 350, kProcess_ns = 120, kSystemWide_ns = 5500;

using FileId = std::pair<uint64_t, uint64_t>;

FileId file_of(const UprobeDemand& demand) { return {demand.device, demand.inode}; }

/// Processes that have each of some files mapped as code, targets apart. One process counts a file once.
class Mappers {
 public:
  Mappers(std::span<const UprobeDemand> demands, std::span<const Pid> targets) {
    for (const UprobeDemand& demand : demands) inodes_.emplace(demand.inode, file_of(demand));
    for (Pid pid : processes())
      if (std::ranges::find(targets, pid) == targets.end()) look_at(pid);
  }

  size_t of(const FileId& file) const {
    auto found = count_.find(file);
    return found == count_.end() ? 0 : found->second;
  }

 private:
  void look_at(Pid pid) {
    auto mappings = maps_of(pid);
    std::vector<FileId> files;
    for (const Mapping& mapping : mappings ? *mappings : std::vector<Mapping>{}) {
      if (!mapping.executable || !inodes_.contains(mapping.inode)) continue;
      struct stat file{};
      if (::stat(map_file_path(pid, mapping).c_str(), &file) != 0) continue;
      FileId id{file.st_dev, file.st_ino};
      if (std::ranges::find(files, id) == files.end()) files.push_back(id);
    }
    for (const FileId& file : files) count_[file]++;
  }

  std::multimap<uint64_t, FileId> inodes_;
  std::map<FileId, size_t> count_;
};

}  // namespace

/// The same file's uprobes for several processes are taken to be at the same places.
UprobeLoad load_of(std::span<const UprobeDemand> demands) {
  std::map<FileId, size_t> most;
  UprobeLoad load;
  for (const UprobeDemand& demand : demands) {
    size_t& places = most[file_of(demand)];
    places = std::max(places, demand.uprobes);
    load.exec_ns += demand.uprobes * (demand.pid ? kProcess_ns : kSystemWide_ns);
    load.armed += demand.uprobes;
  }
  for (auto& [file, places] : most) {
    load.uprobes += places;
    load.exec_ns += places * kUprobe_ns;
  }
  return load;
}

UprobeLoad load_on_others(std::span<const UprobeDemand> demands, std::span<const Pid> targets) {
  UprobeLoad all = load_of(demands);
  if (all.fits()) return all;
  Mappers mappers(demands, targets);
  std::vector<UprobeDemand> shared;
  for (const UprobeDemand& demand : demands)
    if (mappers.of(file_of(demand)) >= (demand.pid ? 1u : 2u)) shared.push_back(demand);
  UprobeLoad load = load_of(shared);
  load.armed = all.armed;
  return load;
}

}  // namespace strut

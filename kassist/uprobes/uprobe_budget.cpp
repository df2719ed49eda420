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
/// To disarm a uprobe, and more for each process that the file's uprobes are for.
constexpr uint64_t kDisarmed_ns = 3000, kDisarmedOfEach_ns = 900;

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

/// The uprobes of one file for several processes are assumed to be at the same places.
UprobeLoad load_of(std::span<const UprobeDemand> demands) {
  struct InFile {
    size_t places = 0, armed = 0, processes = 0;
  };
  std::map<FileId, InFile> files;
  UprobeLoad load;
  for (const UprobeDemand& demand : demands) {
    InFile& in_file = files[file_of(demand)];
    in_file.places = std::max(in_file.places, demand.uprobes);
    in_file.armed += demand.uprobes;
    in_file.processes++;
    load.exec_ns += demand.uprobes * (demand.pid ? kProcess_ns : kSystemWide_ns);
    load.armed += demand.uprobes;
  }
  for (auto& [id, file] : files) {
    load.uprobes += file.places;
    load.exec_ns += file.places * kUprobe_ns;
    load.takes_ns += file.armed * (kDisarmed_ns + file.processes * kDisarmedOfEach_ns);
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
  load.takes_ns = all.takes_ns;
  return load;
}

}  // namespace strut

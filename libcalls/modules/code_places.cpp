#include "libcalls/modules/code_places.hpp"

#include <algorithm>
#include <iterator>

namespace strut {

namespace {

constexpr size_t kMaxPictures = 16;

PlacedModule find(const std::vector<PlacedModule>& modules, uint64_t address) {
  auto above = std::ranges::upper_bound(modules, address, {}, &PlacedModule::start);
  if (above == modules.begin() || address >= std::prev(above)->end) return {};
  return *std::prev(above);
}

/// True if whatever was mapped before still is.
bool extends(const std::vector<PlacedModule>& now, const std::vector<PlacedModule>& before) {
  return std::ranges::includes(now, before, {}, &PlacedModule::start, &PlacedModule::start) &&
         std::ranges::all_of(before, [&](const PlacedModule& one) {
           PlacedModule same = find(now, one.start);
           return same.module == one.module && same.bias == one.bias && same.end >= one.end;
         });
}

}  // namespace

void CodePlaces::changed(Pid pid, std::vector<PlacedModule> modules, uint64_t now_ns) {
  std::lock_guard lock(mutex_);
  std::vector<Picture>& pictures = pictures_[raw(pid)];
  if (!pictures.empty() && extends(modules, pictures.back().modules)) {
    pictures.back().modules = std::move(modules);
    return;
  }
  if (pictures.size() == kMaxPictures) pictures.erase(pictures.begin());
  pictures.push_back({now_ns, std::move(modules)});
}

// The child may have been looked at before its birth is reported: then it may run another program already.
void CodePlaces::forked(Pid parent, Pid child) {
  std::lock_guard lock(mutex_);
  auto from = pictures_.find(raw(parent));
  if (from == pictures_.end() || parent == child) return;
  std::vector<Picture> inherited = from->second;
  std::vector<Picture>& known = pictures_[raw(child)];
  if (!known.empty())
    std::erase_if(inherited, [&](const Picture& picture) { return picture.since_ns >= known.front().since_ns; });
  known.insert(known.begin(), std::make_move_iterator(inherited.begin()), std::make_move_iterator(inherited.end()));
  if (known.size() > kMaxPictures) known.erase(known.begin(), known.end() - kMaxPictures);
}

PlacedModule CodePlaces::at(Pid pid, uint64_t address, uint64_t when_ns) const {
  std::lock_guard lock(mutex_);
  auto found = pictures_.find(raw(pid));
  if (found == pictures_.end()) return {};
  const std::vector<Picture>& pictures = found->second;
  auto later = std::ranges::upper_bound(pictures, when_ns, {}, &Picture::since_ns);
  auto now = later == pictures.begin() ? later : std::prev(later);
  for (auto at = now; at != pictures.end(); ++at)
    if (PlacedModule placed = find(at->modules, address); placed.module) return placed;
  while (now != pictures.begin())
    if (PlacedModule placed = find((--now)->modules, address); placed.module) return placed;
  return {};
}

bool CodePlaces::knows(Pid pid) const {
  std::lock_guard lock(mutex_);
  return pictures_.contains(raw(pid));
}

}  // namespace strut

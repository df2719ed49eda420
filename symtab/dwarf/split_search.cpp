#include "symtab/dwarf/split_search.hpp"

#include <algorithm>

namespace strut {

namespace {

constexpr size_t kLongestSplitPath = 4096;
constexpr std::string_view kPackage = ".dwp";

std::string directory_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

}  // namespace

SplitFile* SplitSearch::file_at(const std::string& path) const {
  auto [slot, is_new] = files_.try_emplace(path);
  if (!is_new || path.size() > kLongestSplitPath) return slot->second.get();
  if (auto elf = ElfFile::open(path)) slot->second = std::make_unique<SplitFile>(std::move(*elf));
  return slot->second.get();
}

/// The package of all; the file where it was when it was made; beside the module, with the directories of its name and
/// without.
std::vector<std::string> SplitSearch::candidates(const Die& root, std::string_view name) const {
  std::string made_in(root.text(DW_AT_comp_dir)), beside = places_.root + directory_of(places_.module);
  std::vector<std::string> paths{places_.root + places_.module + std::string(kPackage)};
  if (name.starts_with('/')) paths.push_back(places_.root + std::string(name));
  else paths.push_back(places_.root + made_in + "/" + std::string(name));
  if (!name.starts_with('/')) paths.push_back(beside + std::string(name));
  paths.push_back(beside + std::string(name.substr(name.rfind('/') + 1)));
  return paths;
}

SkeletonParts SplitSearch::parts_of(const Die& root, uint64_t id) const {
  SkeletonParts parts{id, {}, skeletons_.section(".debug_addr"), skeletons_.section(".debug_ranges")};
  Dwarf_Addr low = 0;
  if (::dwarf_lowpc(&root.entry, &low) == 0) parts.bases.low_pc = low;
  parts.bases.old_ranges = root.number(DW_AT_GNU_ranges_base).value_or(0);
  uint64_t begin = root.number(DW_AT_addr_base).value_or(root.number(DW_AT_GNU_addr_base).value_or(0));
  parts.addresses = parts.addresses.subspan(std::min<uint64_t>(begin, parts.addresses.size()));
  return parts;
}

std::optional<Die> SplitSearch::find(const Die& root, uint64_t id) const {
  std::string_view name = root.text(DW_AT_dwo_name);
  if (name.empty()) name = root.text(DW_AT_GNU_dwo_name);
  if (name.empty() || places_.module.empty()) return std::nullopt;
  SkeletonParts parts = parts_of(root, id);
  for (const std::string& path : candidates(root, name)) {
    SplitFile* file = file_at(path);
    if (std::optional<Die> unit = file ? file->unit_of(parts) : std::nullopt) return unit;
  }
  missing_.push_back(candidates(root, name)[1]);
  return std::nullopt;
}

std::optional<Die> SplitSearch::whole(const Die& root) const {
  auto [slot, is_new] = found_.try_emplace(root.entry.addr, root);
  if (!is_new) return slot->second;
  uint8_t type = 0;
  uint64_t id = 0;
  ::dwarf_cu_info(root.entry.cu, nullptr, &type, nullptr, nullptr, &id, nullptr, nullptr);
  if (type == DW_UT_skeleton) slot->second = find(root, id);
  return slot->second;
}

}  // namespace strut

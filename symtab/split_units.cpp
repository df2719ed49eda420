#include "symtab/split_units.hpp"

#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

constexpr size_t kLongestPath = 4096;
constexpr std::string_view kPackage = ".dwp";

std::string directory_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

}  // namespace

const SplitUnits::File* SplitUnits::file_at(const std::string& path) const {
  auto [slot, is_new] = files_.try_emplace(path);
  if (!is_new || path.size() > kLongestPath) return slot->second.get();
  if (auto elf = ElfFile::open(path)) slot->second = std::make_unique<File>(std::move(*elf), skeletons_);
  return slot->second.get();
}

/// The package of all; the file where it was when it was made; beside the module, with the directories of its name and
/// without.
std::vector<std::string> SplitUnits::candidates(const Die& root, std::string_view name) const {
  std::string made_in(skeletons_.attribute(root, dwarf::kCompDir).text),
      beside = places_.root + directory_of(places_.module);
  std::vector<std::string> paths{places_.root + places_.module + std::string(kPackage)};
  if (name.starts_with('/')) paths.push_back(places_.root + std::string(name));
  else paths.push_back(places_.root + made_in + "/" + std::string(name));
  if (!name.starts_with('/')) paths.push_back(beside + std::string(name));
  paths.push_back(beside + std::string(name.substr(name.rfind('/') + 1)));
  return paths;
}

std::optional<UnitOfFile> SplitUnits::find(const DwarfUnit& skeleton, const Die& root, uint64_t id) const {
  std::string_view name = skeletons_.attribute(root, dwarf::kDwoName).text;
  if (name.empty()) name = skeletons_.attribute(root, dwarf::kGnuDwoName).text;
  if (name.empty() || places_.module.empty()) return std::nullopt;
  for (const std::string& path : candidates(root, name)) {
    const File* file = file_at(path);
    if (const DwarfUnit* unit = file ? file->dwarf.unit_of(skeleton, id) : nullptr)
      return UnitOfFile{&file->dwarf, unit};
  }
  missing_.push_back(candidates(root, name)[1]);
  return std::nullopt;
}

std::optional<UnitOfFile> SplitUnits::whole(const DwarfUnit& unit) const {
  auto [slot, is_new] = found_.try_emplace(unit.offset, UnitOfFile{&skeletons_, &unit});
  if (!is_new) return slot->second;
  uint64_t id = skeletons_.split_id(unit);
  std::optional<Die> root = id != 0 ? skeletons_.root_of(unit) : std::nullopt;
  if (root) slot->second = find(unit, *root, id);
  return slot->second;
}

}  // namespace strut

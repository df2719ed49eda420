// Which unit of which file a skeleton stands for (gcc(1), -gsplit-dwarf). Private to symtab.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symtab/dwarf/split_file.hpp"
#include "symtab/dwarf/split_places.hpp"

namespace strut {

/// The units of skeletons: of .dwo files, each named by its skeleton, or of one package beside the module (.dwp). Files
/// are opened when a unit is needed; a file without the skeleton's number is not used. libdw's own search is not used:
/// it only has strut's own root directory, and opens any file that it is led to.
class SplitSearch {
 public:
  /// `skeletons` must outlive this.
  SplitSearch(const DwarfFile& skeletons, SplitPlaces places) : skeletons_(skeletons), places_(std::move(places)) {}

  /// The root of the unit with the entries that a unit stands for, which is itself if it is no skeleton. nullopt: the
  /// file that has them is not there, or another one's.
  std::optional<Die> whole(const Die& root) const;
  /// The files that were looked for in vain, as they are named.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  SplitFile* file_at(const std::string& path) const;
  std::optional<Die> find(const Die& root, uint64_t id) const;
  SkeletonParts parts_of(const Die& root, uint64_t id) const;
  std::vector<std::string> candidates(const Die& root, std::string_view name) const;

  const DwarfFile& skeletons_;
  SplitPlaces places_;
  mutable std::map<std::string, std::unique_ptr<SplitFile>> files_;  ///< by path; nullptr: there is none
  mutable std::map<void*, std::optional<Die>> found_;                ///< by the entry of a skeleton's root
  mutable std::vector<std::string> missing_;
};

}  // namespace strut

// Debug information that a compiler kept out of what was linked (gcc(1), -gsplit-dwarf): where it is, and what of it
// belongs to a unit.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symtab/dwarf.hpp"

namespace strut {

/// Where split files are looked for.
struct SplitPlaces {
  std::string module;  ///< path of the program or library, as its process names it; empty: nothing is looked for
  std::string root;    ///< in front of absolute paths, as in debug_file_candidates
};

/// A unit and the file that it is in. Valid as long as that.
struct UnitOfFile {
  const Dwarf* file = nullptr;
  const DwarfUnit* unit = nullptr;
};

/// What skeletons stand for: units of .dwo files, each named by its skeleton, or of one package beside the module
/// (.dwp). Files are opened when a unit is asked for; what does not have the skeleton's number is not believed.
class SplitUnits {
 public:
  /// `skeletons` must outlive this.
  SplitUnits(const Dwarf& skeletons, SplitPlaces places) : skeletons_(skeletons), places_(std::move(places)) {}

  /// The unit with the entries that a unit of `skeletons` stands for, which is itself if it is no skeleton. nullopt:
  /// the file that has them is not there, or another one's.
  std::optional<UnitOfFile> whole(const DwarfUnit& unit) const;
  /// The files that were looked for in vain, as they are named.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  struct File {
    ElfFile elf;
    Dwarf dwarf;
    File(ElfFile file, const Dwarf& skeletons) : elf(std::move(file)), dwarf(elf, Dwarf::SplitFrom{skeletons}) {}
  };
  const File* file_at(const std::string& path) const;
  std::optional<UnitOfFile> find(const DwarfUnit& skeleton, const Die& root, uint64_t id) const;
  std::vector<std::string> candidates(const Die& root, std::string_view name) const;

  const Dwarf& skeletons_;
  SplitPlaces places_;
  mutable std::map<std::string, std::unique_ptr<File>> files_;   ///< by path; nullptr: there is none
  mutable std::map<uint64_t, std::optional<UnitOfFile>> found_;  ///< by a skeleton's offset
  mutable std::vector<std::string> missing_;
};

}  // namespace strut

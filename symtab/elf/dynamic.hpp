// A module's tags for the dynamic linker (elf(5), "Dynamic tags").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// From PT_DYNAMIC, which files without section headers have, too. Addresses are the file's own; views live as long as
/// it.
struct DynamicTags {
  std::vector<std::string_view> needed;
  std::string_view soname, runpath;
  uint64_t init = 0, fini = 0;  ///< functions to run first and last; 0: none
  std::vector<uint64_t> preinit_array, init_array, fini_array;
  uint64_t debug_at = 0;   ///< where the process has the value of DT_DEBUG: the linker's r_debug; 0: no such tag
  bool binds_now = false;  ///< -z now
};

DynamicTags dynamic_tags(const ElfFile& file);

/// DT_SONAME: a library's own name; empty: it has none. Lives as long as the file.
std::string_view soname(const ElfFile& file);

/// The tags as they stand there.
class DynamicTable {
 public:
  explicit DynamicTable(const ElfFile& file);

  struct Tag {
    uint64_t name, value;
    uint64_t value_at;  ///< the address
  };
  const std::vector<Tag>& all() const { return tags_; }
  /// For the first tag of this kind (DT_); 0: there is none.
  uint64_t value(uint64_t name) const;

 private:
  std::vector<Tag> tags_;
};

}  // namespace strut

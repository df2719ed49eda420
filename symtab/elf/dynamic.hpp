// What a module tells the dynamic linker (elf(5), "Dynamic tags").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// Of PT_DYNAMIC, which files without section headers have, too. Addresses are the file's own; views live as long as
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

/// DT_SONAME: what a library calls itself; empty: it does not. Lives as long as the file.
std::string_view soname(const ElfFile& file);

/// The tags as they stand there.
class DynamicTable {
 public:
  explicit DynamicTable(const ElfFile& file);

  struct Tag {
    uint64_t name, value;
    uint64_t value_at;  ///< its address
  };
  const std::vector<Tag>& all() const { return tags_; }
  /// Of the first one of a name (DT_); 0: there is none.
  uint64_t value(uint64_t name) const;

 private:
  std::vector<Tag> tags_;
};

}  // namespace strut

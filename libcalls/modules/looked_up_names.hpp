// Which names a program may look up by itself.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// Whether it refers to dlsym(3) or dlvsym(3).
bool looks_names_up(const ElfFile& file);

/// Names that are among a file's data. Names that are put together when it runs are not.
class NamesInData {
 public:
  /// Reads all of its data once. Keeps views of the file.
  explicit NamesInData(const ElfFile& file);
  /// A string is the name, or ends with it, for linkers keep a string within another one that it ends. True of a name
  /// of one letter.
  bool has(std::string_view name) const;

 private:
  /// By their last two bytes: there are millions of strings.
  std::unordered_map<uint16_t, std::vector<std::string_view>> by_end_;
};

}  // namespace strut

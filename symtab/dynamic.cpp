#include "symtab/dynamic.hpp"

#include <optional>
#include <unordered_map>

#include <elf.h>

#include "symtab/byte_reader.hpp"
#include "symtab/relocations.hpp"

namespace strut {

namespace {

constexpr size_t kMostFunctions = 1 << 16;

struct Tag {
  uint64_t name, value;
  uint64_t value_at;  ///< its address
};

std::vector<Tag> read_tags(const ElfFile& file) {
  std::vector<Tag> tags;
  if (!file.dynamic()) return tags;
  size_t word = file.is_64() ? 8 : 4;
  uint64_t at = file.dynamic()->address;
  ByteReader reader(file.bytes().subspan(file.dynamic()->offset, file.dynamic()->file_bytes));
  for (; reader.left() >= 2 * word; at += 2 * word) {
    Tag tag{reader.take_number(word), reader.take_number(word), at + word};
    if (tag.name == DT_NULL) break;
    tags.push_back(tag);
  }
  return tags;
}

uint64_t value_of(const std::vector<Tag>& tags, uint64_t name) {
  for (const Tag& tag : tags)
    if (tag.name == name) return tag.value;
  return 0;
}

/// Functions whose addresses stand in an array. Where the file may be loaded anywhere, they stand in relocations instead,
/// or relative ones say only that there is something to add.
class Arrays {
 public:
  explicit Arrays(const ElfFile& file) : file_(file) {}

  std::vector<uint64_t> at(uint64_t address, uint64_t bytes) {
    std::vector<uint64_t> functions;
    size_t word = file_.is_64() ? 8 : 4;
    ByteReader reader(file_.at_address(address));
    for (uint64_t i = 0; i < bytes / word && i < kMostFunctions && reader.left() >= word; i++) {
      uint64_t function = reader.take_number(word);
      if (function == 0) function = relocated(address + i * word);
      functions.push_back(function);
    }
    return functions;
  }

 private:
  uint64_t relocated(uint64_t at) {
    if (!addends_) {
      addends_.emplace();
      for (const Relocation& relocation : relocations_of(file_)) addends_->try_emplace(relocation.at, static_cast<uint64_t>(relocation.addend));
    }
    auto found = addends_->find(at);
    return found == addends_->end() ? 0 : found->second;
  }

  const ElfFile& file_;
  std::optional<std::unordered_map<uint64_t, uint64_t>> addends_;
};

std::string_view text_at(const ElfFile& file, uint64_t strings, uint64_t offset) {
  std::span<const std::byte> bytes = file.at_address(strings + offset);
  return ByteReader(bytes).take_string();
}

}  // namespace

DynamicTags dynamic_tags(const ElfFile& file) {
  std::vector<Tag> tags = read_tags(file);
  DynamicTags dynamic;
  uint64_t strings = value_of(tags, DT_STRTAB);
  for (const Tag& tag : tags) {
    if (tag.name == DT_NEEDED) dynamic.needed.push_back(text_at(file, strings, tag.value));
    if (tag.name == DT_DEBUG) dynamic.debug_at = tag.value_at;
  }
  if (uint64_t at = value_of(tags, DT_SONAME)) dynamic.soname = text_at(file, strings, at);
  if (uint64_t at = value_of(tags, DT_RUNPATH)) dynamic.runpath = text_at(file, strings, at);
  dynamic.init = value_of(tags, DT_INIT);
  dynamic.fini = value_of(tags, DT_FINI);
  Arrays arrays(file);
  dynamic.preinit_array = arrays.at(value_of(tags, DT_PREINIT_ARRAY), value_of(tags, DT_PREINIT_ARRAYSZ));
  dynamic.init_array = arrays.at(value_of(tags, DT_INIT_ARRAY), value_of(tags, DT_INIT_ARRAYSZ));
  dynamic.fini_array = arrays.at(value_of(tags, DT_FINI_ARRAY), value_of(tags, DT_FINI_ARRAYSZ));
  dynamic.binds_now = (value_of(tags, DT_FLAGS) & DF_BIND_NOW) || (value_of(tags, DT_FLAGS_1) & DF_1_NOW);
  return dynamic;
}

}  // namespace strut

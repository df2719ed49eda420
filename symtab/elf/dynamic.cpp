#include "symtab/elf/dynamic.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

namespace {

constexpr size_t kMaxFunctions = 1 << 16;

/// Functions with addresses in an array. Where the file may be loaded anywhere, they are in relocations instead, or
/// relative relocations only add the load address.
class Arrays {
 public:
  explicit Arrays(const ElfFile& file) : file_(file) {}

  std::vector<uint64_t> at(uint64_t address, uint64_t bytes) {
    std::vector<uint64_t> functions;
    size_t word = file_.is_64() ? 8 : 4;
    ByteReader reader(file_.at_address(address));
    for (uint64_t i = 0; i < bytes / word && i < kMaxFunctions && reader.left() >= word; i++) {
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
      for (const Relocation& relocation : relocations_of(file_))
        addends_->try_emplace(relocation.at, static_cast<uint64_t>(relocation.addend));
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

DynamicTable::DynamicTable(const ElfFile& file) {
  if (!file.dynamic()) return;
  size_t word = file.is_64() ? 8 : 4;
  uint64_t at = file.dynamic()->address;
  ByteReader reader(file.bytes().subspan(file.dynamic()->offset, file.dynamic()->file_bytes));
  for (; reader.left() >= 2 * word; at += 2 * word) {
    Tag tag{reader.take_number(word), reader.take_number(word), at + word};
    if (tag.name == DT_NULL) break;
    tags_.push_back(tag);
  }
}

uint64_t DynamicTable::value(uint64_t name) const {
  auto tag = std::ranges::find(tags_, name, &Tag::name);
  return tag == tags_.end() ? 0 : tag->value;
}

std::string_view soname(const ElfFile& file) {
  DynamicTable tags(file);
  uint64_t at = tags.value(DT_SONAME);
  return at ? text_at(file, tags.value(DT_STRTAB), at) : std::string_view();
}

DynamicTags dynamic_tags(const ElfFile& file) {
  DynamicTable tags(file);
  DynamicTags dynamic;
  uint64_t strings = tags.value(DT_STRTAB);
  for (const DynamicTable::Tag& tag : tags.all()) {
    if (tag.name == DT_NEEDED) dynamic.needed.push_back(text_at(file, strings, tag.value));
    if (tag.name == DT_DEBUG) dynamic.debug_at = tag.value_at;
  }
  if (uint64_t at = tags.value(DT_SONAME)) dynamic.soname = text_at(file, strings, at);
  if (uint64_t at = tags.value(DT_RUNPATH)) dynamic.runpath = text_at(file, strings, at);
  dynamic.init = tags.value(DT_INIT);
  dynamic.fini = tags.value(DT_FINI);
  Arrays arrays(file);
  dynamic.preinit_array = arrays.at(tags.value(DT_PREINIT_ARRAY), tags.value(DT_PREINIT_ARRAYSZ));
  dynamic.init_array = arrays.at(tags.value(DT_INIT_ARRAY), tags.value(DT_INIT_ARRAYSZ));
  dynamic.fini_array = arrays.at(tags.value(DT_FINI_ARRAY), tags.value(DT_FINI_ARRAYSZ));
  dynamic.binds_now = (tags.value(DT_FLAGS) & DF_BIND_NOW) || (tags.value(DT_FLAGS_1) & DF_1_NOW);
  return dynamic;
}

}  // namespace strut

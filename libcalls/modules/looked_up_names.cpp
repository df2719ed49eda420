#include "libcalls/modules/looked_up_names.hpp"

#include <algorithm>
#include <cstring>

#include <elf.h>

#include "symtab/elf/imports.hpp"

namespace strut {
namespace {

uint16_t last_two(std::string_view text) {
  uint16_t end;
  std::memcpy(&end, text.data() + text.size() - sizeof end, sizeof end);
  return end;
}

/// In ASCII, as symbols of functions are written; of other languages' names the last letter alone.
bool may_end_name(char last) {
  auto letter = static_cast<unsigned char>(last | 0x20);
  return (letter >= 'a' && letter <= 'z') || (last >= '0' && last <= '9') || last == '_' || last == '$' ||
         (last & 0x80);
}

template <typename Visit>
void for_each_string(std::span<const std::byte> data, Visit visit) {
  const char *at = reinterpret_cast<const char*>(data.data()), *end = at + data.size();
  while (const void* nul = at < end ? std::memchr(at, 0, static_cast<size_t>(end - at)) : nullptr) {
    auto last = static_cast<const char*>(nul);
    visit(std::string_view(at, static_cast<size_t>(last - at)));
    at = last + 1;
  }
}

bool is_data(const Section& section) {
  return section.type == SHT_PROGBITS && (section.flags & SHF_ALLOC) && !(section.flags & SHF_EXECINSTR);
}

}  // namespace

bool looks_names_up(const ElfFile& file) { return refers_to(file, "dlsym") || refers_to(file, "dlvsym"); }

NamesInData::NamesInData(const ElfFile& file) {
  for (const Section& section : file.sections()) {
    if (!is_data(section)) continue;
    for_each_string(file.contents(section), [&](std::string_view text) {
      if (text.size() >= 2 && may_end_name(text.back())) by_end_[last_two(text)].push_back(text);
    });
  }
}

bool NamesInData::has(std::string_view name) const {
  if (name.size() < 2 || !may_end_name(name.back())) return true;
  auto ends = by_end_.find(last_two(name));
  return ends != by_end_.end() &&
         std::ranges::any_of(ends->second, [&](std::string_view text) { return text.ends_with(name); });
}

}  // namespace strut

#include "calls/looked_up_names.hpp"

#include <cstring>
#include <unordered_map>
#include <vector>

#include <elf.h>

#include "symtab/imports.hpp"

namespace strut {
namespace {

/// By their last two bytes: there are millions of strings, and few names.
using NamesByEnd = std::unordered_map<uint16_t, std::vector<std::string_view>>;

uint16_t last_two(std::string_view text) {
  uint16_t end;
  std::memcpy(&end, text.data() + text.size() - sizeof end, sizeof end);
  return end;
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

std::unordered_set<std::string_view> looked_up_names(const ElfFile& file, std::span<const std::string_view> names) {
  std::unordered_set<std::string_view> found;
  if (!refers_to(file, "dlsym") && !refers_to(file, "dlvsym")) return found;
  NamesByEnd by_end;
  for (std::string_view name : names)
    if (name.size() < 2) found.insert(name);
    else by_end[last_two(name)].push_back(name);
  for (const Section& section : file.sections()) {
    if (!is_data(section)) continue;
    for_each_string(file.contents(section), [&](std::string_view text) {
      auto candidates = text.size() < 2 ? by_end.end() : by_end.find(last_two(text));
      if (candidates == by_end.end()) return;
      for (std::string_view name : candidates->second)
        if (text.ends_with(name)) found.insert(name);
    });
  }
  return found;
}

}  // namespace strut

#include "syscalls/types/common/remark.hpp"

#include <algorithm>
#include <cstdio>

namespace strut {
namespace {

const char* flags_in(Arena& arena, uint64_t bits, const ConstantSet& set) {
  const char* text = "";
  auto add = [&](std::string_view name) { text = joined(arena, {text, *text ? "|" : "", name}); };
  uint64_t rest = bits;
  for (const Constant& flag : set.entries) {
    uint64_t mask = flag.mask ? flag.mask : flag.value;
    if ((rest & mask) != flag.value || (flag.value == 0 && !flag.mask)) continue;
    add(flag.name);
    rest &= ~mask;
  }
  if (!*text) return bits == 0 ? nullptr : set.unknown;
  char number[24];
  std::snprintf(number, sizeof number, "%#llx", static_cast<unsigned long long>(rest));
  if (rest != 0) add(number);
  return text;
}

const char* names_in(Arena& arena, uint64_t bits, const ConstantSet& set) {
  if (set.naming == Naming::Flags) return flags_in(arena, bits, set);
  const char* name = set.name_of(bits);
  return name ? name : set.unknown;
}

}  // namespace

const char* joined(Arena& arena, std::initializer_list<std::string_view> parts) {
  size_t bytes = 1;
  for (std::string_view part : parts) bytes += part.size();
  char* text = static_cast<char*>(arena.allocate(bytes, 1));
  char* to = text;
  for (std::string_view part : parts) {
    to = std::copy(part.begin(), part.end(), to);
  }
  *to = '\0';
  return text;
}

Value remarked(Arena& arena, uint64_t bits, const char* remark, uint8_t bytes, NumberBase base) {
  const ConstantSet* set = arena.make(enumeration(remark, {}, base));
  return {Named{bits, set, bytes}, {}};
}

Value number_with_names(Arena& arena, uint64_t bits, const ConstantSet& set, uint8_t bytes) {
  return remarked(arena, bits, names_in(arena, bits, set), bytes, set.base);
}

}  // namespace strut

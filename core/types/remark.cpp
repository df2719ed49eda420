#include "core/types/remark.hpp"

namespace strut {

const char* joined(Arena& arena, std::initializer_list<std::string_view> parts) {
  size_t bytes = 1;
  for (std::string_view part : parts) bytes += part.size();
  char* text = static_cast<char*>(arena.allocate(bytes, 1));
  char* to = text;
  for (std::string_view part : parts) {
    std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  *to = '\0';
  return text;
}

Value remarked(Arena& arena, uint64_t bits, const char* remark, uint8_t bytes) {
  const ConstantSet* set = arena.make(enumeration(remark, {}, NumberBase::Decimal));
  return {Named{bits, set, bytes}, {}};
}

}  // namespace strut

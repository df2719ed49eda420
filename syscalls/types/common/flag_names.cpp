#include "syscalls/types/common/flag_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace strut {
namespace {

bool matches(const Constant& entry, uint64_t bits) {
  return entry.mask ? (bits & entry.mask) == entry.value : entry.value != 0 && (bits & entry.value) == entry.value;
}

/// Text of bounded length with '|' between its parts.
class Joined {
 public:
  void add(std::string_view part) {
    if (size_ != 0) put("|");
    put(part);
  }
  std::string_view text() const { return {text_, size_}; }
  bool empty() const { return size_ == 0; }

 private:
  void put(std::string_view part) {
    size_t bytes = std::min(part.size(), sizeof text_ - size_);
    std::memcpy(text_ + size_, part.data(), bytes);
    size_ += bytes;
  }
  char text_[2048];
  size_t size_ = 0;
};

}  // namespace

Value flag_names(Decoder& decoder, const ConstantSet& set, uint64_t bits) {
  Joined names;
  for (const Constant& entry : set.entries) {
    if (!matches(entry, bits)) continue;
    names.add(entry.name);
    bits &= ~(entry.mask ? entry.mask : entry.value);
  }
  if (bits != 0 || names.empty()) {
    char digits[20] = "0x";
    char* end = std::to_chars(digits + 2, digits + sizeof digits, bits, 16).ptr;
    names.add({digits, end});
  }
  return {Text{decoder.arena().copy(names.text()), TextKind::Bare, false, false}, {}};
}

}  // namespace strut

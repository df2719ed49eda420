// BTF files made by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace strut::test {

/// Writes records of <linux/btf.h>.
class BtfFile {
 public:
  uint32_t name(const std::string& text) {
    if (text.empty()) return 0;
    auto at = static_cast<uint32_t>(names_.size());
    names_ += text + '\0';
    return at;
  }
  /// Its id.
  uint32_t add(uint32_t kind, const std::string& text, uint32_t size_or_type, std::vector<uint32_t> more = {},
               uint32_t count = 0, bool flag = false) {
    for (uint32_t word : {name(text), kind << 24 | count | (flag ? 1u << 31 : 0), size_or_type}) types_.push_back(word);
    types_.insert(types_.end(), more.begin(), more.end());
    return ++last_;
  }
  std::vector<std::byte> bytes() const {
    auto size = static_cast<uint32_t>(types_.size() * 4);
    std::vector<uint32_t> words = {0x1eb9f, 24, 0, size, size, static_cast<uint32_t>(names_.size())};
    words.insert(words.end(), types_.begin(), types_.end());
    auto first = std::as_bytes(std::span(words)), second = std::as_bytes(std::span(names_));
    std::vector<std::byte> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    return all;
  }

 private:
  std::vector<uint32_t> types_;
  std::string names_ = std::string(1, '\0');
  uint32_t last_ = 0;
};

inline constexpr uint32_t kInt = 1, kPointer = 2, kArray = 3, kStruct = 4, kUnion = 5, kEnum = 6, kTypedef = 8,
                          kConst = 10, kPrototype = 13, kSigned = 1 << 24, kTruth = 4 << 24;

}  // namespace strut::test

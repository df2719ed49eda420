// Fields collected one by one, for structures with members that depend on each other or on a length.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "syscalls/decoder.hpp"

namespace strut {

/// At most kMost fields, in the order in which they are shown.
class FieldList {
 public:
  static constexpr size_t kMost = 64;

  FieldList& add(std::string_view name, const Value& value) {
    CHECK_THAT(count_ < kMost);
    fields_[count_++] = {name, value, false};
    return *this;
  }
  std::span<const FieldValue> fields() const { return std::span(fields_).first(count_); }
  /// All of them as a structure; `cut`: members are missing at the end.
  Value structure(Decoder& decoder, bool cut = false) const { return decoder.fields(fields(), cut); }

 private:
  std::array<FieldValue, kMost> fields_;
  size_t count_ = 0;
};

}  // namespace strut

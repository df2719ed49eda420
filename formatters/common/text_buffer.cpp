#include "formatters/common/text_buffer.hpp"

#include <algorithm>

namespace strut {

void TextBuffer::grow(size_t count) {
  size_t capacity = std::max<size_t>({256, capacity_ * 2, size_ + count});
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

void TextBuffer::escape(std::string_view parameters) {
  size_t before = size_;
  put("\033[");
  put(parameters);
  put('m');
  escapes_ += size_ - before;
}

}  // namespace strut

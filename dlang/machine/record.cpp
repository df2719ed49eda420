#include "dlang/machine/record.hpp"

#include <cstring>

namespace strut {
namespace {

constexpr size_t kAlign = 8;
constexpr size_t padded(size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

std::byte* DRecordWriter::room(size_t bytes) {
  size_t at = bytes_.size();
  bytes_.resize(at + bytes);
  return bytes_.data() + at;
}

void DRecordWriter::close() {
  if (open_ == kNone) return;
  auto size = static_cast<uint32_t>(bytes_.size() - open_ - kAlign);
  std::memcpy(bytes_.data() + open_ + 4, &size, sizeof size);
  open_ = kNone;
}

void DRecordWriter::begin(uint32_t action) {
  close();
  open_ = bytes_.size();
  std::memcpy(room(kAlign), &action, sizeof action);
}

void DRecordWriter::integer(uint64_t value) { std::memcpy(room(sizeof value), &value, sizeof value); }

void DRecordWriter::text(std::string_view bytes) {
  auto size = static_cast<uint32_t>(bytes.size());
  std::byte* to = room(kAlign + padded(bytes.size()));
  std::memcpy(to, &size, sizeof size);
  if (size != 0) std::memcpy(to + kAlign, bytes.data(), bytes.size());
}

void DRecordWriter::address(uint64_t process, uint64_t address) {
  integer(process);
  integer(address);
}

void DRecordWriter::stack(uint64_t process, std::span<const uint64_t> frames) {
  integer(process);
  integer(frames.size());
  if (!frames.empty()) std::memcpy(room(frames.size_bytes()), frames.data(), frames.size_bytes());
}

uint64_t DItem::frame(size_t index) const {
  uint64_t value;
  std::memcpy(&value, frames.data() + index * sizeof value, sizeof value);
  return value;
}

std::optional<int64_t> number_in(std::string_view bytes) {
  if (bytes.size() != 1 && bytes.size() != 2 && bytes.size() != 4 && bytes.size() != 8) return std::nullopt;
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  size_t shift = 64 - bytes.size() * 8;
  return static_cast<int64_t>(value << shift) >> shift;
}

std::optional<std::span<const std::byte>> DItemReader::take(uint64_t bytes) {
  if (bytes > rest_.size()) return std::nullopt;
  auto taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

std::optional<uint64_t> DItemReader::word() {
  auto bytes = take(sizeof(uint64_t));
  if (!bytes) return std::nullopt;
  uint64_t value;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

std::optional<DItem> DItemReader::next(const DShape& shape) {
  DItem item{.shape = shape};
  auto first = word();
  if (!first) return std::nullopt;
  if (shape.kind == DShape::Kind::Integer) {
    item.integer = *first;
    return item;
  }
  if (shape.is_counted()) {
    uint64_t size = *first & UINT32_MAX;
    auto bytes = take(padded(size));
    if (!bytes) return std::nullopt;
    item.text = {reinterpret_cast<const char*>(bytes->data()), size};
    return item;
  }
  auto second = word();
  if (!second) return std::nullopt;
  item.process = *first;
  item.integer = *second;
  if (!shape.is_stack()) return item;
  if (*second > rest_.size() / sizeof(uint64_t)) return std::nullopt;
  item.frames = *take(*second * sizeof(uint64_t));
  return item;
}

std::optional<DRecordedAction> DRecordReader::next() {
  if (rest_.size() < kAlign) return std::nullopt;
  uint32_t head[2];
  std::memcpy(head, rest_.data(), sizeof head);
  if (head[1] > rest_.size() - kAlign) return std::nullopt;
  DRecordedAction action{head[0], rest_.subspan(kAlign, head[1])};
  rest_ = rest_.subspan(kAlign + head[1]);
  return action;
}

}  // namespace strut

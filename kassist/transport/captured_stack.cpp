#include "kassist/transport/captured_stack.hpp"

#include <algorithm>
#include <cstring>

namespace strut {

namespace {

/// Bytes further away are no stack.
constexpr uint64_t kLargestFrame = 8 << 20;

}  // namespace

std::optional<CapturedStack> CapturedStack::of(const Order::Entry& entry) {
  CapturedStack stack;
  for (const Order::Part& part : entry.parts) stack.add(part.record);
  stack.add(entry.record);
  if (stack.extents_.size() > 1) std::ranges::stable_sort(stack.pieces_, {}, &Piece::at);
  return stack.has_registers_ ? std::optional(std::move(stack)) : std::nullopt;
}

void CapturedStack::add(RecordView record) {
  record.each_chunk([&](const ChunkView& chunk) {
    if (chunk.header->kind == WIRE_STACK && !chunk.content.empty())
      pieces_.push_back({chunk.header->at, chunk.content});
    bool has_registers = chunk.header->kind == WIRE_REGISTERS && chunk.content.size() == sizeof registers_;
    uint64_t begin = 0;
    if (chunk.header->kind == WIRE_INTERRUPTED && chunk.content.size() == sizeof begin)
      std::memcpy(&begin, chunk.content.data(), sizeof begin);
    if (has_registers) {
      std::memcpy(registers_.data(), chunk.content.data(), sizeof registers_);
      begin = registers_[user_register::kStackPointer];
      has_registers_ = true;
    }
    if (begin != 0) extents_.push_back({begin, chunk.header->at, chunk.header->missed != 0});
  });
}

bool CapturedStack::is_of_stack(uint64_t at) const {
  return std::ranges::any_of(extents_, [&](const Extent& extent) {
    return at >= extent.begin && at < (extent.goes_on ? extent.end + kLargestFrame : extent.end);
  });
}

ReadOutcome CapturedStack::read(Addr from, std::span<std::byte> out) {
  uint64_t at = raw(from);
  auto piece = std::ranges::upper_bound(pieces_, at, {}, &Piece::at);
  if (piece != pieces_.begin()) --piece;
  size_t done = 0;
  for (; piece != pieces_.end() && done < out.size() && piece->at <= at + done; ++piece) {
    uint64_t offset = at + done - piece->at;
    if (offset >= piece->bytes.size()) continue;
    size_t count = std::min(out.size() - done, piece->bytes.size() - offset);
    std::memcpy(out.data() + done, piece->bytes.data() + offset, count);
    done += count;
  }
  // The walk asks for whole pages: only of a word that is not there at all it is known that it was wanted.
  bool unseen = done < sizeof(uint64_t) && is_of_stack(at + done);
  fell_short_ |= unseen;
  return {done, unseen};
}

}  // namespace strut

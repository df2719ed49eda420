#include "kassist/captured_stack.hpp"

#include <algorithm>
#include <cstring>

namespace strut {

namespace {

/// What is wanted further beyond is no stack.
constexpr uint64_t kLargestFrame = 8 << 20;

}  // namespace

std::optional<CapturedStack> CapturedStack::of(const Order::Entry& entry) {
  CapturedStack stack;
  for (const Order::Part& part : entry.parts) stack.add(part.record);
  stack.add(entry.record);
  return stack.has_registers_ ? std::optional(std::move(stack)) : std::nullopt;
}

void CapturedStack::add(RecordView record) {
  record.each_chunk([&](const ChunkView& chunk) {
    if (chunk.header->kind == WIRE_STACK && !chunk.content.empty()) pieces_.push_back({chunk.header->at, chunk.content});
    if (chunk.header->kind != WIRE_REGISTERS || chunk.content.size() != sizeof registers_) return;
    std::memcpy(registers_.data(), chunk.content.data(), sizeof registers_);
    end_ = chunk.header->at;
    goes_on_ = chunk.header->missed != 0;
    has_registers_ = true;
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
  uint64_t wanted = at + done, furthest = goes_on_ ? end_ + kLargestFrame : end_;
  bool unseen = done < sizeof(uint64_t) && wanted >= registers_[7] && wanted < furthest;
  fell_short_ |= unseen;
  return {done, unseen};
}

}  // namespace strut

#include "kassist/transport/captured_memory.hpp"

#include <algorithm>
#include <cstring>

namespace strut {

void CapturedMemory::begin() {
  pieces_.clear();
  batches_.clear();
  supplied_.clear();
  results_ = false;
  missed_ = Missed::Unknown;
}

void CapturedMemory::add(RecordView record, const std::shared_ptr<const Batch>& batch) {
  record.each_chunk([&](const ChunkView& chunk) {
    const wire_chunk& header = *chunk.header;
    if (header.kind != WIRE_MEMORY && header.kind != WIRE_RESULTS) return;
    pieces_.push_back({header.at, chunk.content, header.asked, header.kind == WIRE_RESULTS, header.missed != 0});
  });
  if (batches_.empty() || batches_.back() != batch) batches_.push_back(batch);
}

void CapturedMemory::supply(uint64_t at, const std::string& text) {
  const std::string& held = supplied_.emplace_back(text);
  pieces_.push_back({at, std::as_bytes(std::span(held.c_str(), held.size() + 1)), held.size() + 1, false, false});
}

// The first piece of the entry that has the byte: later ones were read again because others lacked. Of the results the
// last one, if results are shown.
const CapturedMemory::Piece* CapturedMemory::piece_at(uint64_t at) const {
  const Piece* found = nullptr;
  for (const Piece& piece : pieces_) {
    if (at - piece.at >= piece.bytes.size() || at < piece.at) continue;
    if (piece.result ? results_ : !found) found = &piece;
  }
  return found;
}

bool CapturedMemory::missed_at(uint64_t at) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [at](const Piece& piece) {
    return piece.missed && at >= piece.at + piece.bytes.size() && at - piece.at < piece.asked;
  });
}

size_t CapturedMemory::from_pieces(uint64_t at, std::span<std::byte> out) const {
  size_t done = 0;
  while (done < out.size()) {
    const Piece* piece = piece_at(at + done);
    if (!piece) break;
    size_t offset = at + done - piece->at;
    size_t count = std::min(out.size() - done, piece->bytes.size() - offset);
    std::memcpy(out.data() + done, piece->bytes.data() + offset, count);
    done += count;
  }
  return done;
}

template <typename Read>
ReadOutcome CapturedMemory::completed(uint64_t at, size_t done, size_t wanted, Read read) {
  if (done == wanted) return {done, false};
  if (missed_ == Missed::Faulted && missed_at(at + done)) return {done, false};
  if (missed_ == Missed::Replaced) return {done, true};
  ReadOutcome rest = read(Addr{at + done});
  if (rest.bytes > 0) late_++;
  return {done + rest.bytes, live_.gone()};
}

ReadOutcome CapturedMemory::read(Addr at, std::span<std::byte> out) {
  size_t done = from_pieces(raw(at), out);
  return completed(raw(at), done, out.size(), [&](Addr rest) { return live_.read(rest, out.subspan(done)); });
}

ReadOutcome CapturedMemory::read_string(Addr at, std::span<char> out) {
  size_t done = from_pieces(raw(at), std::as_writable_bytes(out));
  if (const void* nul = std::memchr(out.data(), 0, done))
    return {static_cast<size_t>(static_cast<const char*>(nul) - out.data()) + 1, false};
  return completed(raw(at), done, out.size(), [&](Addr rest) { return live_.read_string(rest, out.subspan(done)); });
}

}  // namespace strut

#include "kassist/transport/ring_reader.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace strut {

namespace {

constexpr size_t kHeaderBytes = BPF_RINGBUF_HDR_SZ;

/// The most bytes that are mapped at once.
constexpr size_t kPieceBytes = 256 << 10;

uint64_t position(const std::byte* page) {
  return std::atomic_ref(*reinterpret_cast<uint64_t*>(const_cast<std::byte*>(page))).load(std::memory_order_acquire);
}

uint32_t length_word(const std::byte* header) {
  return std::atomic_ref(*reinterpret_cast<uint32_t*>(const_cast<std::byte*>(header))).load(std::memory_order_acquire);
}

}  // namespace

Result<RingReader> RingReader::map(int ring, size_t bytes) {
  RingReader reader;
  reader.ring_ = ring;
  reader.size_ = bytes;
  reader.page_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void* consumer = ::mmap(nullptr, reader.page_, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
  if (consumer == MAP_FAILED) return fail({errno, "map the BPF ring", {}, {}, {}});
  reader.consumer_ = static_cast<std::byte*>(consumer);
  void* place =
      ::mmap(nullptr, reader.page_ + 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return fail({errno, "map the BPF ring", {}, {}, {}});
  reader.producer_ = static_cast<std::byte*>(place);
  auto offset = static_cast<off_t>(reader.page_);
  if (::mmap(place, reader.page_, PROT_READ, MAP_SHARED | MAP_FIXED, ring, offset) == MAP_FAILED)
    return fail({errno, "map the BPF ring", {}, {}, {}});
  reader.piece_shift_ = std::countr_zero(std::min(bytes, kPieceBytes));
  reader.mapped_.resize(2 * bytes >> reader.piece_shift_);
  return reader;
}

RingReader::RingReader(RingReader&& other) noexcept
    : size_(other.size_),
      page_(other.page_),
      ring_(other.ring_),
      piece_shift_(other.piece_shift_),
      consumer_(other.consumer_),
      producer_(other.producer_),
      mapped_(std::move(other.mapped_)) {
  other.consumer_ = other.producer_ = nullptr;
}

RingReader::~RingReader() {
  if (consumer_) ::munmap(consumer_, page_);
  if (producer_) ::munmap(producer_, page_ + 2 * size_);
}

bool RingReader::map_piece(size_t piece) {
  size_t bytes = size_t{1} << piece_shift_, behind = page_ + (piece << piece_shift_);
  if (::mmap(producer_ + behind, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, ring_, static_cast<off_t>(page_ + behind)) ==
      MAP_FAILED)
    return false;
  mapped_[piece] = true;
  return true;
}

/// Makes bytes `from` to `to` of the data readable. False: there is no memory for that now.
bool RingReader::reach(size_t from, size_t to) {
  for (size_t piece = from >> piece_shift_; piece << piece_shift_ < to; piece++)
    if (!mapped_[piece] && !map_piece(piece)) return false;
  return true;
}

std::span<const std::byte> RingReader::peek(size_t most, uint64_t end_at) {
  uint64_t from = position(consumer_), to = std::min(position(producer_), end_at);
  size_t start = from & (size_ - 1), bytes = 0;
  const std::byte* first = producer_ + page_ + start;
  while (from + bytes < to && bytes < most) {
    if (!reach(start + bytes, start + bytes + kHeaderBytes)) break;
    uint32_t word = length_word(first + bytes);
    if (word & BPF_RINGBUF_BUSY_BIT) break;
    size_t length = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
    size_t end = bytes + ((length + kHeaderBytes + 7) & ~size_t{7});
    if (!reach(start + bytes, start + end)) break;
    bytes = end;
  }
  return {first, bytes};
}

void RingReader::release(size_t bytes) {
  auto* word = reinterpret_cast<uint64_t*>(consumer_);
  std::atomic_ref(*word).store(*word + bytes, std::memory_order_release);
}

uint64_t RingReader::written() const { return position(producer_); }

uint64_t RingReader::read() const { return position(consumer_); }

bool RingReader::empty() const { return read() == written(); }

size_t RingReader::fill() const { return position(producer_) - position(consumer_); }

}  // namespace strut

#include "kassist/ring_reader.hpp"

#include <atomic>
#include <cerrno>

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace strut {

namespace {

constexpr size_t kHeaderBytes = BPF_RINGBUF_HDR_SZ;

uint64_t position(const std::byte* page) {
  return std::atomic_ref(*reinterpret_cast<uint64_t*>(const_cast<std::byte*>(page))).load(std::memory_order_acquire);
}

uint32_t length_word(const std::byte* header) {
  return std::atomic_ref(*reinterpret_cast<uint32_t*>(const_cast<std::byte*>(header))).load(std::memory_order_acquire);
}

}  // namespace

Result<RingReader> RingReader::map(int ring, size_t bytes) {
  RingReader reader;
  reader.size_ = bytes;
  reader.page_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void* consumer = ::mmap(nullptr, reader.page_, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
  if (consumer == MAP_FAILED) return fail({errno, "map the BPF ring", {}, {}, {}});
  reader.consumer_ = static_cast<std::byte*>(consumer);
  void* producer =
      ::mmap(nullptr, reader.page_ + 2 * bytes, PROT_READ, MAP_SHARED, ring, static_cast<off_t>(reader.page_));
  if (producer == MAP_FAILED) return fail({errno, "map the BPF ring", {}, {}, {}});
  reader.producer_ = static_cast<std::byte*>(producer);
  return reader;
}

RingReader::RingReader(RingReader&& other) noexcept
    : size_(other.size_), page_(other.page_), consumer_(other.consumer_), producer_(other.producer_) {
  other.consumer_ = other.producer_ = nullptr;
}

RingReader::~RingReader() {
  if (consumer_) ::munmap(consumer_, page_);
  if (producer_) ::munmap(producer_, page_ + 2 * size_);
}

std::span<const std::byte> RingReader::peek(size_t most) const {
  uint64_t from = position(consumer_), to = position(producer_);
  const std::byte* first = producer_ + page_ + (from & (size_ - 1));
  size_t bytes = 0;
  while (from + bytes < to && bytes < most) {
    uint32_t word = length_word(first + bytes);
    if (word & BPF_RINGBUF_BUSY_BIT) break;
    size_t length = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
    bytes += (length + kHeaderBytes + 7) & ~size_t{7};
  }
  return {first, bytes};
}

void RingReader::release(size_t bytes) {
  auto* word = reinterpret_cast<uint64_t*>(consumer_);
  std::atomic_ref(*word).store(*word + bytes, std::memory_order_release);
}

bool RingReader::empty() const { return position(consumer_) == position(producer_); }

size_t RingReader::fill() const { return position(producer_) - position(consumer_); }

}  // namespace strut

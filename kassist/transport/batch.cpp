#include "kassist/transport/batch.hpp"

#include <cstring>
#include <numeric>

namespace strut {

namespace {

size_t bytes_of(std::span<const BatchRun> runs) {
  return std::accumulate(runs.begin(), runs.end(), size_t{0},
                         [](size_t sum, const BatchRun& run) { return sum + run.bytes.size(); });
}

}  // namespace

Batch::Batch(std::span<const BatchRun> runs, std::atomic<size_t>& total) : size_(bytes_of(runs)), total_(total) {
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  runs_.reserve(runs.size());
  std::byte* at = bytes_.get();
  for (const BatchRun& run : runs) {
    std::memcpy(at, run.bytes.data(), run.bytes.size());
    runs_.push_back({run.source, {at, run.bytes.size()}});
    at += run.bytes.size();
  }
  total_ += size_;
}

Batch::~Batch() { total_ -= size_; }

}  // namespace strut

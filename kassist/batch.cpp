#include "kassist/batch.hpp"

#include <cstring>

namespace strut {

Batch::Batch(std::span<const std::byte> run, std::atomic<size_t>& total)
    : bytes_(std::make_unique_for_overwrite<std::byte[]>(run.size())), size_(run.size()), total_(total) {
  std::memcpy(bytes_.get(), run.data(), run.size());
  total_ += size_;
}

Batch::~Batch() { total_ -= size_; }

}  // namespace strut

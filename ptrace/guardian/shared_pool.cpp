#include "ptrace/guardian/shared_pool.hpp"

#include <cstring>

#include <sys/mman.h>

namespace strut {
namespace {

constexpr size_t kPagesPerMapping = 32;

}  // namespace

bool SharedPool::grow() {
  void* memory =
      ::mmap(nullptr, kPagesPerMapping * kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  free_.reserve(free_.size() + kPagesPerMapping);
  for (size_t page = kPagesPerMapping; page-- > 0;)
    free_.push_back(static_cast<std::byte*>(memory) + page * kPageBytes);
  return true;
}

void* SharedPool::take() {
  if (free_.empty() && unused_.size() >= kPageBytes) {
    void* page = unused_.data();
    unused_ = unused_.subspan(kPageBytes);
    return page;
  }
  if (free_.empty() && !grow()) return nullptr;
  void* page = free_.back();
  free_.pop_back();
  std::memset(page, 0, kPageBytes);
  return page;
}

void SharedPool::give_back(void* page) { free_.push_back(page); }

}  // namespace strut

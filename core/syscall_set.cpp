#include "core/syscall_set.hpp"

namespace strut {

namespace {
constexpr size_t index_of(Abi abi) { return static_cast<size_t>(abi); }
}  // namespace

SyscallSet SyscallSet::all() { return ~SyscallSet{}; }

bool SyscallSet::contains(Abi abi, uint32_t nr) const {
  return nr < kSyscallLimit ? known_[index_of(abi)][nr] : unknown_;
}

void SyscallSet::insert(Abi abi, uint32_t nr) {
  if (nr < kSyscallLimit) known_[index_of(abi)].set(nr);
}

void SyscallSet::erase(Abi abi, uint32_t nr) {
  if (nr < kSyscallLimit) known_[index_of(abi)].reset(nr);
}

void SyscallSet::insert_unknown() {
  for (size_t i = 0; i < kAbiCount; i++)
    for (uint32_t nr = 0; nr < kFirstPart; nr++)
      if (!find_syscall(static_cast<Abi>(i), nr)) known_[i].set(nr);
  unknown_ = true;
}

SyscallSet SyscallSet::operator~() const {
  SyscallSet result;
  for (size_t i = 0; i < kAbiCount; i++) result.known_[i] = ~known_[i];
  result.unknown_ = !unknown_;
  return result;
}

SyscallSet& SyscallSet::operator|=(const SyscallSet& other) {
  for (size_t i = 0; i < kAbiCount; i++) known_[i] |= other.known_[i];
  unknown_ = unknown_ || other.unknown_;
  return *this;
}

SyscallSet& SyscallSet::operator&=(const SyscallSet& other) {
  for (size_t i = 0; i < kAbiCount; i++) known_[i] &= other.known_[i];
  unknown_ = unknown_ && other.unknown_;
  return *this;
}

bool SyscallSet::empty() const {
  for (const auto& numbers : known_)
    if (numbers.any()) return false;
  return !unknown_;
}

}  // namespace strut

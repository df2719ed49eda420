#include "syscalls/syscall_set.hpp"

namespace strut {

namespace {
constexpr size_t index_of(Abi abi) { return static_cast<size_t>(abi); }

bool is_known(Abi abi, uint32_t nr) { return find_syscall(abi, nr) || (abi == Abi::I386 && find_part(nr)); }
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

void SyscallSet::insert_unknown() { set_unknown(true); }

void SyscallSet::erase_unknown() { set_unknown(false); }

void SyscallSet::set_unknown(bool member) {
  for (size_t i = 0; i < kAbiCount; i++)
    for (uint32_t nr = 0; nr < kSyscallLimit; nr++)
      if (!is_known(static_cast<Abi>(i), nr)) known_[i].set(nr, member);
  unknown_ = member;
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

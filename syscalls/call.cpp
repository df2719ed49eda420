#include "syscalls/call.hpp"

namespace strut {

namespace {

constexpr uint64_t kLargestError = 4095;  // MAX_ERRNO of the kernel: restart codes included

}  // namespace

void set_number(Call& call, Abi abi, uint32_t nr) {
  call.abi = abi;
  call.nr = nr;
  const SyscallDesc* desc = find_syscall(abi, nr);
  call.desc = desc ? desc : &unknown_syscall();
}

void set_result(Call& call, int64_t value) {
  if (call.abi == Abi::I386) value = static_cast<int32_t>(value);
  call.returned = true;
  call.result = value;
  call.error = static_cast<uint64_t>(-value) - 1 < kLargestError ? static_cast<int>(-value) : 0;
}

void DecodedCall::reset() {
  arena.reset();
  if (!fd_targets.empty()) fd_targets.clear();
  count = 0;
  ready = 0;
  complete = false;
  result = {};
  aux = {};
  dumps = {};
  unseen = 0;
}

}  // namespace strut

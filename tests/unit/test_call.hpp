// A call of one thread that tests of formatters take through its life.
#pragma once

#include "syscalls/syscall.hpp"
#include "trace/event.hpp"

namespace strut::test {

struct TestCall {
  Call call;
  DecodedCall decoded;

  TestCall(const SyscallDesc& desc, int32_t tid) {
    call.desc = &desc;
    if (const SyscallSlot* slot = find_syscall(Abi::X86_64, desc.name)) call.nr = slot->nr;
    call.pid = Pid{tid};
    call.tid = Tid{tid};
    decoded.count = desc.count;
    for (size_t i = 0; i < desc.count; i++) decoded.args[i] = {&desc.args[i], {Pending{}, {}}};
  }
  void returns(int64_t result) {
    call.returned = true;
    call.result = result;
    decoded.result = {Number{static_cast<uint64_t>(result), Show::Signed}, {}};
  }
  void fails(int error) {
    call.returned = true;
    call.error = error;
  }
};

}  // namespace strut::test

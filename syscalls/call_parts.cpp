#include "syscalls/call_parts.hpp"

#include <algorithm>
#include <iterator>

namespace strut {
namespace {

constexpr uint32_t kSelectNumber = 82;  // <asm/unistd_32.h>
constexpr uint32_t kSocketcallNumber = 102;
constexpr uint32_t kIpcNumber = 117;
constexpr size_t kSelectWords = 5;  // struct sel_arg_struct of the kernel
/// Words that each command of socketcall(2) reads, by command: socket is 1, sendmmsg 20 (<linux/net.h>).
constexpr uint8_t kSocketcallWords[] = {0, 3, 3, 3, 2, 3, 3, 3, 4, 4, 4, 6, 6, 2, 5, 5, 3, 3, 4, 5, 4};

void become(Call& call, uint32_t nr, const SyscallDesc& part) {
  call.nr = nr;
  call.desc = &part;
}

/// i386's arguments in memory: one 32-bit word each.
bool read_arguments(Call& call, Memory& memory, Addr at, size_t count) {
  std::array<uint32_t, kRegisters> words{};
  std::span<std::byte> bytes = std::as_writable_bytes(std::span(words).first(count));
  if (memory.read(at, bytes).bytes != bytes.size()) return false;
  std::copy(words.begin(), words.end(), call.regs.begin());
  return true;
}

}  // namespace

void resolve_part(Call& call, Memory& memory) {
  if (call.abi != Abi::I386) return;
  if (call.nr == kSelectNumber) {
    const SyscallDesc* part = find_part(kSelectPart);
    if (part && read_arguments(call, memory, Addr{call.regs[0]}, kSelectWords)) become(call, kSelectPart, *part);
  } else if (call.nr == kSocketcallNumber) {
    uint64_t command = call.regs[0];
    if (command >= std::size(kSocketcallWords)) return;
    uint32_t nr = kSocketcallParts + static_cast<uint32_t>(command);
    const SyscallDesc* part = find_part(nr);
    if (part && read_arguments(call, memory, Addr{call.regs[1]}, kSocketcallWords[command])) become(call, nr, *part);
  } else if (call.nr == kIpcNumber) {
    uint32_t nr = kIpcParts + (call.regs[0] & 0xffff);  // the upper half is a version: IPCCALL of <linux/ipc.h>
    const SyscallDesc* part = find_part(nr);
    if (!part) return;
    std::shift_left(call.regs.begin(), call.regs.end(), 1);
    call.regs.back() = 0;
    become(call, nr, *part);
  }
}

uint32_t kernel_number(const Call& call) {
  if (call.abi == Abi::X32) return call.nr | kX32Bit;
  if (call.abi != Abi::I386 || call.desc != find_part(call.nr)) return call.nr;
  if (call.nr == kSelectPart) return kSelectNumber;
  return call.nr < kIpcParts ? kSocketcallNumber : kIpcNumber;
}

}  // namespace strut

#include "ptrace/requests/control.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <sys/user.h>

namespace strut {

namespace {

template <typename Address, typename Argument>
long request(__ptrace_request what, Tid tid, Address address, Argument argument) {
  return ::ptrace(what, raw(tid), address, argument);
}

bool write_register(Tid tid, size_t offset, int64_t value) { return request(PTRACE_POKEUSER, tid, offset, value) == 0; }

__ptrace_request request_of(Restart how) {
  switch (how) {
    case Restart::ToSyscall: return PTRACE_SYSCALL;
    case Restart::Freely: return PTRACE_CONT;
    case Restart::ForAStep: return PTRACE_SINGLESTEP;
    case Restart::Listening: return PTRACE_LISTEN;
  }
  return PTRACE_CONT;
}

}  // namespace

int seize(Tid tid, unsigned options) {
  return request(PTRACE_SEIZE, tid, 0L, static_cast<unsigned long>(options)) == 0 ? 0 : errno;
}

bool interrupt(Tid tid) { return request(PTRACE_INTERRUPT, tid, 0L, 0L) == 0; }

bool restart(Tid tid, Restart how, int signal) {
  return request(request_of(how), tid, 0L, static_cast<long>(signal)) == 0;
}

bool detach(Tid tid, int signal) { return request(PTRACE_DETACH, tid, 0L, static_cast<long>(signal)) == 0; }

bool read_syscall_info(Tid tid, SyscallInfo& info) {
  return request(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) > 0;
}

std::optional<unsigned long> event_message(Tid tid) {
  unsigned long message = 0;
  if (request(PTRACE_GETEVENTMSG, tid, 0L, &message) != 0) return std::nullopt;
  return message;
}

bool read_siginfo(Tid tid, siginfo_t& info) { return request(PTRACE_GETSIGINFO, tid, 0L, &info) == 0; }

bool write_siginfo(Tid tid, const siginfo_t& info) { return request(PTRACE_SETSIGINFO, tid, 0L, &info) == 0; }

size_t write_memory(Tid tid, Addr at, std::string_view bytes) {
  // PTRACE_POKEDATA writes whole words: the bytes around the new ones are read first.
  size_t written = 0;
  while (!bytes.empty()) {
    uint64_t skipped = raw(at) % sizeof(long);
    uint64_t word_at = raw(at) - skipped;
    size_t count = std::min(bytes.size(), static_cast<size_t>(sizeof(long) - skipped));
    errno = 0;
    long word = request(PTRACE_PEEKDATA, tid, word_at, 0L);
    if (errno != 0) return written;
    std::memcpy(reinterpret_cast<char*>(&word) + skipped, bytes.data(), count);
    if (request(PTRACE_POKEDATA, tid, word_at, word) != 0) return written;
    at = at + count;
    written += count;
    bytes.remove_prefix(count);
  }
  return written;
}

bool read_registers(Tid tid, UserRegisters& registers) {
  user_regs_struct r;
  if (request(PTRACE_GETREGS, tid, 0L, &r) != 0) return false;
  registers = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
               r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
  return true;
}

bool read_all_registers(Tid tid, std::array<uint64_t, 27>& registers) {
  static_assert(sizeof(user_regs_struct) == sizeof registers);
  return request(PTRACE_GETREGS, tid, 0L, registers.data()) == 0;
}

bool write_all_registers(Tid tid, const std::array<uint64_t, 27>& registers) {
  return request(PTRACE_SETREGS, tid, 0L, registers.data()) == 0;
}

bool write_instruction_pointer(Tid tid, uint64_t address) {
  return write_register(tid, offsetof(user_regs_struct, rip), static_cast<int64_t>(address));
}

bool read_vectors(Tid tid, std::span<uint64_t> low_halves, std::span<uint64_t, 2> x87) {
  user_fpregs_struct vectors;
  if (request(PTRACE_GETFPREGS, tid, 0L, &vectors) != 0) return false;
  constexpr size_t kWords = 4;  // for 32 bits, that each register has in xmm_space
  for (size_t i = 0; i < low_halves.size(); i++)
    std::memcpy(&low_halves[i], &vectors.xmm_space[i * kWords], sizeof(uint64_t));
  std::memcpy(x87.data(), vectors.st_space, x87.size_bytes());
  return true;
}

std::optional<uint64_t> read_blocked(Tid tid) {
  uint64_t blocked = 0;
  if (request(PTRACE_GETSIGMASK, tid, sizeof blocked, &blocked) != 0) return std::nullopt;
  return blocked;
}

bool write_blocked(Tid tid, uint64_t blocked) { return request(PTRACE_SETSIGMASK, tid, sizeof blocked, &blocked) == 0; }

std::optional<int64_t> read_syscall_number(Tid tid) {
  errno = 0;
  long number = request(PTRACE_PEEKUSER, tid, offsetof(user_regs_struct, orig_rax), 0L);
  if (errno != 0) return std::nullopt;
  return number;
}

bool write_syscall_number(Tid tid, int64_t number) {
  return write_register(tid, offsetof(user_regs_struct, orig_rax), number);
}

bool write_result(Tid tid, int64_t result) { return write_register(tid, offsetof(user_regs_struct, rax), result); }

}  // namespace strut

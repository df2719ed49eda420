// Cost of decoding: nanoseconds per call, memory reads served from a flat copy.
//
// Usage: decode [ROUNDS]. Prints one line per call: name, nanoseconds for enter and exit together (best of five
// rounds).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

/// One page at 0x1000.
class Page : public Memory {
 public:
  char bytes[4096] = "/etc/ld.so.cache";
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    size_t from = raw(at) - 0x1000;
    if (from >= sizeof bytes) return {};
    size_t count = std::min(out.size(), sizeof bytes - from);
    std::memcpy(out.data(), bytes + from, count);
    return {count, false};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override {
    size_t from = raw(at) - 0x1000;
    if (from >= sizeof bytes) return {};
    size_t length = std::min(strnlen(bytes + from, sizeof bytes - from) + 1, out.size());
    std::memcpy(out.data(), bytes + from, length);
    return {length, false};
  }
};

class Nothing : public CallContext {
 public:
  std::optional<FdTarget> fd_target(int, bool) override { return std::nullopt; }
  std::optional<std::string> comm(int32_t) override { return std::nullopt; }
  std::optional<int32_t> translate_pid(int32_t) override { return std::nullopt; }
};

double ns_per_call(Call call, size_t rounds) {
  Page page;
  Nothing around;
  DecodeOptions options;
  DecodedCall decoded;
  double best = 1e9;
  for (int attempt = 0; attempt < 5; attempt++) {
    auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < rounds; i++) {
      call.returned = false;
      decode_enter(call, {page, around, options}, decoded);
      call.returned = true;
      decode_exit(call, {page, around, options}, decoded);
    }
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / static_cast<double>(rounds));
  }
  return best;
}

void measure(const char* name, std::array<uint64_t, kRegisters> regs, int64_t result, size_t rounds) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, name);
  if (!slot) return;
  Call call;
  call.nr = slot->nr;
  call.desc = slot->desc;
  call.regs = regs;
  call.result = result;
  std::printf("%-12s %7.1f\n", name, ns_per_call(call, rounds));
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  strut::measure("getppid", {}, 1, rounds);
  strut::measure("close", {3}, 0, rounds);
  strut::measure("read", {3, 0x1100, 832}, 832, rounds);
  strut::measure("openat", {static_cast<uint64_t>(-100), 0x1000, 0}, 3, rounds);
  strut::measure("newfstatat", {3, 0x1000, 0x1100, 0}, 0, rounds);
  strut::measure("mmap", {0, 4096, 3, 0x22, static_cast<uint64_t>(-1), 0}, 0x1000, rounds);
  strut::measure("poll", {0x1200, 4, 0}, 1, rounds);
  strut::measure("sendfile", {3, 4, 0x1200, 100}, 100, rounds);
}

// Watched system calls in code, and the memory of files.
#include <doctest/doctest.h>

#include <algorithm>

#include <sys/syscall.h>

#include "ptrace/breakpoints/call_places.hpp"

namespace strut::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr uint64_t kStart = 0x10000;
constexpr size_t kCodeBytes = 64;

void put(Bytes& code, size_t at, std::initializer_list<unsigned> bytes) {
  for (unsigned byte : bytes) code[at++] = static_cast<std::byte>(byte);
}
void put_call(Bytes& code, size_t at, unsigned number) {
  put(code, at, {0xb8, number & 0xff, number >> 8, 0, 0, 0x0f, 0x05});
}

class CountedMemory final : public Memory {
 public:
  Bytes code = Bytes(kCodeBytes);
  int whole_reads = 0;
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    size_t from = raw(at) - kStart, bytes = std::min(out.size(), code.size() - from);
    if (bytes == code.size()) whole_reads++;
    std::copy_n(code.begin() + static_cast<ptrdiff_t>(from), bytes, out.begin());
    return {bytes, false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, false}; }
};

Mapping mapping_of(uint64_t inode, size_t bytes = kCodeBytes) {
  Mapping mapping;
  mapping.start = Addr{kStart};
  mapping.end = Addr{kStart + bytes};
  mapping.inode = inode;
  return mapping;
}

}  // namespace

TEST_CASE("call places: calls are found by their bytes, but for glibc's own clones") {
  Bytes code(kCodeBytes);
  put_call(code, 0, SYS_rt_sigaction);
  put_call(code, 8, SYS_getpid);
  put(code, 15, {0x41});  // a REX prefix
  put_call(code, 16, SYS_clone);
  put(code, 25, {0x49, 0x89, 0xc8});  // mov %rcx,%r8
  put_call(code, 28, SYS_clone3);
  put_call(code, 40, SYS_clone3);
  put(code, 60, {0xb8, 13, 0, 0});  // the end of the code
  CHECK(find_call_places(code) == std::vector<CallPlace>{{0, WatchedCall::Action, false},
                                                         {16, WatchedCall::Clone, true},
                                                         {40, WatchedCall::Clone3, false}});
  CHECK(find_call_places({}).empty());
  CHECK(find_call_places(std::span(code).first(6)).empty());
}

TEST_CASE("call places: a file is looked through once for all processes that have its code") {
  CountedMemory first, second, changed;
  for (CountedMemory* memory : {&first, &second}) put_call(memory->code, 20, SYS_rt_sigprocmask);
  put_call(changed.code, 30, SYS_rt_sigprocmask);
  CallPlaces places;
  for (CountedMemory* memory : {&first, &second})
    CHECK(places.in(*memory, mapping_of(1)) == std::vector<CallPlace>{{20, WatchedCall::Mask, false}});
  CHECK(first.whole_reads == 1);
  CHECK(second.whole_reads == 0);
  CHECK(places.in(changed, mapping_of(1)) == std::vector<CallPlace>{{30, WatchedCall::Mask, false}});
  CHECK(places.in(second, mapping_of(2)) == std::vector<CallPlace>{{20, WatchedCall::Mask, false}});
}

TEST_CASE("call places: what lies across the pieces that are read is found once, with the code in front of it") {
  constexpr size_t kPiece = 1 << 16;
  for (size_t bytes : {kPiece + 7, 3 * kPiece + 100})
    for (size_t at = kPiece - 20; at <= kPiece; at++) {
      CAPTURE(at);
      CountedMemory plain, own;
      plain.code.assign(bytes, {});
      put(plain.code, at - 1, {0x41});
      put_call(plain.code, at, SYS_clone);
      own.code.assign(bytes, {});
      put(own.code, at - 5, {0xbf, 0x11, 0, 0x20, 0x01});  // fork(3)'s flags
      put_call(own.code, at, SYS_clone);
      CallPlaces places;
      CHECK(places.in(plain, mapping_of(1, bytes)) == std::vector<CallPlace>{{at, WatchedCall::Clone, true}});
      CHECK(places.in(own, mapping_of(2, bytes)).empty());
    }
}

TEST_CASE("call places: memory that ends early is searched as far as it goes") {
  constexpr size_t kPiece = 1 << 16;
  CountedMemory memory;
  memory.code.assign(kPiece + 30, {});
  put_call(memory.code, kPiece + 23, SYS_rt_sigaction);
  CallPlaces places;
  CHECK(places.in(memory, mapping_of(1, 4 * kPiece)) ==
        std::vector<CallPlace>{{kPiece + 23, WatchedCall::Action, false}});
}

}  // namespace strut::test

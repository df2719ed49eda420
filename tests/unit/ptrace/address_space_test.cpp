// Breakpoints in the memory of processes: of parents, and of children that were made meanwhile.
#include "ptrace/breakpoints/address_space.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strut::test {
namespace {

constexpr size_t kPages = 3, kPage = 4096;
constexpr std::byte kNop{0x90}, kInt3{0xcc};

/// A process that does nothing, in memory that is a copy of ours.
class Copy {
 public:
  Copy() : pid_(::fork()) {
    if (pid_ != 0) return;
    for (;;) ::pause();
  }
  Copy(const Copy&) = delete;
  ~Copy() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Tid tid() const { return Tid{pid_}; }

 private:
  pid_t pid_;
};

/// Pages of instructions, at the same place in all copies.
class Code {
 public:
  Code()
      : bytes_(static_cast<std::byte*>(
            ::mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    std::memset(bytes_, static_cast<int>(kNop), kPages * kPage);
  }
  Code(const Code&) = delete;
  ~Code() { ::munmap(bytes_, kPages * kPage); }
  Addr at(size_t page, size_t offset) const { return Addr{reinterpret_cast<uint64_t>(bytes_) + page * kPage + offset}; }

 private:
  std::byte* bytes_;
};

std::byte byte_at(const AddressSpace& space, Addr at) {
  std::byte byte{};
  REQUIRE(space.read_raw(raw(at), {&byte, 1}) == 1);
  return byte;
}

}  // namespace

TEST_CASE("address space: a child that was made before its parent's breakpoints gets them") {
  Code code;
  std::array first{HostBreakpoint{code.at(0, 8), 1}};
  std::array second{HostBreakpoint{code.at(1, 0), 2}, HostBreakpoint{code.at(2, 9), 3}};
  Copy parent, made_before, made_between;
  AddressSpace of_parent(Pid{raw(parent.tid())}, parent.tid());
  REQUIRE(of_parent.insert(first).empty());
  AddressSpace(Pid{raw(made_between.tid())}, made_between.tid()).insert(first);  // as it would have been copied
  REQUIRE(of_parent.insert(second).empty());
  for (const Copy* copy : {&made_before, &made_between}) {
    AddressSpace of_child(copy->tid(), of_parent);
    CHECK(of_child.size() == 3);
    for (Addr at : {code.at(0, 8), code.at(1, 0), code.at(2, 9)}) CHECK(byte_at(of_child, at) == kInt3);
    CHECK(byte_at(of_child, code.at(1, 1)) == kNop);
    of_child.remove_all();
    for (Addr at : {code.at(0, 8), code.at(1, 0), code.at(2, 9)}) CHECK(byte_at(of_child, at) == kNop);
  }
}

TEST_CASE("address space: a child that was made before its parent's breakpoints were removed is rid of them") {
  Code code;
  std::array both{HostBreakpoint{code.at(0, 8), 1}, HostBreakpoint{code.at(2, 9), 2}};
  Copy parent, child;
  AddressSpace of_parent(Pid{raw(parent.tid())}, parent.tid());
  REQUIRE(of_parent.insert(both).empty());
  AddressSpace(Pid{raw(child.tid())}, child.tid()).insert(both);
  std::array removed{code.at(2, 9)};
  of_parent.remove(removed);
  AddressSpace of_child(child.tid(), of_parent);
  CHECK(byte_at(of_child, code.at(0, 8)) == kInt3);
  CHECK(byte_at(of_child, code.at(2, 9)) == kNop);
}

}  // namespace strut::test

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

uint16_t counter_at(const AddressSpace& space, Addr at) {
  uint16_t counter = 0xffff;
  REQUIRE(space.read_raw(raw(at), std::as_writable_bytes(std::span(&counter, 1))) == sizeof counter);
  return counter;
}

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

TEST_CASE("address space: a semaphore is raised once for all of its breakpoints, over the counts of other tracers") {
  Code code;
  Addr semaphore = code.at(2, 64);
  uint16_t others = 3;
  Copy process;
  AddressSpace space(Pid{raw(process.tid())}, process.tid());
  REQUIRE(space.write_raw(raw(semaphore), std::as_bytes(std::span(&others, 1))));
  std::array both{HostBreakpoint{code.at(0, 8), 1, semaphore}, HostBreakpoint{code.at(1, 8), 2, semaphore}};
  REQUIRE(space.insert(both).empty());
  CHECK(counter_at(space, semaphore) == 4);
  REQUIRE(space.insert(both).empty());
  CHECK(counter_at(space, semaphore) == 4);
  std::array first{code.at(0, 8)}, second{code.at(1, 8)};
  space.remove(first);
  CHECK(counter_at(space, semaphore) == 4);
  space.remove(second);
  CHECK(counter_at(space, semaphore) == 3);
  REQUIRE(space.insert(both).empty());
  space.remove_all();
  CHECK(counter_at(space, semaphore) == 3);
}

TEST_CASE("address space: a semaphore that is not mapped for writing waits, and is lowered only if it was raised") {
  Code code;
  Addr semaphore = code.at(2, 64);
  REQUIRE(::mprotect(reinterpret_cast<void*>(raw(code.at(2, 0))), kPage, PROT_READ) == 0);
  uint16_t before = 0x9090;  // the code's nops
  Copy process;
  AddressSpace space(Pid{raw(process.tid())}, process.tid());
  std::array armed{HostBreakpoint{code.at(0, 8), 1, semaphore}};
  REQUIRE(space.insert(armed).empty());
  CHECK(counter_at(space, semaphore) == before);
  space.raise_late();
  CHECK(counter_at(space, semaphore) == before);
  space.remove_all();
  CHECK(counter_at(space, semaphore) == before);
}

TEST_CASE("address space: semaphores in a child's copy of the memory, made before or after they were raised") {
  Code code;
  Addr semaphore = code.at(2, 64);
  uint16_t none = 0;
  std::array armed{HostBreakpoint{code.at(0, 8), 1, semaphore}};
  Copy parent, made_before, made_after;
  for (const Copy* copy : {&parent, &made_before, &made_after})
    REQUIRE(
        AddressSpace(Pid{raw(copy->tid())}, copy->tid()).write_raw(raw(semaphore), std::as_bytes(std::span(&none, 1))));
  AddressSpace of_parent(Pid{raw(parent.tid())}, parent.tid());
  REQUIRE(of_parent.insert(armed).empty());
  AddressSpace(Pid{raw(made_after.tid())}, made_after.tid()).insert(armed);  // as it would have been copied
  for (const Copy* copy : {&made_before, &made_after}) {
    AddressSpace of_child(copy->tid(), of_parent);
    CHECK(counter_at(of_child, semaphore) == 1);
    of_child.remove_all();
    CHECK(counter_at(of_child, semaphore) == 0);
  }
  CHECK(counter_at(of_parent, semaphore) == 1);
}

}  // namespace strut::test

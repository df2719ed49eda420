#include "ptrace/cpu/mask_exposure.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace strut::test {

namespace {

struct DecodeContext {
  SocketDetails sockets;
  Census census;
  Tracee tracee{Tid{::getpid()}, Pid{::getpid()}, PidfdNames::Omit, sockets, census};

  Exposure of(std::string_view name, uint64_t first = 0, uint64_t second = 0, Abi abi = Abi::X86_64) {
    const SyscallSlot* slot = find_syscall(abi, name);
    REQUIRE_MESSAGE(slot, std::string(name));
    tracee.call.desc = slot->desc;
    tracee.call.regs[0] = first;
    tracee.call.regs[1] = second;
    tracee.exposure = Exposure::Unknown;
    return exposure_of(tracee);
  }
};

struct File {
  explicit File(const char* path) : fd(::open(path, O_RDONLY)) {}
  ~File() { ::close(fd); }
  int fd;
};

}  // namespace

TEST_CASE("mask exposure: calls that report or take any thread's mask") {
  DecodeContext scene;
  for (const char* name : {"sched_getaffinity", "sched_setaffinity", "sched_setattr", "sched_setscheduler",
                           "io_uring_setup", "io_uring_enter", "io_uring_register", "io_submit", "execve", "execveat"})
    for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32})
      CHECK_MESSAGE(scene.of(name, 0, 0, abi) == Exposure::Anybody, name);
  scene.tracee.call.desc = &unknown_syscall();
  scene.tracee.exposure = Exposure::Unknown;
  CHECK(exposure_of(scene.tracee) == Exposure::Anybody);
}

TEST_CASE("mask exposure: calls that hand the caller's mask on") {
  DecodeContext scene;
  for (const char* name : {"clone", "clone3", "fork", "vfork", "setuid", "setreuid", "setresuid", "setns", "unshare"})
    for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32})
      CHECK_MESSAGE(scene.of(name, 0, 0, abi) == Exposure::Itself, name);
  for (const char* name : {"setuid32", "setreuid32", "setresuid32"})
    CHECK_MESSAGE(scene.of(name, 0, 0, Abi::I386) == Exposure::Itself, name);
  CHECK(scene.of("ioctl", 0, 0xae01) == Exposure::Itself);  // KVM_CREATE_VM
  CHECK(scene.of("ioctl", 0, 0xaf01) == Exposure::Itself);  // VHOST_SET_OWNER
  CHECK(scene.of("ioctl", 0, 0x5401) == Exposure::None);    // TCGETS
}

TEST_CASE("mask exposure: reads of what may be a file of /proc") {
  DecodeContext scene;
  File status("/proc/self/status"), program("/proc/self/exe"), null("/dev/null");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  for (const char* name : {"read", "pread64", "readv", "preadv", "preadv2", "splice", "copy_file_range"}) {
    CHECK_MESSAGE(scene.of(name, status.fd) == Exposure::Anybody, name);
    CHECK_MESSAGE(scene.of(name, program.fd) == Exposure::None, name);
    CHECK_MESSAGE(scene.of(name, null.fd) == Exposure::None, name);
    CHECK_MESSAGE(scene.of(name, ends[0]) == Exposure::None, name);
    CHECK_MESSAGE(scene.of(name, 9999) == Exposure::Anybody, name);
  }
  CHECK(scene.of("sendfile", ends[1], status.fd) == Exposure::Anybody);
  CHECK(scene.of("sendfile", ends[1], program.fd) == Exposure::None);
  CHECK(scene.of("sendfile64", ends[1], status.fd, Abi::I386) == Exposure::Anybody);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("mask exposure: other calls, worked out once") {
  DecodeContext scene;
  for (const char* name :
       {"getppid", "openat", "write", "close", "futex", "mmap", "wait4", "exit_group", "rt_sigreturn"})
    CHECK_MESSAGE(scene.of(name) == Exposure::None, name);
  File status("/proc/self/status");
  CHECK(scene.of("read", status.fd) == Exposure::Anybody);
  scene.tracee.call.regs[0] = 9999;
  CHECK(exposure_of(scene.tracee) == Exposure::Anybody);
  Injection tampering;
  scene.tracee.injection = &tampering;
  CHECK(scene.of("getppid") == Exposure::Anybody);
}

}  // namespace strut::test

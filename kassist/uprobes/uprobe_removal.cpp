#include "kassist/uprobes/uprobe_removal.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/owned_fd.hpp"
#include "kassist/loader/file_size_limit.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "procfs/proc_file.hpp"

namespace strut {
namespace {

constexpr uint64_t kPatience_ns = 2'000'000'000;
constexpr uint64_t kOthersPatience_ns = 300'000'000;  ///< another process tries, and usually does not hang
constexpr useconds_t kAgain_us = 1000;

/// "D" of Documentation/admin-guide/tainted-kernels.rst.
bool has_something_died() {
  constexpr unsigned long kDied = 1 << 7;
  auto taints = read_proc_file("/proc/sys/kernel/tainted", 32);
  return taints && (std::strtoul(taints->c_str(), nullptr, 10) & kDied) != 0;
}

/// Takes the name of the one process on the machine that tries, or hangs in the attempt, however often strut is
/// started. Empty: another process has it.
OwnedFd take_name() {
  constexpr char kName[] = "\0strut takes a uprobe out";
  sockaddr_un address{AF_UNIX, {}};
  std::memcpy(address.sun_path, kName, sizeof kName);
  OwnedFd name(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!name ||
      ::bind(name.number(), reinterpret_cast<sockaddr*>(&address), offsetof(sockaddr_un, sun_path) + sizeof kName) != 0)
    return {};
  return name;
}

/// In a child, which keeps nothing of strut's open but the name.
[[noreturn]] void try_it(int name) {
  constexpr int kKept = 3;
  constexpr size_t kPage = 4096;
  if (int nothing = ::open("/dev/null", O_RDWR); nothing >= 0)
    for (int standard = 0; standard < kKept; standard++) ::dup2(nothing, standard);
  ::dup2(name, kKept);
  ::close_range(kKept + 1, ~0u, 0);
  if (::setsid() < 0 || ::chdir("/") != 0) ::_exit(0);
  auto mechanism = uprobe_mechanism();
  FileSizeLimitRaised limit;
  OwnedFd file(::memfd_create("strut_uprobe", MFD_CLOEXEC));
  if (!mechanism || !file || ::ftruncate(file.number(), kPage) != 0) ::_exit(0);
  OwnedFd program = empty_uprobe_program(*mechanism);
  Uprobes uprobes;
  // In a file that no process maps, so that it is never hit.
  [[maybe_unused]] auto armed =
      uprobes.arm(program.number(), *mechanism,
                  {"/proc/self/fd/" + std::to_string(file.number()), {{0, 0}}, UprobeRequest::When::Executed, {}});
  uprobes.disarm();
  ::_exit(0);
}

bool ends_until(pid_t child, uint64_t until_ns) {
  for (; monotonic_ns() < until_ns; ::usleep(kAgain_us))
    if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
  return false;
}

bool are_taken_out() {
  uint64_t began_ns = monotonic_ns();
  for (; monotonic_ns() < began_ns + kOthersPatience_ns; ::usleep(kAgain_us)) {
    OwnedFd name = take_name();
    if (!name) continue;
    pid_t child = ::fork();
    if (child == 0) try_it(name.number());
    return child < 0 || ends_until(child, began_ns + kPatience_ns);
  }
  return false;
}

}  // namespace

std::optional<Error> uprobe_obstacle() {
  if (!has_something_died() || are_taken_out()) return std::nullopt;
  return Error{0, "kassist", "probes at functions (uprobes)",
               "the kernel cannot take them out any more: a thread died in it at one, see dmesg(1)",
               "--backend=ptrace traces functions by breakpoints; only a new start of the machine mends it"};
}

}  // namespace strut

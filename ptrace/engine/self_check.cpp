#include "ptrace/engine/self_check.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/cpu/tracer_cpu.hpp"
#include "ptrace/guardian/guardian.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {
namespace {

using State = Finding::State;

/// A child that makes calls all the time, until it is destroyed.
class BusyChild {
 public:
  BusyChild() : pid_(fork()) {
    if (pid_ == 0) be_busy();
  }
  BusyChild(const BusyChild&) = delete;
  BusyChild& operator=(const BusyChild&) = delete;
  ~BusyChild() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    int status;
    while (waitpid(pid_, &status, __WALL) == pid_ && !WIFEXITED(status) && !WIFSIGNALED(status)) {
    }
  }
  bool running() const { return pid_ > 0; }
  Tid tid() const { return Tid{pid_}; }
  /// True if it stopped.
  bool wait() const {
    int status;
    return waitpid(pid_, &status, __WALL) == pid_ && WIFSTOPPED(status);
  }

 private:
  [[noreturn]] static void be_busy() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    constexpr timespec kPause{0, 1'000'000};
    for (;;) nanosleep(&kPause, nullptr);
  }
  pid_t pid_;
};

Finding works(const char* feature) { return {feature, State::Works, false, {}, {}}; }
Finding missing(const char* feature, std::string why, std::string advice) {
  return {feature, State::Missing, false, std::move(why), std::move(advice)};
}

Finding check_seize(const BusyChild& child) {
  constexpr const char* kFeature = "trace a child (PTRACE_SEIZE)";
  int error = child.running() ? seize(child.tid(), PTRACE_O_TRACESYSGOOD) : errno;
  if (!error) return works(kFeature);
  auto self = process_status(Tid{getpid()});
  if (self && self->tracer)
    return missing(kFeature, "strut itself is traced by process " + std::to_string(self->tracer),
                   "run it outside of that tracer");
  return missing(kFeature, strerror(error),
                 "a seccomp filter or a security module forbids ptrace; in a container, grant CAP_SYS_PTRACE");
}

Finding check_syscall_info(const BusyChild& child) {
  constexpr const char* kFeature = "read what a call is (PTRACE_GET_SYSCALL_INFO)";
  constexpr const char* kAdvice = "needs Linux 5.3";
  if (!interrupt(child.tid()) || !child.wait()) return missing(kFeature, "the child did not stop", kAdvice);
  if (!restart(child.tid(), Restart::ToSyscall) || !child.wait())
    return missing(kFeature, "the child did not stop at a call", kAdvice);
  SyscallInfo info{};
  if (!read_syscall_info(child.tid(), info)) return missing(kFeature, strerror(errno), kAdvice);
  return works(kFeature);
}

Finding check_memory(const BusyChild& child) {
  constexpr const char* kFeature = "read its memory (process_vm_readv)";
  static const char kMark[] = "strut";
  char copy[sizeof kMark] = {};
  iovec to{copy, sizeof copy}, from{const_cast<char*>(kMark), sizeof kMark};
  ssize_t got = process_vm_readv(raw(child.tid()), &to, 1, &from, 1, 0);
  if (got == ssize_t(sizeof kMark) && memcmp(copy, kMark, sizeof kMark) == 0) return works(kFeature);
  return {kFeature, State::Limited, false, got < 0 ? strerror(errno) : "it was read in part",
          "strut reads /proc/PID/mem instead: slower, same text"};
}

Finding check_seccomp() {
  constexpr const char* kFeature = "stop only at wanted calls (--seccomp-bpf)";
  uint32_t action = SECCOMP_RET_TRACE;
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return works(kFeature);
  return missing(kFeature, strerror(errno), "needs a kernel with CONFIG_SECCOMP_FILTER; leave out --seccomp-bpf");
}

bool can_be_guarded() {
  constexpr int kLooks = 1000;
  auto guardian = Guardian::start(Tid{static_cast<int32_t>(syscall(SYS_gettid))});
  for (int look = 0; guardian && guardian->alive() && look < kLooks; look++) {
    if (guardian->holds()) return true;
    usleep(1000);
  }
  return false;
}

Finding check_follower() {
  constexpr const char* kFeature = "keep tracer and target on one CPU";
  auto cpus = affinity_of(0);
  if (cpus && cpus->count() == 1) return {kFeature, State::Works, false, "there is only one", {}};
  if (TracerCpu::may_leave_idle()) return works(kFeature);
  if (can_be_guarded())
    return {
        kFeature, State::Works, false, "without CAP_SYS_NICE, by a guardian that gives targets their CPUs back", {}};
  return {kFeature, State::Limited, false,
          "it takes CAP_SYS_NICE, RLIMIT_NICE 21, or a strut that may trace itself; without, every call costs two "
          "wake-ups of "
          "another CPU",
          "run strut outside of other tracers or as root, or trace on one CPU: taskset -c 0 strut strace ..."};
}

}  // namespace

Finding check_yama() {
  Finding finding = works("attach to running processes (-p)");
  auto text = read_proc_file("/proc/sys/kernel/yama/ptrace_scope", 16);
  int scope = text ? atoi(text->c_str()) : 0;
  if (scope == 0) finding.why = geteuid() == 0 ? "any process" : "processes of this user";
  if (scope == 0) return finding;
  finding.why = "Yama's ptrace_scope is " + std::to_string(scope) + ": ";
  finding.why += scope == 1   ? "only descendants, without CAP_SYS_PTRACE"
                 : scope == 2 ? "only with CAP_SYS_PTRACE"
                              : "no process may attach until the next boot";
  if (scope < 3) finding.advice = "run strut as root, or sysctl kernel.yama.ptrace_scope=0";
  finding.state = scope >= 3 ? State::Missing : geteuid() == 0 ? State::Works : State::Limited;
  return finding;
}

std::vector<Finding> check_ptrace() {
  std::vector<Finding> findings;
  BusyChild child;
  findings.push_back(check_seize(child));
  findings.back().needed = true;
  if (findings.back().state == State::Works) {
    findings.push_back(check_memory(child));
    findings.push_back(check_syscall_info(child));
    findings.back().needed = true;
  }
  findings.push_back(check_yama());
  findings.push_back(check_seccomp());
  findings.push_back(check_follower());
  return findings;
}

}  // namespace strut

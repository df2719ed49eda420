// System calls and process events of this program and its children.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/owned_fd.hpp"
#include "dlang/compiler/compile.hpp"
#include "dlang/language/btf_types.hpp"
#include "kassist/dtrace/hooks.hpp"
#include "own_code.hpp"

namespace strut::test {
namespace {

std::vector<std::byte> kernel_btf() {
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A program with one clause for each probe, attached to all hooks that it needs.
struct Attached {
  Attached(const std::string& text, const std::vector<DTrigger>& triggers) {
    DSource source{text};
    BtfTypes structures(kernel_btf);
    auto compiled = compile_d({.sources = {&source, 1}, .structures = &structures});
    REQUIRE(compiled);
    program = *std::move(compiled);
    REQUIRE(program.clauses.size() == triggers.size());
    auto loaded = DKernelProgram::load(program, {.ring_bytes = 1 << 20, .stack_bytes = 8192, .uprobes = {}});
    REQUIRE_MESSAGE(loaded, describe(loaded.error()));
    kernel = std::make_unique<DKernelProgram>(std::move(*loaded));
    for (uint32_t i = 0; i < triggers.size(); i++) clauses.push_back(i);
    std::vector<DProbe> probes;
    for (uint32_t i = 0; i < triggers.size(); i++)
      probes.push_back({.id = i + 1,
                        .provider = "test",
                        .module = "",
                        .function = "",
                        .name = "",
                        .trigger = triggers[i],
                        .clauses = {&clauses[i], 1}});
    REQUIRE(kernel->add_probes(probes));
    ring = std::make_unique<RingReader>(*RingReader::map(kernel->ring(), kernel->ring_bytes()));
    for (uint32_t i = 0; i < triggers.size(); i++)
      if (triggers[i].kind == DTrigger::Kind::Tracepoint)
        REQUIRE(tracepoints.add_tracepoint(*kernel, i, triggers[i].tracepoint));
    for (DHook hook : kernel->hooks()) {
      if (hook == DHook::Tracepoint) continue;
      auto fd = kernel->program(hook);
      REQUIRE_MESSAGE(fd, describe(fd.error()));
      links.emplace_back(bpf_raw_tracepoint_open(std::string(tracepoint_of(hook)).c_str(), **fd));
      REQUIRE(links.back());
    }
  }
  /// The first item of each record, by probe.
  std::multimap<uint32_t, uint64_t> seen() {
    links.clear();
    tracepoints.detach();
    std::multimap<uint32_t, uint64_t> all;
    drain(*ring, [&](const d_record& record, std::span<const std::byte> bytes) {
      uint64_t word = 0;
      if (record.item_bytes >= 16) std::memcpy(&word, bytes.data() + 8, sizeof word);
      all.emplace(record.probe, word);
      last_stack = record.stack_bytes;
    });
    return all;
  }
  DProgram program;
  std::vector<uint32_t> clauses;
  std::unique_ptr<DKernelProgram> kernel;
  std::unique_ptr<RingReader> ring;
  std::vector<OwnedFd> links;
  DHooks tracepoints;
  uint32_t last_stack = 0;
};

DTrigger entry_of(std::string_view name, uint8_t first = 0) {
  return {.kind = DTrigger::Kind::SyscallEntry, .calls = {{name, first}}};
}
DTrigger return_of(std::string_view name) { return {.kind = DTrigger::Kind::SyscallReturn, .calls = {{name}}}; }
DTrigger process(DTrigger::Process which) { return {.kind = DTrigger::Kind::Process, .process = which}; }
std::string own_pid() { return std::to_string(::getpid()); }

/// A signal, and again and again, as long as it lives.
class Storm {
 public:
  Storm() {
    struct sigaction nothing{};
    nothing.sa_handler = [](int) {};
    ::sigaction(SIGALRM, &nothing, &before_);
    constexpr itimerval kOften{{0, 50}, {0, 50}};
    ::setitimer(ITIMER_REAL, &kOften, nullptr);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;
  ~Storm() {
    itimerval off{};
    ::setitimer(ITIMER_REAL, &off, nullptr);
    ::sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  struct sigaction before_{};
};

TEST_CASE("kernel: a program is loaded whatever signals come") {
  std::string text;
  std::vector<DTrigger> triggers;
  for (int i = 0; i < 20; i++) {
    text += "a::: { @[execname, ustack()] = quantize(arg0); printf(\"%s %d\", execname, pid); }\n";
    triggers.push_back(entry_of("getpgid"));
  }
  Storm storm;
  Attached all(text, triggers);  // requires that it could be loaded
  CHECK(all.links.size() == all.kernel->hooks().size());
}

TEST_CASE("kernel: arguments and results of system calls") {
  std::string own = "/pid == " + own_pid() + "/";
  Attached all("a::: " + own + " { trace(arg0); } b::: " + own + " { trace(arg0); } c::: /pid == " + own_pid() +
                   " && errno != 0/ { trace(errno); } d::: " + own + " { trace((int64_t)arg1); }",
               {entry_of("getpgid"), entry_of("openat", 1), return_of("close"), return_of("getpgid")});
  const char* path = "/nonexistent";
  ::syscall(SYS_getpgid, 0x7fffabcd);
  ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  ::syscall(SYS_close, 12345);
  auto seen = all.seen();
  CHECK(seen ==
        std::multimap<uint32_t, uint64_t>{
            {0, 0x7fffabcd}, {1, reinterpret_cast<uint64_t>(path)}, {2, EBADF}, {3, static_cast<uint64_t>(-1)}});
}

TEST_CASE("kernel: the life of a process") {
  using Process = DTrigger::Process;
  std::string child = "/ppid == " + own_pid() + "/";
  Attached all("a::: /pid == " + own_pid() + "/ { trace(1); } b::: " + child + " { trace(2); } c::: " + child +
                   " { trace(3); } d::: " + child + " { trace(execname); } e::: " + child +
                   " { trace(arg0); } f::: " + child + " { trace(arg0); }",
               {process(Process::Create), process(Process::Start), process(Process::Exec),
                process(Process::ExecSuccess), process(Process::Exit), process(Process::ExecFailure)});
  pid_t pid = ::fork();
  if (pid == 0) {
    ::execl("/nonexistent", "x", nullptr);
    ::execl("/bin/true", "true", nullptr);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  auto seen = all.seen();
  // execname is "true": four bytes of text.
  CHECK(seen == std::multimap<uint32_t, uint64_t>{{0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 4}, {4, 1}, {5, ENOENT}});
}

/// The kernel counts frames from the hook to a function's loops: those of calls and code are deeper than strut's own.
TEST_CASE("kernel: every hook takes every function") {
  static constexpr const char* kExpressions[] = {
      "cleanpath(execname)",
      "basename(cwd)",
      "dirname(root)",
      "index(execname, cwd)",
      "rindex(execname, \"a\", 3)",
      "strtok(execname, \"a\")",
      "strtok(NULL, \"a\")",
      "copyinstr(arg0)",
      "*(int *)copyin(arg0, 4)",
      "curpsinfo->pr_psargs",
      "curpsinfo->pr_fname",
      "curlwpsinfo->pr_lwpid",
      "execargs",
      "strtoll(execname)",
      "lltostr(arg0, 16)",
      "strstr(execname, cwd)",
      "strrchr(execname, 'a')",
      "substr(execname, 1, 2)",
      "toupper(execname)",
      "strjoin(execname, probefunc)",
      "execname < cwd",
      "walltimestamp",
      "vtimestamp",
      "ucaller",
      "uregs[R_SP]",
      "progenyof(1)",
      "rand()",
      "fds[0].fi_pathname",
      "fds[0].fi_fs",
      "fds[0].fi_name",
      "fds[0].fi_dirname",
      "epid",
      "zonename",
      "fds[0].fi_offset",
      "arg0 / arg1",
      "arg9",
      "inet_ntoa((uint32_t *)alloca(4))",
      "inet_ntop(arg0, alloca(16))",
      "getmajor(arg0)",
      "speculation()",
      "curthread->tgid",
      "stringof(curthread->comm)",
  };
  std::string text = "self string s; string a[int, string];";
  for (const char* expression : kExpressions) text += "x::: { trace(" + std::string(expression) + "); } ";
  text += "x::: { speculate(arg0); trace(1); } x::: { commit(arg1); } ";
  text +=
      "x::: { ustack(); tracemem(copyin(arg0, 4), 4); self->s = execname; a[1, cwd] = self->s; @[execname, ustack()] = "
      "llquantize(arg0, 10, 0, 6, 20); @b[execname] = stddev(arg1); "
      "@c[pid] = lquantize(arg0, 0, 10); @d = quantize(arg0); @e = min(arg0); exit(0); }";
  DSource source{text};
  BtfTypes structures(kernel_btf);
  auto program = compile_d({.sources = {&source, 1}, .structures = &structures});
  REQUIRE_MESSAGE(program, describe(program.error(), TagDisplay::Shown));
  auto kernel =
      DKernelProgram::load(*program, {.ring_bytes = 1 << 20, .stack_bytes = 8192, .uprobes = *uprobe_mechanism()});
  REQUIRE_MESSAGE(kernel, describe(kernel.error()));
  std::vector<uint32_t> clauses;
  for (uint32_t i = 0; i < program->clauses.size(); i++) clauses.push_back(i);
  std::vector<DProbe> probes;
  auto add = [&](DTrigger trigger) {
    probes.push_back({.id = 1,
                      .provider = "x",
                      .module = "",
                      .function = "",
                      .name = "",
                      .trigger = std::move(trigger),
                      .clauses = clauses});
  };
  using enum DTrigger::Kind;
  for (auto kind : {Fired, Code, Profile, Tracepoint, Watch}) add({.kind = kind});
  add(entry_of("getpgid"));
  add(return_of("getpgid"));
  for (auto which = DTrigger::Process::Create; which <= DTrigger::Process::SignalDiscard;
       which = static_cast<DTrigger::Process>(static_cast<int>(which) + 1))
    add(process(which));
  REQUIRE(kernel->add_probes(probes));
  for (size_t hook = 0; hook < kDHooks; hook++) {
    auto loaded = kernel->program(static_cast<DHook>(hook));
    CHECK_MESSAGE(loaded, hook << ": " << describe(loaded.error()));
    if (loaded) CHECK(loaded->has_value());
  }
}

DTrigger tracepoint(DTrigger::Tracepoint at) {
  return {.kind = DTrigger::Kind::Tracepoint, .tracepoint = std::move(at)};
}

TEST_CASE("kernel: arguments of tracepoints are the kernel's memory") {
  std::string own = "/pid == " + own_pid() + "/", task = "((struct task_struct *)arg1)";
  constexpr uint8_t kOwn = DTrigger::Tracepoint::kOwnArguments, kNone = DTrigger::Tracepoint::kNoArguments;
  Attached all("a::: " + own + " { trace(" + task + "->real_parent->tgid); } b::: " + own +
                   " { trace(((struct task_struct *)arg0)->tgid); } c::: " + own + " { trace(arg0); } d::: " + own +
                   " { trace(1); } e::: " + own + " { trace(strlen(stringof(" + task +
                   "->comm)) == strlen(execname)); }",
               {tracepoint({"sched_process_fork", 2, kOwn}), tracepoint({"sched_process_fork", 2, 1}),
                tracepoint({"sched_process_fork", 2, kNone, 1 << 1}),
                tracepoint({"sched_process_fork", 2, kOwn, 0, 1 << 1}), tracepoint({"sched_process_fork", 2, kOwn})});
  pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  auto us = static_cast<uint64_t>(::getpid());
  CHECK(all.seen() == std::multimap<uint32_t, uint64_t>{{0, us}, {1, static_cast<uint64_t>(child)}, {2, 0}, {4, 1}});
}

TEST_CASE("kernel: structures of the kernel are read where they are") {
  std::string own = "/pid == " + own_pid() + "/";
  Attached all("a::: " + own + " { trace(curthread->tgid); } b::: " + own +
                   " { trace(curthread->cred->uid.val + 5); } c::: " + own + " { trace(*(int *)-4096); } d::: " + own +
                   " { tracemem(&curthread->tgid, 4); } e::: " + own +
                   " { this->c = (char *)alloca(16); bcopy(curthread->comm, this->c, 16); "
                   "trace(stringof(this->c) == stringof(curthread->comm)); } f::: " +
                   own +
                   " { this->c = alloca(16); bcopy(curthread->comm, this->c, 16); "
                   "trace(inet_ntoa((ipaddr_t *)curthread->comm) == inet_ntoa((ipaddr_t *)this->c)); }",
               std::vector<DTrigger>(6, entry_of("getpgid")));
  ::syscall(SYS_getpgid, 0);
  auto us = static_cast<uint64_t>(::getpid());
  CHECK(all.seen() == std::multimap<uint32_t, uint64_t>{{0, us}, {1, ::getuid() + 5}, {2, 0}, {3, 4}, {4, 1}, {5, 1}});
}

TEST_CASE("kernel: signals that are sent and handled") {
  using Process = DTrigger::Process;
  // A timer of another process may send a signal while this one is on the CPU.
  std::string own = "/pid == " + own_pid(), sigusr1 = " == " + std::to_string(SIGUSR1) + "/";
  Attached all("a::: " + own + " && arg2" + sigusr1 + " { trace(arg2); } b::: " + own + " && arg0" + sigusr1 +
                   " { trace(arg0); }",
               {process(Process::SignalSend), process(Process::SignalHandle)});
  auto before = ::signal(SIGUSR1, [](int) {});
  ::raise(SIGUSR1);
  ::signal(SIGUSR1, before);
  std::string reported;
  for (auto [probe, signal] : all.seen()) reported += std::to_string(probe) + ": " + std::to_string(signal) + '\n';
  CHECK(reported == "0: " + std::to_string(SIGUSR1) + "\n1: " + std::to_string(SIGUSR1) + '\n');
}

TEST_CASE("kernel: a user stack goes with its record") {
  Attached all("a::: /pid == " + own_pid() + "/ { ustack(3); } ", {entry_of("getpgid")});
  ::syscall(SYS_getpgid, 0);
  auto seen = all.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen.begin()->second == static_cast<uint64_t>(::getpid()));
  CHECK(all.last_stack >= sizeof(d_stack) + 256);
}

}  // namespace
}  // namespace strut::test

// Uprobes on code of the tests' own, with a program of a few instructions that counts hits by cookie. Needs BPF, else
// skips, aloud.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kassist/uprobes/linked_uprobes.hpp"
#include "kassist/uprobes/uprobe_ledger.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "tests/unit/code_bytes.hpp"

using namespace strut;

namespace {

constexpr uint32_t kCookies = 16;

template <typename Fill>
int bpf(int command, Fill fill) {
  bpf_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  fill(attributes);
  return static_cast<int>(::syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

/// An array of counters, and a program that does counters[bpf_get_attach_cookie()]++.
class Counter {
 public:
  explicit Counter(UprobeMechanism mechanism) {
    counters_ = bpf(BPF_MAP_CREATE, [](bpf_attr& a) {
      a.map_type = BPF_MAP_TYPE_ARRAY, a.key_size = 4, a.value_size = 8, a.max_entries = kCookies;
    });
    REQUIRE(counters_ >= 0);
    bpf_insn code[] = {
        {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_attach_cookie},
        {BPF_STX | BPF_MEM | BPF_W, 10, 0, -4, 0},
        {BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, counters_},
        {0, 0, 0, 0, 0},
        {BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0},
        {BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4},
        {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0},
        {BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 1},
        {BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD},
        {BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
        {BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
    };
    program_ = bpf(BPF_PROG_LOAD, [&](bpf_attr& a) {
      a.prog_type = BPF_PROG_TYPE_KPROBE;
      a.insns = reinterpret_cast<uint64_t>(code), a.insn_cnt = std::size(code);
      a.license = reinterpret_cast<uint64_t>("GPL");
      if (mechanism == UprobeMechanism::Multi) a.expected_attach_type = static_cast<bpf_attach_type>(kUprobeMulti);
    });
    REQUIRE(program_ >= 0);
  }
  ~Counter() {
    ::close(program_);
    ::close(counters_);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  int program() const { return program_; }
  uint64_t hits(uint32_t cookie) const {
    uint64_t count = 0;
    bpf(BPF_MAP_LOOKUP_ELEM, [&](bpf_attr& a) {
      a.map_fd = static_cast<uint32_t>(counters_), a.key = reinterpret_cast<uint64_t>(&cookie),
      a.value = reinterpret_cast<uint64_t>(&count);
    });
    return count;
  }

 private:
  int counters_ = -1, program_ = -1;
};

/// A file with code, mapped; functions begin every 64 bytes.
class MappedCode {
 public:
  explicit MappedCode(std::initializer_list<std::string_view> functions) {
    char path[] = "/tmp/strut-uprobes-XXXXXX";
    int fd = ::mkstemp(path);
    REQUIRE(fd >= 0);
    path_ = path;
    std::vector<std::byte> bytes(kBytes, std::byte{0x90});
    size_t at = 0;
    for (std::string_view hex : functions) {
      auto code = test::code(hex);
      std::ranges::copy(code, bytes.begin() + static_cast<std::ptrdiff_t>(at));
      at += 64;
    }
    REQUIRE(::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    at_ = ::mmap(nullptr, kBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    ::close(fd);
    REQUIRE(at_ != MAP_FAILED);
  }
  ~MappedCode() {
    ::munmap(at_, kBytes);
    ::unlink(path_.c_str());
  }
  MappedCode(const MappedCode&) = delete;
  MappedCode& operator=(const MappedCode&) = delete;

  const std::string& path() const { return path_; }
  int call(size_t function) const {
    return reinterpret_cast<int (*)()>(reinterpret_cast<uint64_t>(at_) + 64 * function)();
  }
  std::byte byte(size_t at) const { return static_cast<const volatile std::byte*>(at_)[at]; }

 private:
  static constexpr size_t kBytes = 4096;
  std::string path_;
  void* at_ = nullptr;
};

/// nullopt, aloud: not permitted here.
std::optional<UprobeMechanism> mechanism_here() {
  auto mechanism = uprobe_mechanism();
  auto obstacle = uprobe_obstacle();
  if (mechanism && !obstacle) return *mechanism;
  MESSAGE("SKIPPED: ", describe(obstacle ? *obstacle : mechanism.error()));
  return std::nullopt;
}

/// Whether one link arms many points here; says so if not.
bool has_links() {
  auto mechanism = mechanism_here();
  if (mechanism && *mechanism != UprobeMechanism::Multi) MESSAGE("SKIPPED: uprobe-multi links need Linux 6.6");
  return mechanism == UprobeMechanism::Multi;
}

/// Descriptors of this process that are links of BPF programs.
size_t open_links() {
  size_t count = 0;
  for (auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code closed;
    count += std::filesystem::read_symlink(entry.path(), closed) == "anon_inode:bpf_link";
  }
  return count;
}

UprobeRequest points_in(const MappedCode& code, uint64_t count) {
  UprobeRequest request{code.path(), {}, UprobeRequest::When::Executed, {}};
  for (uint64_t i = 0; i < count; i++) request.points.push_back({i % 4096, 0});
  return request;
}

void count_hits(UprobeMechanism mechanism) {
  MappedCode code{"b8 07 00 00 00 c3", "55 b8 08 00 00 00 5d c3"};
  Counter counter(mechanism);
  {
    Uprobes uprobes;
    auto refused = uprobes.arm(counter.program(), mechanism,
                               {code.path(), {{0, 3}, {64, 4}, {71, 5}}, UprobeRequest::When::Executed, {}});
    REQUIRE(refused);
    CHECK(refused->empty());
    CHECK(uprobes.armed() == 3);
    for (int i = 0; i < 10; i++) CHECK(code.call(0) == 7);
    for (int i = 0; i < 5; i++) CHECK(code.call(1) == 8);
    Uprobes elsewhere = std::move(uprobes);
    CHECK(elsewhere.armed() == 3);
    CHECK(code.call(1) == 8);
  }
  CHECK(code.call(0) == 7);
  CHECK(code.call(1) == 8);
  CHECK(counter.hits(3) == 10);
  CHECK(counter.hits(4) == 6);
  CHECK(counter.hits(5) == 6);
  CHECK(code.byte(0) == std::byte{0xb8});
  CHECK(code.byte(64) == std::byte{0x55});
}

}  // namespace

TEST_CASE("uprobes: hits are counted by cookie while they are armed, and only then") {
  auto mechanism = mechanism_here();
  if (!mechanism) return;
  count_hits(*mechanism);
  if (*mechanism == UprobeMechanism::Multi) count_hits(UprobeMechanism::PerfEvent);
}

/// The offsets of all links at a path, ascending.
std::vector<uint64_t> listed_at(const std::string& path) {
  std::vector<uint64_t> offsets;
  for (const UprobesInFile& uprobes : linked_uprobes([&](const std::string& each) { return each == path; }))
    offsets.insert(offsets.end(), uprobes.offsets.begin(), uprobes.offsets.end());
  std::ranges::sort(offsets);
  return offsets;
}

TEST_CASE("uprobes: those of all links are listed, by their file and offsets") {
  auto mechanism = mechanism_here();
  if (!mechanism) return;
  std::vector<UprobeMechanism> mechanisms{UprobeMechanism::PerfEvent};
  if (*mechanism == UprobeMechanism::Multi) mechanisms.push_back(UprobeMechanism::Multi);
  for (UprobeMechanism each : mechanisms) {
    MappedCode code({"b8 01 00 00 00 c3", "b8 02 00 00 00 c3", "b8 03 00 00 00 c3"});
    Counter counter(each);
    Uprobes uprobes;
    REQUIRE(uprobes.arm(counter.program(), each, {code.path(), {{0, 1}, {128, 2}}, UprobeRequest::When::Executed, {}}));
    std::vector<uint64_t> listed = listed_at(code.path());
    if (listed.empty()) MESSAGE("SKIPPED: this kernel does not say what uprobes links hold");
    else CHECK(listed == std::vector<uint64_t>{0, 128});
    uprobes.disarm();
    CHECK(listed_at(code.path()).empty());
  }
}

TEST_CASE("uprobes: a process that has armed and disarmed very many is as nice as before") {
  if (!has_links()) return;
  MappedCode code{"c3"};
  Counter counter(UprobeMechanism::Multi);
  UprobeRequest request = points_in(code, 10'000);
  auto nice = [] { return ::getpriority(PRIO_PROCESS, 0) + 100 * ::sched_getscheduler(0); };
  int before = nice();
  Uprobes uprobes;
  REQUIRE(uprobes.arm(counter.program(), UprobeMechanism::Multi, request));
  CHECK(uprobes.armed() == 10'000);
  CHECK(nice() == before);
  uprobes.disarm();
  CHECK(nice() == before);
  request.path = "/nonexistent/for.strut";
  CHECK_FALSE(uprobes.arm(counter.program(), UprobeMechanism::Multi, request));
  CHECK(nice() == before);
}

TEST_CASE("uprobes: arming stops between two links where it is asked to") {
  if (!has_links()) return;
  MappedCode code{"c3"};
  Counter counter(UprobeMechanism::Multi);
  UprobeRequest request = points_in(code, 3 * kMaxOfALink);
  std::vector<size_t> steps;
  Uprobes uprobes;
  REQUIRE(uprobes.arm(counter.program(), UprobeMechanism::Multi, request, [&](size_t points) {
    steps.push_back(points);
    return steps.size() < 2;
  }));
  REQUIRE(steps.size() == 2);
  CHECK(uprobes.armed() == steps[0] + steps[1]);
  CHECK(uprobes.armed() < request.points.size());
}

TEST_CASE("uprobes: links are as small as signals can wait for them") {
  constexpr uint64_t kMillisecond_ns = 1'000'000;
  CHECK(points_of_next_link(1024, 10 * kMillisecond_ns) == 2048);
  CHECK(points_of_next_link(1024, 100 * kMillisecond_ns) == 1024);
  CHECK(points_of_next_link(1024, 900 * kMillisecond_ns) == 512);
  CHECK(points_of_next_link(kMaxOfALink, 0) == kMaxOfALink);
  CHECK(points_of_next_link(kFewestOfALink, 60'000 * kMillisecond_ns) == kFewestOfALink);
}

TEST_CASE("uprobes: signals come between two links") {
  if (!has_links()) return;
  MappedCode code{"c3"};
  Counter counter(UprobeMechanism::Multi);
  Uprobes uprobes;
  bool is_blocked = true;
  REQUIRE(uprobes.arm(counter.program(), UprobeMechanism::Multi,
                      {code.path(), {{0, 1}}, UprobeRequest::When::Executed, {}}, [&](size_t) {
                        sigset_t now;
                        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
                        is_blocked = ::sigismember(&now, SIGINT) == 1;
                        return true;
                      }));
  CHECK_FALSE(is_blocked);
}

TEST_CASE("uprobes: when a function returns") {
  auto mechanism = mechanism_here();
  if (!mechanism) return;
  MappedCode code{"b8 07 00 00 00 c3"};
  Counter counter(*mechanism);
  Uprobes uprobes;
  REQUIRE(uprobes.arm(counter.program(), *mechanism,
                      {code.path(), {{0, 1}}, UprobeRequest::When::Returned, Pid{getpid()}}));
  for (int i = 0; i < 4; i++) CHECK(code.call(0) == 7);
  CHECK(counter.hits(1) == 4);
}

TEST_CASE("uprobes: the links of a killed process are there until the process that keeps them closes them") {
  if (!has_links()) return;
  constexpr size_t kLinks = 100;
  UprobeLedger::open();
  MappedCode code{"b8 07 00 00 00 c3"};
  Counter counter(UprobeMechanism::Multi);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  pid_t tracer = ::fork();
  if (tracer == 0) {
    Uprobes uprobes;
    for (size_t i = 0; i < kLinks; i++)
      if (!uprobes.arm(counter.program(), UprobeMechanism::Multi,
                       {code.path(), {{0, 1}}, UprobeRequest::When::Executed, {}}))
        ::_exit(1);
    [[maybe_unused]] ssize_t written = ::write(ready[1], "", 1);
    for (;;) ::pause();
  }
  ::close(ready[1]);
  char byte;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::close(ready[0]);
  UprobeLedger::keep_links(Pid{tracer});
  ::kill(tracer, SIGKILL);
  ::waitpid(tracer, nullptr, 0);
  CHECK(open_links() == kLinks);
  CHECK(code.call(0) == 7);
  CHECK(counter.hits(1) == kLinks);
  UprobeLedger::close_kept();
  CHECK(open_links() == 0);
  CHECK(code.call(0) == 7);
  CHECK(counter.hits(1) == kLinks);
  CHECK(code.byte(0) == std::byte{0xb8});
}

TEST_CASE("uprobes: refused instructions are found, the others armed") {
  auto mechanism = mechanism_here();
  if (!mechanism) return;
  MappedCode code{"b8 07 00 00 00 c3", "f0 ff 08 c3", "55 b8 08 00 00 00 5d c3", "f4", "31 c0 c3"};
  Counter counter(*mechanism);
  Uprobes uprobes;
  auto refused =
      uprobes.arm(counter.program(), *mechanism,
                  {code.path(), {{0, 1}, {64, 2}, {128, 3}, {192, 4}, {256, 5}}, UprobeRequest::When::Executed, {}});
  REQUIRE(refused);
  REQUIRE(refused->size() == 2);
  CHECK((*refused)[0].file_offset == 64);
  CHECK((*refused)[1].file_offset == 192);
  CHECK(uprobes.armed() == 3);
  CHECK(code.call(0) + code.call(2) + code.call(4) == 15);
  CHECK(counter.hits(1) + counter.hits(3) + counter.hits(5) == 3);
}

TEST_CASE("uprobes: what cannot be armed leaves nothing armed, and says why") {
  auto mechanism = mechanism_here();
  if (!mechanism) return;
  Counter counter(*mechanism);
  Uprobes uprobes;
  auto nowhere =
      uprobes.arm(counter.program(), *mechanism, {"/nonexistent/file", {{0, 1}}, UprobeRequest::When::Executed, {}});
  REQUIRE_FALSE(nowhere.has_value());
  CHECK(nowhere.error().code == ENOENT);
  CHECK(nowhere.error().subject == "/nonexistent/file");
  MappedCode code{"c3"};
  auto nobody = uprobes.arm(counter.program(), *mechanism,
                            {code.path(), {{0, 1}}, UprobeRequest::When::Executed, Pid{0x3ffffffe}});
  REQUIRE_FALSE(nobody.has_value());
  CHECK(nobody.error().code == ESRCH);
  CHECK(uprobes.armed() == 0);
}

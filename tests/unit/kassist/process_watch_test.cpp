// Perf's side records: made up ones, and those of a child of the test's own. The latter need CAP_PERFMON, else skip,
// aloud.
#include <algorithm>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kassist/uprobes/process_watch.hpp"

using namespace strut;
using Kind = ProcessChange::Kind;

namespace {

struct Records {
  std::vector<std::byte> bytes;
  void add(uint32_t type, uint16_t misc, std::initializer_list<uint64_t> words) {
    perf_event_header header{type, misc, static_cast<uint16_t>(sizeof header + 8 * words.size())};
    append(&header, sizeof header);
    append(words.begin(), 8 * words.size());
  }
  void append(const void* from, size_t count) {
    auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
};

constexpr uint64_t both(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

uint64_t letters(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, std::min<size_t>(std::strlen(text), 8));
  return word;
}

std::vector<ProcessChange> parsed(const Records& records) {
  std::vector<ProcessChange> changes;
  parse_process_changes(records.bytes, changes);
  return changes;
}

}  // namespace

TEST_CASE("process watch: what records say") {
  Records records;
  records.add(PERF_RECORD_FORK, 0, {both(7, 5), both(7, 6), 90, 100});
  records.add(PERF_RECORD_FORK, 0, {both(5, 5), both(8, 5), 90, 101});  // a thread
  records.add(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, {both(7, 7), letters("ls"), 102});
  records.add(PERF_RECORD_COMM, 0, {both(7, 7), letters("name"), 103});  // prctl(PR_SET_NAME)
  records.add(PERF_RECORD_MMAP2, 0,
              {both(7, 7), 0x1000, 0x2000, 0x3000, both(8, 1), 42, 0, both(PROT_READ | PROT_EXEC, MAP_PRIVATE),
               letters("/bin/ls"), 104});
  records.add(PERF_RECORD_MMAP2, 0,
              {both(7, 7), 0x9000, 0x1000, 0, 0, 0, 0, both(PROT_EXEC, MAP_PRIVATE), letters("//anon"), 105});
  records.add(PERF_RECORD_EXIT, 0, {both(7, 5), both(7, 5), 90, 106});
  records.add(PERF_RECORD_LOST, 0, {1, 2, 107});
  auto changes = parsed(records);
  REQUIRE(changes.size() == 6);
  CHECK(changes[0].kind == Kind::Forked);
  CHECK(changes[0].pid == Pid{7});
  CHECK(changes[0].parent == Pid{5});
  CHECK(changes[0].at_ns == 100);
  CHECK(changes[1].kind == Kind::Executed);
  CHECK(changes[2].kind == Kind::Mapped);
  CHECK(changes[2].mapping.start == Addr{0x1000});
  CHECK(changes[2].mapping.end == Addr{0x3000});
  CHECK(changes[2].mapping.offset == 0x3000);
  CHECK(changes[2].mapping.device_major == 8);
  CHECK(changes[2].mapping.device_minor == 1);
  CHECK(changes[2].mapping.inode == 42);
  CHECK(changes[2].mapping.path == "/bin/ls");
  CHECK(changes[3].mapping.path.empty());
  CHECK(changes[4].kind == Kind::Exited);
  CHECK(changes[4].tid == Tid{7});
  CHECK(changes[5].kind == Kind::Lost);
  CHECK(changes[5].at_ns == 107);
}

TEST_CASE("process watch: records that are cut or too short end the reading") {
  Records records;
  records.add(PERF_RECORD_FORK, 0, {both(7, 5), both(7, 6), 90, 100});
  for (size_t size = 0; size < records.bytes.size(); size++) {
    std::vector<ProcessChange> changes;
    parse_process_changes(std::span(records.bytes).first(size), changes);
    CHECK(changes.empty());
  }
  Records small;
  small.add(PERF_RECORD_MMAP2, 0, {both(7, 7), 104});
  small.add(PERF_RECORD_EXIT, 0, {100});
  CHECK(parsed(small).empty());
}

TEST_CASE("process watch: a child that runs a program") {
  auto watch = ProcessWatch::start(ProcessWatch::Wakes::AtEach);
  if (!watch) {
    MESSAGE("SKIPPED: " << describe(watch.error()));
    return;
  }
  pid_t child = -1;
  std::vector<ProcessChange> changes;
  auto were_lost = [&] { return std::ranges::count(changes, Kind::Lost, &ProcessChange::kind) > 0; };
  for (int attempt = 0; attempt == 0 || (were_lost() && attempt < 100);
       attempt++) {  // others' changes may fill the room
    child = ::fork();
    if (child == 0) {
      ::execl("/bin/true", "true", nullptr);
      ::_exit(1);
    }
    REQUIRE(child > 0);
    pollfd news{(*watch)->news(), POLLIN, 0};
    CHECK(::poll(&news, 1, 60'000) == 1);
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    changes = (*watch)->read();
  }
  std::erase_if(changes, [&](const ProcessChange& change) { return change.pid != Pid{child}; });
  REQUIRE(changes.size() >= 5);
  CHECK(changes.front().kind == Kind::Forked);
  CHECK(changes.front().parent == Pid{::getpid()});
  CHECK(changes[1].kind == Kind::Executed);
  auto maps = [&](std::string_view part) {
    return std::ranges::any_of(changes, [&](const ProcessChange& change) {
      return change.kind == Kind::Mapped && change.mapping.path.contains(part);
    });
  };
  CHECK(maps("/true"));
  CHECK(maps("libc.so"));
  CHECK(maps("[vdso]"));
  CHECK(changes.back().kind == Kind::Exited);
}

TEST_CASE(
    "process watch: where many changes are waited for, those of one child wake no thread, and are there to read") {
  auto watch = ProcessWatch::start(ProcessWatch::Wakes::WhenMany);
  if (!watch) {
    MESSAGE("SKIPPED: " << describe(watch.error()));
    return;
  }
  int ready = 1;
  bool is_there = false;
  for (int attempt = 0; ready == 1 && attempt < 100; attempt++) {  // other processes may make many
    (*watch)->read();
    pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    pollfd news{(*watch)->news(), POLLIN, 0};
    ready = ::poll(&news, 1, 0);
    is_there = std::ranges::count((*watch)->read(), Pid{child}, &ProcessChange::pid) >= 2;
  }
  CHECK(ready == 0);
  CHECK(is_there);
}

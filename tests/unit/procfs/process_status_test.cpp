// /proc parsing on hostile text.
#include "procfs/process_status.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include <unistd.h>

#include "procfs/maps.hpp"
#include "procfs/proc_file.hpp"

namespace strut::test {

TEST_CASE("process status: the lines that matter") {
  auto status = parse_process_status(
      "Name:\tcat\nUmask:\t0022\nState:\tt (tracing stop)\nTgid:\t12\nNgid:\t0\nPid:\t13\nPPid:\t1\nTracerPid:\t77\n"
      "Uid:\t1000\t1001\t1000\t1000\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000004000\nSigBlk:"
      "\tfffffffe7ffbfeff\nSeccomp:\t2\nNStgid:\t12\t3\t1\nNSpid:\t13\t4\t2\nKthread:\t0\nVmSize:\t1 "
      "kB\nThreads:\t2\n");
  REQUIRE(status);
  CHECK(status->pid == Pid{12});
  CHECK(status->tid == Tid{13});
  CHECK(status->parent == Pid{1});
  CHECK(status->tracer == 77);
  CHECK(status->state == 't');
  CHECK(status->uid == 1000);
  CHECK(status->effective_uid == 1001);
  CHECK(status->threads == 2);
  CHECK(status->pending == 0x100);
  CHECK(status->process_pending == 0x4000);
  CHECK(status->seccomp == 2);
  CHECK(status->blocked == 0xfffffffe7ffbfeff);
  CHECK_FALSE(status->kernel_thread);
  CHECK(status->nested_tids == std::vector<int32_t>{13, 4, 2});
  CHECK(status->nested_pids == std::vector<int32_t>{12, 3, 1});
}

TEST_CASE("process status: a kernel thread has its own line, or no memory") {
  CHECK(parse_process_status("Tgid:\t2\nPid:\t2\nKthread:\t1\n")->kernel_thread);
  CHECK(parse_process_status("State:\tS (sleeping)\nTgid:\t2\nPid:\t2\n")->kernel_thread);
  CHECK_FALSE(parse_process_status("State:\tZ (zombie)\nTgid:\t2\nPid:\t2\n")->kernel_thread);
  CHECK_FALSE(parse_process_status("Tgid:\t2\nPid:\t2\nVmSize:\t4 kB\n")->kernel_thread);
}

TEST_CASE("process status: what cannot be understood is no process") {
  CHECK_FALSE(parse_process_status(""));
  CHECK_FALSE(parse_process_status("Pid:\t1\n"));
  CHECK_FALSE(parse_process_status("\n\n:\n::\nTgid"));
  CHECK_FALSE(parse_process_status(std::string(100000, ':')));
}

TEST_CASE("process status: numbers out of range, endless lists and a name that plays a line do no harm") {
  std::string text = "Name:\tx\\nTracerPid:\\t5\nTgid:\t1\nPid:\t99999999999999999999\nUid:\t\nThreads:\t-4\nNSpid:";
  for (int i = 0; i < 10000; i++) text += "\t7";
  auto status = parse_process_status(text);
  REQUIRE(status);
  CHECK(status->tracer == 0);
  CHECK(status->tid == Tid{0});
  CHECK(status->threads == 0);
  CHECK(status->nested_tids.size() == 32);
}

TEST_CASE("process status: ourselves") {
  auto status = process_status(Tid{::getpid()});
  REQUIRE(status);
  CHECK(status->pid == Pid{::getpid()});
  CHECK(status->parent == Pid{::getppid()});
  CHECK_FALSE(status->kernel_thread);
  auto threads = threads_of(Pid{::getpid()});
  REQUIRE(threads);
  CHECK(threads->front() == Tid{::getpid()});
  CHECK(comm_of(::getpid()).has_value());
}

TEST_CASE("process status: no such process is an error that says so") {
  auto status = process_status(Tid{0x7ffffff0});
  REQUIRE_FALSE(status);
  CHECK(status.error().code == ESRCH);
  auto threads = threads_of(Pid{0x7ffffff0});
  REQUIRE_FALSE(threads);
  CHECK(threads.error().code == ESRCH);
  CHECK_FALSE(comm_of(0x7ffffff0));
}

/// Fields 3 to 39 and beyond of /proc/PID/stat, with `cpu` as the 39th.
std::string stat_fields(const std::string& cpu) {
  std::string fields = " S";
  for (int field = 4; field < 39; field++) fields += " " + std::to_string(field);
  return fields + " " + cpu + " 0 0 0\n";
}

TEST_CASE("last cpu: counted behind the comm, whatever that holds") {
  CHECK(parse_last_cpu("1 (cat)" + stat_fields("3")) == 3);
  CHECK(parse_last_cpu("1 (a) R 1 2 3)" + stat_fields("5")) == 5);
  CHECK(parse_last_cpu("1 (a\n) R\n1 ()" + stat_fields("0")) == 0);
  CHECK_FALSE(parse_last_cpu("1 (cat)" + stat_fields("-1")));
  CHECK_FALSE(parse_last_cpu("1 (cat)" + stat_fields("x")));
  CHECK_FALSE(parse_last_cpu("1 (cat) S 1 2"));
  CHECK_FALSE(parse_last_cpu("1 (cat"));
  CHECK_FALSE(parse_last_cpu(""));
}

TEST_CASE("maps: a line of each kind") {
  auto file =
      parse_mapping("7f10c0000000-7f10c0021000 rw-s 00001000 fd:12 1234                       /lib/a b (deleted)");
  REQUIRE(file);
  CHECK(file->start == Addr{0x7f10c0000000});
  CHECK(file->end == Addr{0x7f10c0021000});
  CHECK(file->readable);
  CHECK(file->writable);
  CHECK_FALSE(file->executable);
  CHECK(file->shared);
  CHECK(file->offset == 0x1000);
  CHECK(file->device_major == 0xfd);
  CHECK(file->device_minor == 0x12);
  CHECK(file->inode == 1234);
  CHECK(file->path == "/lib/a b (deleted)");
  auto anonymous = parse_mapping("1000-2000 ---p 00000000 00:00 0 ");
  REQUIRE(anonymous);
  CHECK(anonymous->path.empty());
  CHECK_FALSE(anonymous->readable);
}

TEST_CASE("maps: malformed lines are none") {
  for (const char* line :
       {"", "-", "1000", "1000-", "2000-1000 r--p 0 00:00 0", "1000-2000 r-", "1000-2000 r--p",
        "1000-2000 r--p 0 0000 0", "1000-2000 r--p 0 00:00 x", "1000-fffffffffffffffff r--p 0 0:0 0"})
    CHECK_FALSE(parse_mapping(line));
}

TEST_CASE("maps: ours hold this very function's code") {
  auto maps = maps_of(Pid{::getpid()});
  REQUIRE(maps);
  auto here = reinterpret_cast<uint64_t>(&parse_mapping);
  bool found = false;
  for (const Mapping& mapping : *maps)
    found |= mapping.executable && raw(mapping.start) <= here && here < raw(mapping.end);
  CHECK(found);
}

TEST_CASE("proc files: never more than the limit") {
  CHECK(read_proc_file("/proc/self/maps", 100)->size() == 100);
  CHECK(read_proc_file("/proc/self/maps", 0)->empty());
  CHECK_FALSE(read_proc_file("/proc/self/no-such-file", 10));
  CHECK_FALSE(read_proc_link("/proc/self/maps"));
}

}  // namespace strut::test

#include "kassist/uprobes/uprobe_ledger.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kassist/loader/one_cpu.hpp"
#include "kassist/loader/real_time.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "process/tracer_process.hpp"

namespace strut {
namespace {

/// Points that were armed in one go; the same ones of several processes are one.
struct NotedPoints {
  dev_t device;
  ino_t inode;
  uint64_t hash;  ///< for their offsets
  uint32_t first, count;
  char path[PATH_MAX];
};

struct Noted {
  static constexpr uint32_t kMaxSets = 2048, kMaxPoints = 1 << 20, kMaxLinks = 1 << 16;
  std::atomic<int64_t> links = 0;  ///< armed links, and links that are being armed or disarmed
  std::atomic<uint32_t> sets = 0;
  uint32_t points = 0;
  NotedPoints of[kMaxSets];
  uint64_t offsets[kMaxPoints];
  uint64_t counters[kMaxPoints];
  std::atomic<uint64_t> open[kMaxLinks / 64];  ///< the tracer's descriptors that are links, a bit each
  int kept[kMaxLinks];                         ///< descriptors of the process that outlives the tracer
  uint32_t kept_count = 0;
  std::atomic<uint32_t> next_to_close = 0;
};

Noted* noted = nullptr;
std::mutex noting;

uint64_t hash_of(std::span<const UprobePoint> points) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const UprobePoint& point : points) hash = (hash ^ point.file_offset) * 0x100000001b3;
  return hash;
}

bool is_file(const char* path, const struct stat& file) {
  struct stat there;
  return ::stat(path, &there) == 0 && there.st_dev == file.st_dev && there.st_ino == file.st_ino;
}

/// A way through /proc ends with its process: the file's own is better, where it has one here.
void write_path(NotedPoints& to, const std::string& path, const struct stat& file) {
  char real[PATH_MAX];
  bool is_better = ::realpath(path.c_str(), real) && is_file(real, file);
  const char* best = is_better ? real : path.c_str();
  std::memcpy(to.path, best, std::min(std::strlen(best) + 1, sizeof to.path - 1));
}

NotedPoints* find(const struct stat& file, uint64_t hash, size_t count) {
  for (NotedPoints& one : std::span(noted->of, noted->sets))
    if (one.device == file.st_dev && one.inode == file.st_ino && one.hash == hash && one.count == count) return &one;
  return nullptr;
}

void take_out(int program, const NotedPoints& points, Pid ended) {
  for (uint32_t at = 0; at < points.count; at += kMaxOfALink) {
    UprobeLink link{program, points.path, &noted->offsets[points.first + at],
                    std::min<uint32_t>(points.count - at, kMaxOfALink)};
    link.counters = &noted->counters[points.first + at];
    // No thread runs as an ended process, so that no process gets this uprobe.
    link.pid = ended;
    int made = make_link(link);
    if (made >= 0) ::close(made);
  }
}

/// The links are many where processes are.
void permit_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// One of several processes with the same descriptors and memory, errno included.
int close_some(void*) {
  for (uint32_t i; (i = noted->next_to_close++) < noted->kept_count;) ::syscall(SYS_close, noted->kept[i]);
  return 0;
}

/// Each close waits for the kernel, and the waits of many are one (close_all() of Uprobes).
void close_side_by_side() {
  constexpr size_t kMaxHelpers = 63, kStackBytes = 16 << 10;
  constexpr int kShares = CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_SIGHAND;
  pid_t helpers[kMaxHelpers];
  size_t wanted = std::min<size_t>(noted->kept_count - 1, kMaxHelpers), count = 0;
  void* stacks = ::mmap(nullptr, kMaxHelpers * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stacks == MAP_FAILED) wanted = 0;
  for (auto* end = static_cast<std::byte*>(stacks); count < wanted; count++)
    if ((helpers[count] = ::clone(close_some, end += kStackBytes, kShares, nullptr)) < 0) break;
  close_some(nullptr);
  for (size_t i = 0; i < count; i++) ::waitpid(helpers[i], nullptr, __WALL);
  if (stacks != MAP_FAILED) ::munmap(stacks, kMaxHelpers * kStackBytes);
}

}  // namespace

void UprobeLedger::open() {
  if (noted) return;
  void* memory =
      ::mmap(nullptr, sizeof(Noted), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) noted = new (memory) Noted;
}

void UprobeLedger::note(const std::string& path, std::span<const UprobePoint> points) {
  struct stat file;
  if (!noted || ::stat(path.c_str(), &file) != 0) return;
  std::lock_guard lock(noting);
  uint64_t hash = hash_of(points);
  if (NotedPoints* known = find(file, hash, points.size()))
    return is_file(known->path, file) ? void() : write_path(*known, path, file);
  if (noted->sets == Noted::kMaxSets || points.size() > Noted::kMaxPoints - noted->points) return;
  NotedPoints& one = noted->of[noted->sets];
  one = {file.st_dev, file.st_ino, hash, noted->points, static_cast<uint32_t>(points.size()), {}};
  write_path(one, path, file);
  for (const UprobePoint& point : points) {
    noted->offsets[noted->points] = point.file_offset;
    noted->counters[noted->points++] = point.counter;
  }
  noted->sets++;
}

void UprobeLedger::begun() {
  if (noted) noted->links++;
}

void UprobeLedger::ended(size_t links) {
  if (noted) noted->links -= static_cast<int64_t>(links);
  TracerProcess::note_progress();
}

void UprobeLedger::opened(int link) {
  if (noted && static_cast<uint32_t>(link) < Noted::kMaxLinks) noted->open[link / 64] |= uint64_t{1} << link % 64;
}

void UprobeLedger::closing(int link) {
  if (noted && static_cast<uint32_t>(link) < Noted::kMaxLinks) noted->open[link / 64] &= ~(uint64_t{1} << link % 64);
}

void UprobeLedger::keep_links(Pid tracer) {
  if (!noted || noted->links == 0) return;
  permit_all_descriptors();
  OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, raw(tracer), 0)));
  for (uint32_t link = 0; link < Noted::kMaxLinks; link++) {
    if ((noted->open[link / 64] >> link % 64 & 1) == 0) continue;
    int kept = static_cast<int>(::syscall(SYS_pidfd_getfd, process.number(), link, 0));
    if (kept >= 0) noted->kept[noted->kept_count++] = kept;
  }
}

void UprobeLedger::close_kept() {
  if (!noted || noted->kept_count == 0) return;
  RealTime real_time;
  OnOneCpu one_cpu;
  close_side_by_side();
  noted->links -= noted->kept_count;
  noted->kept_count = noted->next_to_close = 0;
}

void UprobeLedger::mend(Pid ended) {
  if (!noted || noted->links == 0) return;
  OwnedFd program = empty_uprobe_program(UprobeMechanism::Multi);
  if (!program) return;
  for (const NotedPoints& one : std::span(noted->of, noted->sets)) take_out(program.number(), one, ended);
}

}  // namespace strut

#include "kassist/uprobes/process_watch.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace strut {

namespace {

constexpr size_t kPages = 32;  ///< for records, for each CPU: more than a thousand

size_t page_bytes() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }

Error cannot(std::string op, int error) {
  std::string advice = error == EPERM || error == EACCES ? "kassist needs CAP_PERFMON; --backend=ptrace does not" : "";
  return {error, std::move(op), {}, {}, std::move(advice)};
}

// -- records: <linux/perf_event.h>, enum perf_event_type ------------------------------------------------

/// The fixed parts of records, between the header and the time at the end.
struct TaskRecord {
  uint32_t pid, parent, tid, parent_tid;
  uint64_t time;
};
struct CommRecord {
  uint32_t pid, tid;
};
struct MmapRecord {
  uint32_t pid, tid;
  uint64_t start, bytes, offset;
  uint32_t major, minor;
  uint64_t inode, inode_generation;
  uint32_t protection, flags;
};

template <typename Fixed>
bool take(std::span<const std::byte> body, Fixed& into) {
  if (body.size() < sizeof into) return false;
  std::memcpy(&into, body.data(), sizeof into);
  return true;
}

bool parse_task(std::span<const std::byte> body, ProcessChange& change) {
  TaskRecord task;
  if (!take(body, task)) return false;
  change.pid = Pid{static_cast<int32_t>(task.pid)};
  change.parent = Pid{static_cast<int32_t>(task.parent)};
  change.tid = Tid{static_cast<int32_t>(task.tid)};
  return change.kind == ProcessChange::Kind::Exited || change.pid != change.parent;
}

bool parse_comm(std::span<const std::byte> body, uint16_t misc, ProcessChange& change) {
  CommRecord comm;
  if (!(misc & PERF_RECORD_MISC_COMM_EXEC) || !take(body, comm)) return false;
  change.pid = Pid{static_cast<int32_t>(comm.pid)};
  change.tid = Tid{static_cast<int32_t>(comm.tid)};
  return true;
}

bool parse_mmap(std::span<const std::byte> body, uint16_t misc, ProcessChange& change) {
  MmapRecord map;
  if ((misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || !take(body, map) || !(map.protection & PROT_EXEC)) return false;
  change.pid = Pid{static_cast<int32_t>(map.pid)};
  change.tid = Tid{static_cast<int32_t>(map.tid)};
  Mapping& mapping = change.mapping;
  mapping.start = Addr{map.start};
  mapping.end = Addr{map.start + map.bytes};
  mapping.readable = map.protection & PROT_READ;
  mapping.writable = map.protection & PROT_WRITE;
  mapping.executable = true;
  mapping.shared = map.flags & MAP_SHARED;
  mapping.offset = map.offset;
  mapping.device_major = map.major;
  mapping.device_minor = map.minor;
  mapping.inode = map.inode;
  const char* name = reinterpret_cast<const char*>(body.data() + sizeof map);
  mapping.path.assign(name, ::strnlen(name, body.size() - sizeof map));
  if (mapping.path == "//anon") mapping.path.clear();  // proc(5) has nothing there
  return true;
}

bool parse(const perf_event_header& header, std::span<const std::byte> body, ProcessChange& change) {
  using Kind = ProcessChange::Kind;
  switch (header.type) {
    case PERF_RECORD_FORK: change.kind = Kind::Forked; return parse_task(body, change);
    case PERF_RECORD_EXIT: change.kind = Kind::Exited; return parse_task(body, change);
    case PERF_RECORD_COMM: change.kind = Kind::Executed; return parse_comm(body, header.misc, change);
    case PERF_RECORD_MMAP2: change.kind = Kind::Mapped; return parse_mmap(body, header.misc, change);
    case PERF_RECORD_LOST: change.kind = Kind::Lost; return true;
    default: return false;
  }
}

}  // namespace

void parse_process_changes(std::span<const std::byte> records, std::vector<ProcessChange>& into) {
  perf_event_header header;
  for (; records.size() >= sizeof header; records = records.subspan(header.size)) {
    std::memcpy(&header, records.data(), sizeof header);
    ProcessChange change;
    if (header.size < sizeof header + sizeof change.at_ns || header.size > records.size()) return;
    auto body = records.subspan(sizeof header, header.size - sizeof header - sizeof change.at_ns);
    std::memcpy(&change.at_ns, body.data() + body.size(), sizeof change.at_ns);
    if (parse(header, body, change)) into.push_back(std::move(change));
  }
}

// -- the events -----------------------------------------------------------------------------------------

Result<std::unique_ptr<ProcessWatch>> ProcessWatch::start(Wakes wakes) {
  std::unique_ptr<ProcessWatch> watch(new ProcessWatch);
  watch->epoll_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  if (!watch->epoll_) return fail(cannot("epoll_create1", errno));
  auto cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < cpus; cpu++) TRY_VOID(watch->open_cpu(cpu, wakes));
  return watch;
}

Result<void> ProcessWatch::open_cpu(int cpu, Wakes wakes) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.sample_type = PERF_SAMPLE_TIME;
  attributes.sample_id_all = 1;
  attributes.mmap = attributes.mmap2 = attributes.comm = attributes.comm_exec = attributes.task = 1;
  attributes.exclude_kernel = 1;
  attributes.watermark = 1;
  attributes.wakeup_watermark = wakes == Wakes::AtEach ? 1 : static_cast<uint32_t>(kPages * page_bytes() / 4);
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  OwnedFd event(static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event && errno == ENODEV) return {};  // the CPU is offline
  if (!event) return fail(cannot("perf_event_open", errno));
  void* pages = ::mmap(nullptr, (1 + kPages) * page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, event.number(), 0);
  if (pages == MAP_FAILED) return fail(cannot("mmap a perf event's records", errno));
  int number = event.number();
  cpus_.push_back({std::move(event), static_cast<std::byte*>(pages)});
  epoll_event readable{};
  readable.events = EPOLLIN;
  if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, number, &readable) != 0) return fail(cannot("epoll_ctl", errno));
  return {};
}

ProcessWatch::~ProcessWatch() {
  for (Cpu& cpu : cpus_) ::munmap(cpu.pages, (1 + kPages) * page_bytes());
}

void ProcessWatch::read_cpu(const Cpu& cpu, std::vector<ProcessChange>& into) {
  auto* first = reinterpret_cast<perf_event_mmap_page*>(cpu.pages);
  const std::byte* data = cpu.pages + page_bytes();
  const size_t room = kPages * page_bytes();
  uint64_t head = std::atomic_ref(first->data_head).load(std::memory_order_acquire), tail = first->data_tail;
  if (head == tail) return;
  size_t bytes = std::min<size_t>(head - tail, room), at = tail % room, before_end = std::min(bytes, room - at);
  copied_.resize(bytes);
  std::memcpy(copied_.data(), data + at, before_end);
  std::memcpy(copied_.data() + before_end, data, bytes - before_end);
  std::atomic_ref(first->data_tail).store(head, std::memory_order_release);
  parse_process_changes(copied_, into);
}

std::vector<ProcessChange> ProcessWatch::read() {
  std::vector<ProcessChange> changes;
  for (const Cpu& cpu : cpus_) read_cpu(cpu, changes);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const ProcessChange& a, const ProcessChange& b) { return a.at_ns < b.at_ns; });
  return changes;
}

}  // namespace strut

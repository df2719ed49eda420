#include "kassist/uprobes/uprobes.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <thread>

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/loader/real_time.hpp"
#include "kassist/loader/one_cpu.hpp"
#include "kassist/uprobes/uprobe_ledger.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"

namespace strut {
namespace {

// The part of union bpf_attr that BPF_LINK_CREATE reads for uprobe_multi, and for perf events; Debian 12's header ends
// before it.
struct LinkOfUprobes {
  uint32_t program, target, attach_type, flags;
  uint64_t path, offsets, reference_counters, cookies;
  uint32_t count, uprobe_flags, pid, path_fd;
};
struct LinkOfPerfEvent {
  uint32_t program, event, attach_type, flags;
  uint64_t cookie;
};
constexpr uint32_t kFirstOfALink = 1 << 10;
constexpr uint32_t kPerfEvent = 41;   // BPF_PERF_EVENT
constexpr uint32_t kMultiReturn = 1;  // BPF_F_UPROBE_MULTI_RETURN
constexpr uint32_t kCounterBit = 32;  // PERF_UPROBE_REF_CTR_OFFSET_SHIFT: config:32-63 is ref_ctr_offset (4.20)

template <typename Attributes>
int bpf(int command, Attributes& attributes) {
  return static_cast<int>(::syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

/// True if it is about the whole request or about us, whatever the instructions are.
bool is_about_everything(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
    case ENOENT:
    case ENOTDIR:
    case ESRCH:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EBADF: return true;
    default: return false;
  }
}

/// A link's end waits until no program runs for it any more, tens of milliseconds. Threads wait side by side, and the
/// kernel makes one wait of theirs, whichever files the links are of: 32 links of 100 points took 1,968 ms one after
/// another, and 91 ms by 64 threads. The threads are on one CPU (TakingTurns).
///
/// Links go from the last to the first. While a target runs, each point of its own code that comes or goes interrupts
/// the CPU that it runs on, and it runs the more instructions, the fewer points are in its way: those that came last
/// were armed without slowing it.
void close_all(std::span<const int> links) {
  constexpr size_t kMaxThreads = 64;
  std::atomic<ptrdiff_t> next = std::ssize(links);
  auto work = [&] {
    for (ptrdiff_t i; (i = --next) >= 0; TracerProcess::note_progress()) {
      int link = links[static_cast<size_t>(i)];
      UprobeLedger::closing(link);
      ::close(link);
    }
  };
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < std::min(links.size(), kMaxThreads)) others.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads: those that there are do it
  }
  work();
  others.clear();
  UprobeLedger::ended(links.size());
}

/// While a uprobe is armed or disarmed, every fork and exec of the machine waits for it, and the next uprobe for those
/// (the kernel's dup_mmap_sem): a shorter total is better for all. Passing that lock from one CPU to another takes
/// longer than arming a uprobe, and waiting for a busy CPU takes milliseconds. 9 links of 3,000 points beside 16
/// threads that fork, here, at a load of 40: nine threads, each on its CPU, in their turn among all others take 13.8 s,
/// before all others 8.5 to 11.9 s, and those on one CPU 0.4 to 0.6 s.
struct TakingTurns {
  RealTime real_time;
  OnOneCpu one_cpu;
};

Error cannot(std::string op, const std::string& path, int error) {
  std::string advice = error == EMFILE ? "more descriptors are needed: ulimit -n" : "";
  return {error, std::move(op), path, {}, std::move(advice)};
}

/// `type` or the retprobe bit of the uprobe PMU (sysfs-bus-event_source-devices-format); -1: there is none.
int number_in(const char* path, const char* format) {
  std::FILE* file = std::fopen(path, "re");
  if (!file) return -1;
  int number = -1;
  if (std::fscanf(file, format, &number) != 1) number = -1;
  std::fclose(file);
  return number;
}

/// Opens links for points of one file; closes those of a request that fails as a whole.
class Arming {
 public:
  Arming(int program, UprobeMechanism mechanism, const UprobeRequest& request)
      : program_(program), mechanism_(mechanism), request_(request) {}
  Arming(const Arming&) = delete;
  Arming& operator=(const Arming&) = delete;
  ~Arming() { close_all(links); }

  Result<void> run(const ArmingStep& step) {
    std::span<const UprobePoint> rest = request_.points;
    uint32_t at_once = mechanism_ == UprobeMechanism::Multi ? kFirstOfALink : 1;
    if (mechanism_ == UprobeMechanism::Multi) UprobeLedger::note(request_.path, rest);
    while (!rest.empty()) {
      auto now = rest.first(std::min<size_t>(rest.size(), at_once));
      uint64_t began_ns = monotonic_ns();
      TRY_VOID(arm_held_back(now));
      if (mechanism_ == UprobeMechanism::Multi) at_once = points_of_next_link(at_once, monotonic_ns() - began_ns);
      rest = rest.subspan(now.size());
      if (step && !step(now.size())) break;
    }
    return {};
  }

  std::vector<int> links;
  std::vector<RefusedUprobe> refused;
  size_t armed = 0;  ///< points

 private:
  Result<void> arm_held_back(std::span<const UprobePoint> points) {
    SignalsHeldBack held_back;
    return arm(points);
  }

  Result<void> arm(std::span<const UprobePoint> points) {
    UprobeLedger::begun();
    int link = mechanism_ == UprobeMechanism::Multi ? link_all(points) : link_one(points[0]);
    if (link >= 0) {
      UprobeLedger::opened(link);
      return links.push_back(link), armed += points.size(), Result<void>{};
    }
    int error = errno;
    UprobeLedger::ended(1);
    if (is_about_everything(error)) return fail(cannot("bpf(BPF_LINK_CREATE)", request_.path, error));
    if (points.size() > 1) {
      TRY_VOID(arm(points.first(points.size() / 2)));
      return arm(points.subspan(points.size() / 2));
    }
    refused.push_back({points[0].file_offset, error});
    if (refused.size() > Uprobes::kMaxRefused) return fail(cannot("bpf(BPF_LINK_CREATE)", request_.path, error));
    return {};
  }

  /// A descriptor, or -1 and errno.
  int link_all(std::span<const UprobePoint> points) {
    offsets_.clear();
    cookies_.clear();
    counters_.clear();
    for (const UprobePoint& point : points) {
      offsets_.push_back(point.file_offset);
      cookies_.push_back(point.cookie);
      counters_.push_back(point.counter);
    }
    return make_link({program_, request_.path.c_str(), offsets_.data(), static_cast<uint32_t>(points.size()),
                      cookies_.data(), counters_.data(), request_.pid, request_.when});
  }

  /// The event goes with its link, which keeps it.
  int link_one(const UprobePoint& point) {
    int event = open_event(point);
    if (event < 0) return -1;
    LinkOfPerfEvent link{};
    link.program = static_cast<uint32_t>(program_);
    link.event = static_cast<uint32_t>(event);
    link.attach_type = kPerfEvent;
    link.cookie = point.cookie;
    int made = bpf(BPF_LINK_CREATE, link);
    int error = errno;
    ::close(event);
    errno = error;
    return made;
  }

  int open_event(const UprobePoint& point) const {
    static const int type = number_in("/sys/bus/event_source/devices/uprobe/type", "%d");
    static const int return_bit = number_in("/sys/bus/event_source/devices/uprobe/format/retprobe", "config:%d");
    if (type < 0) return errno = ENOENT, -1;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = static_cast<uint32_t>(type);
    attributes.config1 = reinterpret_cast<uint64_t>(request_.path.c_str());
    attributes.config2 = point.file_offset;
    if (point.counter != 0) attributes.config = point.counter << kCounterBit;
    if (request_.when == UprobeRequest::When::Returned && return_bit >= 0)
      attributes.config |= uint64_t{1} << return_bit;
    // Without a process the event is one CPU's, but a program on it runs on all of them.
    int pid = request_.pid ? raw(*request_.pid) : -1, cpu = request_.pid ? -1 : 0;
    return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC));
  }

  int program_;
  UprobeMechanism mechanism_;
  const UprobeRequest& request_;
  std::vector<uint64_t> offsets_, cookies_, counters_;
};

}  // namespace

namespace {

/// Below 0: -errno.
OwnedFd empty_program(uint32_t attach_type) {
  bpf_insn instructions[2] = {};
  instructions[0].code = BPF_ALU64 | BPF_MOV | BPF_K;  // r0 = 0
  instructions[1].code = BPF_JMP | BPF_EXIT;
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_KPROBE;
  attributes.insns = reinterpret_cast<uint64_t>(instructions);
  attributes.insn_cnt = 2;
  attributes.license = reinterpret_cast<uint64_t>("GPL");
  attributes.expected_attach_type = static_cast<bpf_attach_type>(attach_type);
  int program = bpf(BPF_PROG_LOAD, attributes);
  return OwnedFd(program < 0 ? -errno : program);
}

/// Whether links of this type are known, to programs of it.
Result<bool> knows_links(uint32_t attach_type, UprobeRequest::When when) {
  OwnedFd program = empty_program(attach_type);
  if (program.number() == -EPERM) return fail(cannot("bpf(BPF_PROG_LOAD)", {}, EPERM));
  if (!program) return false;
  // Kernels before 6.6 may take the number without knowing it; an empty link shows that: EINVAL, not ENOENT for the
  // path.
  UprobeRequest nowhere{"/nonexistent/for.strut", {{0, 0}}, when, {}};
  auto armed = Uprobes().arm(program.number(), UprobeMechanism::Multi, nowhere);
  return !armed && armed.error().code == ENOENT;
}

}  // namespace

uint32_t points_of_next_link(uint32_t points, uint64_t took_ns) {
  constexpr uint64_t kShort_ns = 50'000'000, kLong_ns = 200'000'000;
  if (took_ns > kLong_ns) return std::max(points / 2, kFewestOfALink);
  return took_ns < kShort_ns ? std::min(points * 2, kMaxOfALink) : points;
}

int make_link(const UprobeLink& wanted) {
  LinkOfUprobes link{};
  link.program = static_cast<uint32_t>(wanted.program);
  link.attach_type = wanted.when == UprobeRequest::When::Called ? kUprobeSession : kUprobeMulti;
  link.path = reinterpret_cast<uint64_t>(wanted.path);
  link.offsets = reinterpret_cast<uint64_t>(wanted.offsets);
  link.cookies = reinterpret_cast<uint64_t>(wanted.cookies);
  link.reference_counters = reinterpret_cast<uint64_t>(wanted.counters);
  link.count = wanted.count;
  link.uprobe_flags = wanted.when == UprobeRequest::When::Returned ? kMultiReturn : 0;
  link.pid = wanted.pid ? static_cast<uint32_t>(raw(*wanted.pid)) : 0;
  return bpf(BPF_LINK_CREATE, link);
}

OwnedFd empty_uprobe_program(UprobeMechanism mechanism) {
  return empty_program(mechanism == UprobeMechanism::Multi ? kUprobeMulti : 0);
}

Result<UprobeMechanism> uprobe_mechanism() {
  return TRY(knows_links(kUprobeMulti, UprobeRequest::When::Executed)) ? UprobeMechanism::Multi
                                                                       : UprobeMechanism::PerfEvent;
}

bool uprobe_sessions() {
  auto knows = knows_links(kUprobeSession, UprobeRequest::When::Called);
  return knows && *knows;
}

std::string why_refused(int error) {
  constexpr int kNotSupported = 524;  // ENOTSUPP of the kernel's own, <linux/errno.h>
  if (error == kNotSupported || error == EINVAL) return "the kernel puts no uprobe on this instruction";
  return std::string("the kernel refuses a uprobe: ") + ::strerror(error);
}

Uprobes& Uprobes::operator=(Uprobes&& other) noexcept {
  if (this == &other) return *this;
  disarm();
  links_ = std::exchange(other.links_, {});
  armed_ = std::exchange(other.armed_, 0);
  return *this;
}

Result<std::vector<RefusedUprobe>> Uprobes::arm(int program, UprobeMechanism mechanism, const UprobeRequest& request,
                                                const ArmingStep& step) {
  TakingTurns turns;
  Arming arming(program, mechanism, request);
  TRY_VOID(arming.run(step));
  links_.insert(links_.end(), arming.links.begin(), arming.links.end());
  arming.links.clear();
  armed_ += arming.armed;
  return std::move(arming.refused);
}

void Uprobes::join(Uprobes&& other) {
  links_.insert(links_.end(), other.links_.begin(), other.links_.end());
  other.links_.clear();
  armed_ += std::exchange(other.armed_, 0);
}

void disarm_at_once(std::map<int32_t, Uprobes>& by_process) {
  Uprobes all;
  for (auto& [pid, uprobes] : by_process) all.join(std::move(uprobes));
  by_process.clear();
}

void Uprobes::disarm() {
  if (links_.empty()) return;
  TakingTurns turns;
  close_all(links_);
  links_.clear();
  armed_ = 0;
}

}  // namespace strut

// Uprobes: a BPF program that runs when any process, or one, executes certain instructions of files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"

namespace strut {

/// One instruction. Where it may be is for pid-provider/ to know; the kernel's refusals are handled all the same.
struct UprobePoint {
  uint64_t file_offset = 0;
  uint64_t cookie = 0;  ///< the value of bpf_get_attach_cookie() there
  /// Where the file has a counter of 16 bits that the kernel raises by one in each process with this uprobe. 0: none.
  /// All uprobes of one instruction must have the same one (EINVAL).
  uint64_t counter = 0;
};

/// Points of one file.
struct UprobeRequest {
  enum class When : uint8_t {
    Executed,  ///< before the instruction
    Returned,  ///< uretprobe: when the function that begins there returns. Replaces return addresses
    Called,    ///< before the instruction, and, where the program returned 0 there, when the function returns
               ///< (uprobe_sessions)
  };
  std::string path;  ///< as strut sees it: /proc/PID/root/…, /proc/PID/map_files/… for others' files
  std::vector<UprobePoint> points;
  When when = When::Executed;
  std::optional<Pid> pid;  ///< nullopt: every process that has mapped the file or will map it
};

struct RefusedUprobe {
  uint64_t file_offset = 0;
  int error = 0;  ///< the kernel's error: ENOTSUPP (524), EINVAL …
};

/// Why an instruction that was refused has no uprobe, for users.
std::string why_refused(int error);

/// How this kernel takes them.
enum class UprobeMechanism : uint8_t {
  Multi,      ///< one link for thousands (6.6). The program must be loaded with expected_attach_type kUprobeMulti
  PerfEvent,  ///< a perf event and a link for each point; disarming takes 0.1 s a point
};
inline constexpr uint32_t kUprobeMulti = 48;  ///< BPF_TRACE_UPROBE_MULTI of <linux/bpf.h>

inline constexpr uint32_t kUprobeSession =
    57;  ///< BPF_TRACE_UPROBE_SESSION, of a program for UprobeRequest::When::Called

/// A link of points in one file, made by one system call.
struct UprobeLink {
  int program = -1;
  const char* path = nullptr;
  const uint64_t* offsets = nullptr;
  uint32_t count = 0;                  ///< at most kMostOfALink
  const uint64_t* cookies = nullptr;   ///< nullptr: 0 each
  const uint64_t* counters = nullptr;  ///< nullptr: none
  std::optional<Pid> pid{};
  UprobeRequest::When when = UprobeRequest::When::Executed;
};
/// The kernel would take 1 << 20 (MAX_UPROBE_MULTI_CNT), and would not look at signals meanwhile.
inline constexpr uint32_t kMaxOfALink = 1 << 13, kFewestOfALink = 1 << 7;
/// Points of the next link, where one of `points` took this long: where other processes fork much, a point takes
/// milliseconds instead of microseconds, and a signal comes between two links.
uint32_t points_of_next_link(uint32_t points, uint64_t took_ns);
/// The descriptor; below 0: errno has the reason.
int make_link(const UprobeLink& link);

/// A program of two instructions that does nothing, for uprobes of this mechanism. Below 0: -errno.
OwnedFd empty_uprobe_program(UprobeMechanism mechanism);
/// Loads such a program to find out. Error: BPF is not permitted.
Result<UprobeMechanism> uprobe_mechanism();
/// For UprobeRequest::When::Called (6.13).
bool uprobe_sessions();

/// Called after each link with how many points it has. False: no more points are armed.
using ArmingStep = std::function<bool(size_t points)>;

/// Points that are armed. They are disarmed with this object, and by the kernel if the process ends in any way.
class Uprobes {
 public:
  Uprobes() = default;
  Uprobes(Uprobes&& other) noexcept : links_(std::exchange(other.links_, {})), armed_(std::exchange(other.armed_, 0)) {}
  Uprobes& operator=(Uprobes&& other) noexcept;
  ~Uprobes() { disarm(); }

  /// Arms more points, with a program of type BPF_PROG_TYPE_KPROBE that fits the mechanism. One refused instruction
  /// refuses a whole link: points that the kernel does not take are found by halving and returned, the others are
  /// armed. Error: none of this request's points is armed: no privilege, no such file or process, descriptors or memory
  /// used up, or more than kMostRefused refused (then it is no matter of instructions). The pid filter of links is
  /// wrong before 6.10 (it lets other threads of the machine through): let the program look, too.
  /// Signals are held back while a link is made, and delivered before `step` is called.
  Result<std::vector<RefusedUprobe>> arm(int program, UprobeMechanism mechanism, const UprobeRequest& request,
                                         const ArmingStep& step = {});
  /// Takes over the other object's links.
  void join(Uprobes&& other);
  /// After its return no program runs for them any more.
  void disarm();

  size_t armed() const { return armed_; }
  static constexpr size_t kMaxRefused = 1000;

 private:
  std::vector<int> links_;  ///< descriptors
  size_t armed_ = 0;
};

/// Disarms the uprobes of several processes in one wait, instead of one for each.
void disarm_at_once(std::map<int32_t, Uprobes>& by_process);

}  // namespace strut

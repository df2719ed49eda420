// The lifecycles of the machine's processes, and the code that they map, from the kernel's performance events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "procfs/maps.hpp"

namespace strut {

struct ProcessChange {
  enum class Kind : uint8_t {
    Forked,    ///< `pid` was forked, and has not run yet; `parent` called fork
    Executed,  ///< it begins to run another program: all mappings are gone, and new ones follow
    Mapped,    ///< code came to be at `mapping`; of a file if it has an inode
    Exited,    ///< one of its threads did: `tid`
    Lost,      ///< there was no room for changes of any processes
  };
  Kind kind = Kind::Lost;
  uint64_t at_ns = 0;  ///< CLOCK_MONOTONIC
  Pid pid{};
  Pid parent{};
  Tid tid{};
  Mapping mapping{};
};

/// Reads records of perf_event_open(2), opened with PERF_SAMPLE_TIME and sample_id_all. Records of other types, and of
/// new threads, are skipped. No byte of them is trusted.
void parse_process_changes(std::span<const std::byte> records, std::vector<ProcessChange>& into);

/// Side records of a perf event of each CPU that counts nothing. Only processes that fork, exec, exit or map code pay
/// for it; a tracepoint at the return of mmap would cost every system call of the machine.
class ProcessWatch {
 public:
  /// When news() becomes readable. An exec of `true` makes nine records; where each of them wakes a thread of strut's,
  /// an exec and a fork take every process of the machine 15 % longer.
  enum class Wakes : uint8_t {
    AtEach,   ///< as soon as there is a change
    WhenMany  ///< when a quarter of a CPU's room for records is full: the caller calls read() from time to time
  };
  /// Watches from its return on. Error: perf events are not permitted, or there is no memory that may be locked for
  /// them.
  static Result<std::unique_ptr<ProcessWatch>> start(Wakes wakes);
  ~ProcessWatch();

  /// An epoll descriptor.
  int news() const { return epoll_.number(); }
  /// The events since the last call, in the order of time.
  std::vector<ProcessChange> read();

 private:
  ProcessWatch() = default;
  struct Cpu {
    OwnedFd event;
    std::byte* pages = nullptr;  ///< the first says how far the others are filled
  };
  Result<void> open_cpu(int cpu, Wakes wakes);
  void read_cpu(const Cpu& cpu, std::vector<ProcessChange>& into);

  OwnedFd epoll_;
  std::vector<Cpu> cpus_;
  std::vector<std::byte> copied_;
};

}  // namespace strut

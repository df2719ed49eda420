// Names of addresses in processes, as it was when a record was made: they may have executed another program since, or
// have ended; and in the kernel.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/output/text_style.hpp"
#include "symtab/elf/kernel_symbols.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {

class ProcessSymbolizer final : public DSymbolizer {
 public:
  /// `cache` outlives this.
  explicit ProcessSymbolizer(ModuleCache& cache) : cache_(cache) {}

  std::string name(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return name_of({process, address, 0}, kind);
  }
  std::string name_of_return(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return name_of({process, address, 1}, kind);
  }
  /// When the addresses that are to be named next were recorded, CLOCK_MONOTONIC; kAnyTime: that is not known.
  void set_time(uint64_t at_ns) { time_ns_ = at_ns; }
  static constexpr uint64_t kAnyTime = UINT64_MAX;

  /// Looks at a process's mappings while there are any: its addresses can be named after it has ended.
  void remember(Pid pid);
  /// Remembers a process that was not seen before.
  void meet(Pid pid) {
    if (!lives_.contains(raw(pid))) remember(pid);
  }
  /// From now on mappings are reported, of processes that it was asked to remember or that were reported.
  void will_be_reported() { is_reported_ = true; }
  /// Looks at every process that there is.
  void remember_all();

  // Events of processes from then on; for each process in the order of time.

  /// The process exec'd: its earlier mappings are gone.
  void executed(Pid pid, uint64_t at_ns);
  /// The child has its parent's mappings.
  void forked(Pid parent, Pid child, uint64_t at_ns);
  void mapped(Pid pid, const Mapping& mapping);
  void ended(Pid pid);
  /// Some of these events were lost.
  void missed_something();

 private:
  /// A process between two execs, a birth or an end.
  struct Generation {
    uint64_t from_ns = 0;
    bool is_reported = false;  ///< nothing that it maps is missing: /proc knows no better
    uint64_t looked_ns = 0;    ///< at /proc
    ProcessModules modules;
  };
  using Life = std::deque<Generation>;  ///< ascending by from_ns

  void look(Generation& generation);
  Generation& begin(Pid pid, Generation generation);
  Generation& at_time(Life& life, uint64_t address);
  /// An address, named by the instruction so many bytes before it.
  struct Place {
    uint64_t process, address, back;
  };
  std::string name_of(const Place& place, DShape::Kind kind);
  std::string user_name(const Place& place, DShape::Kind kind);
  std::string kernel_name(const Place& place, DShape::Kind kind);

  ModuleCache& cache_;
  std::map<int32_t, Life> lives_;
  bool is_reported_ = false;
  std::deque<int32_t> ended_;  ///< the longest ago first
  uint64_t time_ns_ = kAnyTime;
  std::optional<KernelSymbols> kernel_;
};

}  // namespace strut

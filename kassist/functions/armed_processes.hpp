// The armed sites by process.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kassist/functions/parts.hpp"
#include "kassist/uprobes/asking_places.hpp"
#include "kassist/uprobes/disarming.hpp"
#include "kassist/uprobes/uprobe_budget.hpp"
#include "trace/request.hpp"

namespace strut {

/// Each process has its own links, where the kernel can do that and children can be stopped until they have theirs:
/// other processes that map the same files never hit them. Else files are armed in every process that maps them, and
/// processes that are not followed leave no records. Not thread-safe, but for give_up().
class ArmedProcesses {
 public:
  ArmedProcesses(const TraceRequest& request, FunctionPrograms& programs, bool is_held);
  ~ArmedProcesses() { disarm(); }

  /// To be armed wherever it is mapped: arm() does it. True: there is anything.
  bool add(FunctionCode code);

  /// The results of one look at a process.
  struct Look {
    bool is_there = false;           ///< it has mappings, and lived until all of them were armed
    bool has_linker = false;         ///< among that is a dynamic linker that asks …
    bool asks_from_now_on = false;   ///< … and did not before
    std::set<uint64_t> mapped;       ///< inodes of files with code that it maps
    std::vector<std::string> armed;  ///< files of which something came to be armed, by their last names
  };
  /// Arms the files that the process maps and that are not armed there yet.
  Look arm(Pid pid);

  /// The process will exec a program with this dynamic linker, which requests arming from its first instruction on.
  void expect_linker(Pid pid, const std::string& path);
  /// The process is gone, or the kernel no longer knows it by its first thread: disarmed in the background, and armed
  /// from the beginning if needed.
  void forget(Pid pid);
  /// Nothing more is armed, by whatever thread. Thread-safe.
  void give_up() { given_up_ = true; }
  /// Disarms everything; sites that were requested and never armed are reported as refused.
  void disarm();

  /// The functions' uprobes that are armed now.
  std::vector<UprobeDemand> demands() const;

  bool one_by_one() const { return programs_.arms_processes(); }

 private:
  struct Part {
    FunctionPart part;
    bool is_armed = false;  ///< somewhere
  };
  struct Armed {
    Uprobes uprobes;
    std::set<size_t> parts;
    std::set<AskingPlaces::FileId> asking;  ///< of these files
  };

  Armed& armed_in(Pid pid);
  std::optional<Pid> only(Pid pid) const;
  void arm_asking_places(Pid pid, const std::vector<Mapping>& maps, Look& look);
  bool arm_asking_places(Pid pid, const std::string& opened, const Mapping& mapping);
  void arm_parts(Pid pid, const std::vector<Mapping>& maps, Look& look);
  enum class Outcome : uint8_t { Armed, Refused, Gone };
  Outcome arm(Pid pid, size_t part);

  FunctionPrograms& programs_;
  FunctionParts made_;
  AskingPlaces places_;
  std::deque<Part> parts_;
  std::map<Pid, Armed> armed_;  ///< system-wide: Pid{0}
  std::atomic<bool> given_up_ = false;
  bool was_cut_short_ = false;  ///< something was left unarmed for that
  Disarming dead_;
};

}  // namespace strut

// Arms the sites of functions in the code of followed processes, as it comes.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "core/function_points.hpp"
#include "core/owned_fd.hpp"
#include "kassist/disarming.hpp"
#include "kassist/function_programs.hpp"
#include "kassist/process_watch.hpp"
#include "kassist/ring_reader.hpp"
#include "kassist/uprobes.hpp"

namespace strut {

/// Each process that is followed has what is armed by itself, where the kernel can do that and children can be held until it is done:
/// others that have the same files mapped never come by. Else files are armed in every process that maps them, and who is not
/// followed leaves no records.
class FunctionArming {
 public:
  /// Watches for code from its return on, in a thread of its own. What is passed must outlive this. `let_go_on`: threads that
  /// waited for their code to be armed are to be told.
  static Result<std::unique_ptr<FunctionArming>> start(const TraceRequest& request, FunctionPrograms& programs,
                                                       wire_pressure& pressure, std::function<void()> let_go_on);
  ~FunctionArming();

  /// This process's code is told of from now on, and with TraceRequest::follow its children's.
  void follow(Pid pid);
  /// What it has mapped is armed when this returns.
  void look_at(Pid pid);
  /// Disarms everything: after its return no hit is recorded.
  void stop();

 private:
  using FileId = std::tuple<uint32_t, uint32_t, uint64_t>;  ///< device and inode, as maps have them
  /// Sites of one file that are armed by one link.
  struct Part {
    FunctionCode code;
    UprobeRequest::When when;
    bool is_armed = false;  ///< somewhere
  };
  /// What is armed in one process; or, where processes are not armed by themselves, in all of them.
  struct Armed {
    Uprobes uprobes;
    std::set<size_t> parts;
    std::set<FileId> own_places;  ///< of which files
  };

  FunctionArming(const TraceRequest& request, FunctionPrograms& programs, wire_pressure& pressure,
                 std::function<void()> let_go_on);
  void answer_linkers();
  void work();
  void take_changes();
  void arm_anew(std::span<const std::byte> news);
  void take(const ProcessChange& change, std::set<Pid>& changed);
  void bury(std::set<Pid>& changed);
  void forget(Pid pid);
  Armed& armed_in(Pid pid);
  std::optional<Pid> only(Pid pid) const;
  const std::vector<UprobePoint>& own_places(Pid pid, const Mapping& mapping);
  bool arm_points(Armed& armed, Pid pid, const Mapping& mapping, const std::vector<UprobePoint>& points);
  void arm_own_places(Pid pid, const std::vector<Mapping>& maps);
  void add(FunctionCode code);
  void add_part(FunctionCode code, UprobeRequest::When when);
  void arm_others(Pid pid);
  void arm_parts(Pid pid, const std::vector<Mapping>& maps);
  void arm(Pid pid, size_t part);
  void report(const Part& part, const std::vector<RefusedUprobe>& refused);
  void give_up(const Part& part, std::string_view why);
  bool is_armed_by_return(const FunctionSite& site) const;
  bool is_return_seen(const FunctionSite& site) const;
  std::pair<FunctionCode, FunctionCode> parted(const FunctionCode& code) const;
  std::optional<uint64_t> cookie_of(const FunctionSite& site, UprobeRequest::When when);

  const TraceRequest& request_;
  FunctionPoints& functions_;
  FunctionPrograms& programs_;
  wire_pressure& pressure_;
  const std::function<void()> let_go_on_;
  std::unique_ptr<ProcessWatch> watch_;
  std::optional<RingReader> linker_news_;
  OwnedFd bell_;  ///< eventfd: the thread is to end

  std::mutex mutex_;  ///< of all that follows
  std::set<Pid> followed_;
  std::map<Pid, uint64_t> leaving_;  ///< of which a thread has ended, and when
  std::unordered_map<int32_t, uint64_t> looked_ns_;  ///< what had been mapped until then is armed
  std::deque<Part> parts_;
  std::map<FileId, std::vector<UprobePoint>> own_places_;
  std::map<Pid, Armed> armed_;  ///< of everybody: Pid{0}
  Disarming dead_;
  bool replaces_returns_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace strut

// Arms the sites of functions in the code of followed processes, as it comes.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "core/function_points.hpp"
#include "core/owned_fd.hpp"
#include "kassist/function_programs.hpp"
#include "kassist/process_watch.hpp"
#include "kassist/ring_reader.hpp"
#include "kassist/uprobes.hpp"

namespace strut {

/// What is armed is armed in files, in every process that maps them: who is not followed leaves no records. Where one process
/// alone is followed, others do not come by at all.
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
  FunctionArming(const TraceRequest& request, FunctionPrograms& programs, wire_pressure& pressure,
                 std::function<void()> let_go_on);
  void answer_linkers();
  void arm_linker(Pid pid);
  void work();
  void take_changes();
  void take(const ProcessChange& change, std::set<Pid>& changed);
  void arm(Pid pid, const FunctionCode& code);
  void arm(Pid pid, const FunctionCode& code, UprobeRequest::When when);
  void arm_unarmed(Pid pid);
  void give_up(const FunctionCode& code, UprobeRequest::When when, std::string_view why);
  bool is_armed_by_return(const FunctionSite& site) const;
  bool is_return_seen(const FunctionSite& site) const;
  std::pair<FunctionCode, FunctionCode> parted(const FunctionCode& code) const;
  std::optional<uint64_t> cookie_of(const FunctionSite& site, UprobeRequest::When when);

  const TraceRequest& request_;
  FunctionPoints& functions_;
  FunctionPrograms& programs_;
  const bool filters_by_process_;
  wire_pressure& pressure_;
  const std::function<void()> let_go_on_;
  std::unique_ptr<ProcessWatch> watch_;
  std::optional<RingReader> linker_news_;
  OwnedFd bell_;  ///< eventfd: the thread is to end

  std::mutex mutex_;  ///< of all that follows
  std::set<Pid> followed_;
  std::unordered_map<int32_t, uint64_t> looked_ns_;  ///< what had been mapped until then is armed
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> linkers_;  ///< files that are armed: device and inode, as maps have them
  /// Code of files that could not be opened any more: who had mapped them was gone. The next one who maps them is there.
  struct Unarmed {
    FunctionCode code;
    UprobeRequest::When when;
  };
  std::vector<Unarmed> unarmed_;
  Uprobes uprobes_;
  bool replaces_returns_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace strut

// Arms the sites of functions in the code of followed processes, as it comes.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "base/owned_fd.hpp"
#include "kassist/functions/armed_processes.hpp"
#include "kassist/functions/cost_warning.hpp"
#include "kassist/functions/lateness.hpp"
#include "kassist/functions/programs.hpp"
#include "kassist/syscalls/leaving.hpp"
#include "kassist/uprobes/arming_questions.hpp"
#include "kassist/uprobes/process_watch.hpp"
#include "kassist/uprobes/unseen_code.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// A thread of its own learns of code by the kernel's side records (ProcessWatch), and replies to processes that wait
/// for arming (ArmingQuestions).
class FunctionArming {
 public:
  struct Holding {
    bool is_held = false;             ///< a brake stops requesting threads
    std::function<void()> let_go_on;  ///< it can release those that got a reply
  };
  /// The arguments must outlive this.
  static Result<std::unique_ptr<FunctionArming>> make(const TraceRequest& request, FunctionPrograms& programs,
                                                      wire_control& control, Holding holding, UprobeCostText cost_text);
  ~FunctionArming();

  /// This process's code is reported from now on, and with TraceRequest::follow that of its future children.
  void follow(Pid pid);
  /// Looks up a process's sites, before they can be armed.
  void look_ahead(Pid pid);
  /// The programs are attached: now there can be news.
  void start();
  /// The mapped code is armed when this returns.
  void look_at(Pid pid);
  /// This followed process, which cannot be stopped, is about to exec a program: its dynamic linker must request
  /// arming.
  void expect(Pid pid, const std::string& program);
  /// Lines for users about possible misses, and about a cost for the machine, since the last call.
  std::vector<std::string> complaints();
  /// Nothing more is armed: current work ends soon. Before stop().
  void give_up();
  /// Disarms everything: after its return no hit is recorded.
  void stop();

 private:
  FunctionArming(const TraceRequest& request, FunctionPrograms& programs, ArmingQuestions questions, Holding holding,
                 UprobeCostText cost_text);
  void work();
  void take_changes(std::set<Pid>& changed);
  void take(const ProcessChange& change, std::set<Pid>& changed);
  void answer();
  void prepare(const wire_question& question, std::set<Pid>& changed);
  Answer answer_of(const wire_question& question, const ArmedProcesses::Look* look) const;
  ArmedProcesses::Look look(Pid pid);
  void look_at_cost();
  void bury();

  const TraceRequest& request_;
  FunctionPoints& functions_;
  FunctionPrograms& programs_;
  const std::function<void()> let_go_on_;
  std::unique_ptr<ProcessWatch> watch_;
  ArmingQuestions questions_;
  OwnedFd bell_;  ///< eventfd: the thread is to end

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  ///< of all members below
  std::set<Pid> followed_;
  std::unordered_map<int32_t, uint64_t> looked_ns_;  ///< the mappings until then are armed
  ArmedProcesses processes_;
  Leaving leaving_;
  Lateness lateness_;
  CostWarning cost_;
  UnseenCode unseen_;
  std::thread thread_;
};

}  // namespace strut

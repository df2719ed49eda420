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
#include "kassist/functions/lateness.hpp"
#include "kassist/functions/programs.hpp"
#include "kassist/syscalls/leaving.hpp"
#include "kassist/uprobes/arming_questions.hpp"
#include "kassist/uprobes/process_watch.hpp"
#include "kassist/uprobes/unseen_code.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// A thread of its own learns of code by the kernel's side records (ProcessWatch), and answers whoever waits for what
/// it is about to run (ArmingQuestions).
class FunctionArming {
 public:
  struct Holding {
    bool is_held = false;             ///< there is a brake that holds who asks
    std::function<void()> let_go_on;  ///< it can let go those that were answered
  };
  /// What is passed must outlive this.
  static Result<std::unique_ptr<FunctionArming>> make(const TraceRequest& request, FunctionPrograms& programs,
                                                      wire_pressure& pressure, Holding holding);
  ~FunctionArming();

  /// This process's code is told of from now on, and with TraceRequest::follow that of children that it makes from now
  /// on.
  void follow(Pid pid);
  /// Finds out what is to be armed in a process, before it can be armed.
  void look_ahead(Pid pid);
  /// The programs are attached: now there can be news.
  void start();
  /// What it has mapped is armed when this returns.
  void look_at(Pid pid);
  /// This followed process, which nobody can hold, is about to execute a program: its dynamic linker is to ask.
  void expect(Pid pid, const std::string& program);
  /// Lines for users: what may have been missed, since the last call.
  std::vector<std::string> complaints();
  /// Nothing more is armed: what is under way ends soon. Before stop().
  void give_up();
  /// Disarms everything: after its return no hit is recorded.
  void stop();

 private:
  FunctionArming(const TraceRequest& request, FunctionPrograms& programs, ArmingQuestions questions, Holding holding);
  void work();
  void take_changes(std::set<Pid>& changed);
  void take(const ProcessChange& change, std::set<Pid>& changed);
  void answer();
  void prepare(const wire_question& question, std::set<Pid>& changed);
  Answer answer_of(const wire_question& question, const ArmedProcesses::Look* look) const;
  ArmedProcesses::Look look(Pid pid);
  void bury();

  const TraceRequest& request_;
  FunctionPoints& functions_;
  FunctionPrograms& programs_;
  const std::function<void()> let_go_on_;
  std::unique_ptr<ProcessWatch> watch_;
  ArmingQuestions questions_;
  OwnedFd bell_;  ///< eventfd: the thread is to end

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  ///< of all that follows
  std::set<Pid> followed_;
  std::unordered_map<int32_t, uint64_t> looked_ns_;  ///< what had been mapped until then is armed
  ArmedProcesses processes_;
  Leaving leaving_;
  Lateness lateness_;
  UnseenCode unseen_;
  std::thread thread_;
};

}  // namespace strut

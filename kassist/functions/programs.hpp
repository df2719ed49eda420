// The BPF program at functions' sites: loaded beside Programs; shares its ring, marks and counts.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kassist/loader/object_loader.hpp"
#include "kassist/loader/programs.hpp"
#include "kassist/plans/plan.hpp"
#include "kassist/transport/switches.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "trace/function_points.hpp"
#include "trace/request.hpp"

struct bpf_program;

namespace strut {

class FunctionPrograms {
 public:
  /// Whether each followed process can be armed by itself: those that they make are held until they are (Brake::hold).
  enum class Reach : uint8_t { Followed, SystemWide };
  struct Means {
    Reach reach = Reach::Followed;
    bool has_brake = true;
  };
  /// First open(), then load() in parallel with other work, then attach(). Error of each: the kernel's refusal and its
  /// reason.
  static Result<FunctionPrograms> open(const TraceRequest& request, Means means);
  FunctionPrograms(FunctionPrograms&& other) noexcept;
  FunctionPrograms& operator=(FunctionPrograms&&) = delete;
  ~FunctionPrograms();

  TypesWanted types_wanted() const { return loader_->types_wanted(); }
  /// Makes the maps and begins to load the programs. `programs` has these types, too, and must outlive this.
  Result<void> load(const Tuning& tuning, const Programs& programs);
  /// Waits until all is loaded: only then there are programs for uprobes.
  Result<void> attach();

  /// Descriptor of the program for uprobes like this, loaded for this mechanism.
  int program(UprobeRequest::When when) const {
    return (when == UprobeRequest::When::Called ? session_program_ : program_).number();
  }
  UprobeMechanism mechanism() const { return mechanism_; }
  /// The program for AskingPlaces, with uprobes of UprobeRequest::When::Executed.
  int program_for_asking() const { return asking_program_.number(); }
  /// There is a program for UprobeRequest::When::Called, and uprobes of UprobeRequest::When::Returned are not needed.
  bool has_sessions() const { return has_sessions_; }
  /// Each followed process is to be armed by itself (UprobeRequest::pid).
  bool arms_processes() const { return arms_processes_; }
  /// Returns may be seen by their return addresses (uretprobes.hpp).
  bool replaces_returns() { return replaces_returns_.get(); }
  /// The descriptor of the ring of struct wire_question.
  int questions() const;

  /// A uprobe's cookie at a site; the function's plan is stored at its first use.
  uint64_t cookie(uint32_t index, const TracedFunction& function, wire_site site, uint8_t condition);

  /// Where the errno of a process's threads is, from their %fs; until it executes another program.
  Result<void> set_errno_place(Pid pid, int64_t place) const;

 private:
  explicit FunctionPrograms(const TraceRequest& request) : request_(request) {}
  void choose(bool has_brake);
  bpf_program* program_named(const char* name) const;
  OwnedFd& program_of(std::string_view section);
  Result<void> share_maps(const Programs& programs) const;
  Result<void> set_constants(const Tuning& tuning) const;
  Result<void> map_plans();
  bool filters(std::span<const CodeFile> callers);
  uint32_t place_of_plan(const FunctionDesc& desc);
  std::unique_ptr<Switches> make_switches() const;
  void end_loading();
  uint32_t store(const CallPlan& plan, const FunctionDesc& desc);

  const TraceRequest& request_;
  UprobeMechanism mechanism_ = UprobeMechanism::Multi;
  bool has_sessions_ = false, arms_processes_ = false;
  std::optional<ObjectLoader> loader_;
  bpf_object* object_ = nullptr;
  LoadingPrograms loading_;  ///< until attached
  std::shared_future<bool> replaces_returns_;
  OwnedFd program_, session_program_, asking_program_;
  std::vector<int> links_;
  std::optional<std::vector<CodeFile>> wanted_callers_;  ///< which the kernel side knows
  wire_plan* plans_ = nullptr;  ///< WIRE_FUNCTION_PLANS; the first is of functions of which nothing is copied
  wire_op* ops_ = nullptr;      ///< WIRE_OPS
  uint32_t plans_used_ = 1, ops_used_ = 0;
  std::unordered_map<std::string, uint32_t> stored_;  ///< by their bytes; those that save entries by function, too
  std::unordered_map<const FunctionDesc*, uint32_t> plans_of_desc_;
  /// For functions of floating-point numbers; nullptr: there is nothing to wake them.
  std::unique_ptr<Switches> switches_;
};

}  // namespace strut

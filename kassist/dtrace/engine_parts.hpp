// The engine of D programs in the kernel: for its own file only.
#pragma once

#include <memory>
#include <optional>

#include "kassist/dtrace/engine.hpp"
#include "kassist/dtrace/launches.hpp"
#include "kassist/dtrace/news_wait.hpp"
#include "kassist/dtrace/process_news.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/dtrace/reader.hpp"
#include "kassist/dtrace/sites.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "kassist/dtrace/targets.hpp"
#include "kassist/dtrace/watches.hpp"

namespace strut {

/// Holds the parts of a run together: what each of them reports, and in which order. DEngine alone has 15 methods.
class KassistDEngine final : public DEngine {
 public:
  explicit KassistDEngine(DKassistParts parts) : parts_(std::move(parts)) {}
  ~KassistDEngine() override;
  std::string_view name() const override { return "kassist"; }
  bool sees_all() const override { return true; }

  Result<void> load(const DRunRequest& request) override;
  Result<void> add_probes(std::span<const DProbe> probes) override { return sites_->add_probes(probes); }
  Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step) override {
    return sites_->arm(code, step);
  }
  Result<void> watch(Pid pid, std::span<const DWatch> watches) override;
  Result<void> launch(HeldCommand command, DObserver& observer) override;
  Result<void> attach(Pid pid, DObserver& observer) override;
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) override;
  Result<void> serve(uint64_t until_ns, DObserver& observer) override;
  void open() override { kernel_->control().open(); }
  void free_speculation(uint32_t id) override { kernel_->free_speculation(id); }
  std::optional<int32_t> exit_status() const override { return kernel_->control().exit_status(); }
  Result<void> stop(DObserver& observer) override;
  DAggregations& aggregations() override;
  DEngineCounts counts() const override;

 private:
  Result<void> make_parts(UprobeMechanism mechanism);
  bool reads_at_calls() const;
  void adjust_clock(uint64_t now_ns);
  uint64_t longest_wait_ns() const;
  [[noreturn]] void leave_orphaned();
  DLaunches::AtStep at_step(DObserver& observer);
  bool report_ends(DObserver& observer);

  DKassistParts parts_;
  DRunRequest request_;
  std::optional<DKernelProgram> kernel_;
  std::optional<DAggregations> aggregations_;
  std::optional<DStacks> stacks_;  ///< before the reader that uses it
  std::unique_ptr<DReader> reader_;
  std::optional<DSites> sites_;
  std::optional<DWatches> watches_;
  std::optional<DNewsWait> wait_;
  std::optional<DTargets> targets_;
  std::optional<DProcessNews> news_;
  DLaunches launches_;
  std::optional<Error> trouble_;  ///< for a call that cannot return one
  uint64_t clock_ns_ = 0;         ///< when it was adjusted last
  uint64_t began_ns_ = 0, startup_ns_ = 0;
};

}  // namespace strut

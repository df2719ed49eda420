// The provider "sched": threads get a CPU, leave it, wake others up (DTrace Guide, "sched Provider"), as far as the
// kernel has tracepoints there.
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

using Tracepoint = DTrigger::Tracepoint;

struct SchedRow {
  std::string_view name, tracepoint;
  uint8_t subject;
  uint8_t if_set = 0, if_zero = 0;
};
// sched_switch(preempt, prev, next, prev_state), sched_exit_tp(is_switch), sched_wakeup(task): <trace/events/sched.h>.
constexpr SchedRow kSchedRows[] = {
    {"off-cpu", "sched_switch", 2},  // the thread that is next
    {"on-cpu", "sched_exit_tp", Tracepoint::kNoArguments, 1 << 0},
    {"preempt", "sched_switch", Tracepoint::kNoArguments, 1 << 0},
    {"sleep", "sched_switch", Tracepoint::kNoArguments, 1 << 3, 1 << 0},
    {"wakeup", "sched_wakeup", 0},
};

class SchedProvider final : public Provider {
 public:
  explicit SchedProvider(BtfTypes& kernel) : kernel_(kernel) {}

  std::string_view name() const override { return "sched"; }

  std::vector<OfferedProbe> all() const override { return {}; }

  /// Only if it is named, as tracepoint probes.
  std::vector<OfferedProbe> asked_for(const ProbeDescription& description) const override {
    std::vector<OfferedProbe> probes;
    if (description.provider.empty() || !glob_matches(description.provider, name())) return probes;
    for (const SchedRow& row : kSchedRows) {
      auto arguments = kernel_.arguments_of(row.tracepoint);
      if (!arguments) continue;  // of another kernel
      DTrigger trigger;
      trigger.kind = DTrigger::Kind::Tracepoint;
      trigger.tracepoint = {std::string(row.tracepoint), static_cast<uint8_t>(arguments->size()), row.subject,
                            row.if_set, row.if_zero};
      probes.push_back({"sched", "vmlinux", "", std::string(row.name), std::move(trigger)});
    }
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    using Kind = DArgumentType::Kind;
    if (probe.trigger.tracepoint.subject == Tracepoint::kNoArguments) return std::nullopt;
    return std::vector<DArgumentType>{{Kind::Thread, "lwpsinfo_t *"}, {Kind::Process, "psinfo_t *"}};
  }

 private:
  BtfTypes& kernel_;
};

}  // namespace

std::unique_ptr<Provider> make_sched_provider(BtfTypes& kernel) { return std::make_unique<SchedProvider>(kernel); }

}  // namespace strut

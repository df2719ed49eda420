// Providers of events in the lives of processes and threads: they begin, execute programs, are sent signals, end.
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

using ArgumentKind = DArgumentType::Kind;

/// The types of args[]; unused ones at the end have no type.
struct ProcessArgument {
  ArgumentKind kind = ArgumentKind::Integer;
  std::string_view type{};
};
constexpr ProcessArgument kProcess{ArgumentKind::Process, "psinfo_t *"}, kThread{ArgumentKind::Thread, "lwpsinfo_t *"},
    kNumber{ArgumentKind::Integer, "int"}, kPath{ArgumentKind::Text, "string"};

struct ProcessRow {
  std::string_view provider, name;
  DTrigger::Process process;
  ProcessArgument arguments[3];
};
constexpr ProcessRow kProcessRows[] = {
#define PROCESS_EVENT(event, number, hook, tracer, provider, name, ...) \
  {provider, name, DTrigger::Process::event, {__VA_ARGS__}},
#include "dlang/machine/process_events.inc"
#undef PROCESS_EVENT
};

class ProcessProvider final : public Provider {
 public:
  explicit ProcessProvider(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }

  std::vector<OfferedProbe> all() const override {
    std::vector<OfferedProbe> probes;
    for (const ProcessRow& row : kProcessRows) {
      if (row.provider != name_) continue;
      DTrigger trigger;
      trigger.kind = DTrigger::Kind::Process;
      trigger.process = row.process;
      probes.push_back({std::string(name_), "vmlinux", "", std::string(row.name), trigger});
    }
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    std::vector<DArgumentType> types;
    for (const ProcessArgument& argument : kProcessRows[static_cast<size_t>(probe.trigger.process)].arguments)
      if (!argument.type.empty()) types.push_back({argument.kind, std::string(argument.type)});
    return types;
  }

 private:
  std::string_view name_;
};

}  // namespace

std::unique_ptr<Provider> make_process_provider(std::string_view name) {
  return std::make_unique<ProcessProvider>(name);
}

}  // namespace strut

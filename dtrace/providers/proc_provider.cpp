// The provider "proc": processes and threads begin, execute programs, are sent signals, end (DTrace Guide, "proc
// Provider").
#include <span>

#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

using ArgumentKind = DArgumentType::Kind;
using Process = DTrigger::Process;

/// The types of args[]; unused ones at the end are Integer without a type.
struct ProcArgument {
  ArgumentKind kind = ArgumentKind::Integer;
  std::string_view type{};
};
struct ProcRow {
  std::string_view name;
  Process process;
  ProcArgument arguments[3];
};
constexpr ProcArgument kProcess{ArgumentKind::Process, "psinfo_t *"}, kThread{ArgumentKind::Thread, "lwpsinfo_t *"},
    kNumber{ArgumentKind::Integer, "int"};

constexpr ProcRow kProcRows[] = {
    {"create", Process::Create, {kProcess}},                    // the child
    {"start", Process::Start, {}},                              // in the child
    {"exec", Process::Exec, {{ArgumentKind::Text, "string"}}},  // the path that was asked for
    {"exec-success", Process::ExecSuccess, {}},
    {"exec-failure", Process::ExecFailure, {kNumber}},        // errno
    {"exit", Process::Exit, {kNumber}},                       // CLD_EXITED, CLD_KILLED, CLD_DUMPED
    {"lwp-create", Process::LwpCreate, {kThread, kProcess}},  // the new thread and its process
    {"lwp-start", Process::LwpStart, {}},                     // in the new thread
    {"lwp-exit", Process::LwpExit, {}},
    {"signal-send", Process::SignalSend, {kThread, kProcess, kNumber}},  // the recipient, and the signal's number
    {"signal-handle", Process::SignalHandle, {kNumber}},                 // in the thread that handles it
    {"signal-clear", Process::SignalClear, {kNumber}},                   // taken by sigwait(3) and the like
    {"signal-discard", Process::SignalDiscard, {kThread, kProcess, kNumber}},
};

class ProcProvider final : public Provider {
 public:
  std::string_view name() const override { return "proc"; }

  std::vector<OfferedProbe> all() const override {
    std::vector<OfferedProbe> probes;
    for (const ProcRow& row : kProcRows) {
      DTrigger trigger;
      trigger.kind = DTrigger::Kind::Process;
      trigger.process = row.process;
      probes.push_back({"proc", "vmlinux", "", std::string(row.name), trigger});
    }
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    std::vector<DArgumentType> types;
    for (const ProcRow& row : kProcRows)
      if (row.name == probe.name)
        for (const ProcArgument& argument : row.arguments)
          if (!argument.type.empty()) types.push_back({argument.kind, std::string(argument.type)});
    return types;
  }
};

}  // namespace

std::unique_ptr<Provider> make_proc_provider() { return std::make_unique<ProcProvider>(); }

}  // namespace strut

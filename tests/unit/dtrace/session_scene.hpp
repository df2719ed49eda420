// A session on an engine that a test has written.
#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtrace/session/session.hpp"
#include "formatters/dtrace/rows.hpp"
#include "tests/unit/dlang/d_scene.hpp"

namespace strut::test {

/// Interprets clauses; the events of serve() are a list of steps.
class ScriptedEngine final : public DEngine {
 public:
  std::vector<std::string> done;
  std::vector<DProbe> probes;
  std::deque<std::function<void(ScriptedEngine&, DObserver&)>> steps;
  std::vector<uint64_t> given;
  std::optional<Error> load_error, attach_error;
  std::deque<int> arm_errors;  ///< errno(3) of the next calls of arm()
  std::function<void(ScriptedEngine&, DObserver&)> at_stop;

  std::string_view name() const override { return "scripted"; }
  bool sees_all() const override { return false; }
  Result<void> load(const DRunRequest& request) override {
    if (load_error) return fail(*load_error);
    machine = std::make_unique<DMachine>(*request.program, DLimits{});
    done.push_back("load");
    return {};
  }
  Result<void> add_probes(std::span<const DProbe> added) override {
    probes.insert(probes.end(), added.begin(), added.end());
    for (const DProbe& probe : added)
      done.push_back("add " + std::string(probe.function) + ":" + std::string(probe.name));
    return {};
  }
  Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step) override {
    done.push_back("arm " + std::to_string(code.sites.size()));
    if (!arm_errors.empty()) {
      int error = arm_errors.front();
      arm_errors.pop_front();
      return fail({error, "arm", code.path, {}, {}});
    }
    step(code.sites.size());
    return std::vector<DRefusal>{};
  }
  Result<void> watch(Pid pid, std::span<const DWatch> watches) override {
    done.push_back("watch " + std::to_string(watches.size()) + " in " + std::to_string(raw(pid)));
    return {};
  }
  Result<void> launch(HeldCommand, DObserver&) override { return done.push_back("launch"), Result<void>{}; }
  Result<void> attach(Pid pid, DObserver&) override {
    done.push_back("attach " + std::to_string(raw(pid)));
    return attach_error ? fail(*attach_error) : Result<void>{};
  }
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) override {
    done.push_back("fire " + std::string(probes[probe].name));
    ScriptedProbe context;
    context.arguments.assign(arguments.begin(), arguments.end());
    hit(probe, context, observer);
    return {};
  }
  void hit(uint32_t probe, ScriptedProbe& context, DObserver& observer, Tid tid = Tid{7}) {
    machine->begin_firing();
    for (uint32_t clause : probes[probe].clauses) {
      DOutcome outcome = machine->run(clause, context);
      if (outcome.fault != DFault::None)
        observer.faulted({probe, clause, 0, outcome.statement, outcome.code, outcome.fault, outcome.address});
      else if (!outcome.record.empty()) observer.fired({probe, clause, 0, Pid{7}, tid, 0, outcome.record});
    }
    if (uint64_t failed = machine->take_failed_speculations()) observer.dropped(DDrops::FailedSpeculation, -1, failed);
  }
  Result<void> serve(uint64_t, DObserver& observer) override {
    if (steps.empty()) return fail({0, "serve", {}, "the script has ended", {}});
    auto step = std::move(steps.front());
    steps.pop_front();
    step(*this, observer);
    return {};
  }
  void open() override { done.push_back("open"); }
  void free_speculation(uint32_t id) override {
    machine->free_speculation(id);
    done.push_back("free " + std::to_string(id));
  }
  std::optional<int32_t> exit_status() const override { return machine->exit_status(); }
  Result<void> stop(DObserver& observer) override {
    done.push_back("stop");
    if (at_stop) at_stop(*this, observer);
    return {};
  }
  DAggregations& aggregations() override { return machine->aggregations(); }
  DEngineCounts counts() const override { return {}; }

  std::unique_ptr<DMachine> machine;
};

class ScriptedConsumer final : public DConsumer {
 public:
  std::string out;
  std::vector<std::string> said;
  std::vector<std::string> progress;
  bool interrupted = false;
  std::optional<Error> write_error;
  DtraceRows rows{false};

  void begin_row(std::string& text, const DRowHead& head, const DSettings& settings) override {
    rows.begin(text, {head.cpu, head.id, head.tid, head.provider, head.function, head.name}, layout(settings));
  }
  void end_row(std::string& text, const DSettings& settings) override { rows.end(text, layout(settings)); }
  std::string call_argument(const DTrigger::Syscall& call, Tid, std::string_view recorded) override {
    return std::string(call.name) + '+' + std::to_string(recorded.size());
  }
  Result<void> write(std::string_view text) override {
    if (write_error) return fail(*write_error);
    return out += text, Result<void>{};
  }
  void complain(std::string_view line) override { said.emplace_back(line); }
  void mention(std::string_view line) override { said.emplace_back(line); }
  void system(const std::string& command) override { out += "[" + command + "]"; }
  Result<void> freopen(const std::string& path) override { return out += "<" + path + ">", Result<void>{}; }
  void ftruncate() override { out.clear(); }
  void arming(uint64_t done, uint64_t wanted) override {
    progress.push_back(std::to_string(done) + '/' + std::to_string(wanted));
  }
  void armed() override {}
  bool is_interrupted() override { return interrupted; }

 private:
  static DtraceRows::Layout layout(const DSettings& settings) {
    return settings.flowindent ? DtraceRows::Layout::Flow
           : settings.quiet    ? DtraceRows::Layout::Quiet
                               : DtraceRows::Layout::Columns;
  }
};

/// A compiled program and all that it runs with.
struct SessionScene {
  DProgram program;
  ProbeTable table;
  std::optional<Enabling> enabling;
  ScriptedEngine engine;
  ScriptedConsumer consumer;
  DSessionRequest request;

  explicit SessionScene(std::string text, DSettings settings = {}) {
    std::vector<DSource> sources{{std::move(text), ProbeField::Name}};
    DMacros macros;
    macros.variables = {{"target", 7}};
    auto compiled = compile_d({sources, &macros, &table, settings});
    REQUIRE_MESSAGE(compiled.has_value(), (compiled ? "" : compiled.error().message));
    program = *std::move(compiled);
    enabling.emplace(program, table, std::vector<DTarget>{});
    enabling->find();
    request.program = &program;
  }
  Result<int> run() {
    DSession session(std::move(request), *enabling, engine, consumer);
    auto status = session.run();
    counts = session.counts();
    return status;
  }
  uint32_t probe(std::string_view function, std::string_view name) const {
    for (uint32_t i = 0; i < engine.probes.size(); i++)
      if (engine.probes[i].function == function && engine.probes[i].name == name) return i;
    FAIL("no such probe");
    return 0;
  }
  DSessionCounts counts;
};

inline DSettings quiet() {
  DSettings settings;
  settings.quiet = true;
  return settings;
}

}  // namespace strut::test

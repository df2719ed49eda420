// Probes of a description, library calls and system calls of one command, in one run of each backend: one stream.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "function_scene.hpp"
#include "libcalls/arming/filtered_choice.hpp"
#include "libcalls/pairing/call_assembler.hpp"
#include "ptrace/engine/brake.hpp"
#include "ptrace/engine/launch_watch.hpp"
#include "ptrace/engine/ptrace_backend.hpp"
#include "syscalls/notation.hpp"
#include "trace/joined_points.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr ArgType kNumber[] = {slong("i")};
constexpr FunctionDesc kStep{"step", kLong, kNumber};

using Lines = std::map<int32_t, std::vector<std::string>>;  ///< by thread

/// System calls and library calls, as a format gets them.
class CallLines final : public Sink {
 public:
  explicit CallLines(Lines& lines) : lines_(lines) {}
  Result<void> take(const Event& event) override {
    auto add = [&](std::string line) { lines_[raw(event.thread.tid)].push_back(std::move(line)); };
    if (auto* one = std::get_if<EnterEvent>(&event.what)) add("enter " + std::string(one->call->desc->name));
    if (auto* one = std::get_if<ExitEvent>(&event.what)) add("exit " + std::string(one->call->desc->name));
    if (auto* one = std::get_if<FunctionEntryEvent>(&event.what)) add("call " + std::string(one->call->symbol));
    if (auto* one = std::get_if<FunctionReturnEvent>(&event.what)) add("return " + std::string(one->call->symbol));
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }

 private:
  Lines& lines_;
};

/// Gives each user the hits of its sites.
class Users final : public Sink {
 public:
  Users(const JoinedPoints& points, CallAssembler& calls, Lines& lines)
      : points_(points), calls_(calls), lines_(lines) {}
  Result<void> take(const Event& event) override {
    uint64_t& last_ns = last_ns_[raw(event.thread.tid)];
    out_of_order += event.at.monotonic_ns < last_ns;
    last_ns = event.at.monotonic_ns;
    auto* one = std::get_if<FunctionHitEvent>(&event.what);
    if (!one) return calls_.take(event);
    JoinedPoints::Owned own = points_.owned(one->hit->function);
    if (own.user == 0) {
      std::string what = one->hit->kind == FunctionSite::Kind::Entry ? "probe entry" : "probe return";
      lines_[raw(event.thread.tid)].push_back(what);
      return {};
    }
    FunctionHit its = *one->hit;
    its.function = own.function;
    Event passed = event;
    passed.what = FunctionHitEvent{&its};
    return calls_.take(passed);
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }

  int out_of_order = 0;

 private:
  const JoinedPoints& points_;
  CallAssembler& calls_;
  Lines& lines_;
  std::map<int32_t, uint64_t> last_ns_;
};

struct Silent final : Listener {
  void say(std::string_view line) override { said.emplace_back(line); }
  std::vector<std::string> said;
};

std::unique_ptr<Backend> backend_named(std::string_view name) {
  if (name == "ptrace") return make_ptrace_backend({});
  return make_kassist_backend({.make_brake = make_ptrace_brake, .make_launch_watch = make_launch_watch}, nullptr);
}

/// One call of step().
const std::vector<std::string> kOnce = {"probe entry",  "call getppid",   "enter getppid",
                                        "exit getppid", "return getppid", "probe return"};

TEST_SUITE_BEGIN("uprobes");

TEST_CASE("one stream: probes, library calls and system calls of one command, each once and in their order") {
  for (const char* backend : {"ptrace", "kassist"}) {
    CAPTURE(backend);
    NamedFunctions probes({{"a.out", &kStep}});
    const char* symbols = "getppid@libc.so.6";
    FilteredChoice choice({.symbols = {{symbols, *SymbolFilter::parse(symbols)}}});
    PrototypeSearch prototypes;
    CallPoints calls(choice, prototypes, {.follow = true});
    JoinedPoints joined({&probes, &calls});
    Lines lines;
    CallLines call_lines(lines);
    CallAssembler assembler(calls, {}, call_lines);
    Users users(joined, assembler, lines);
    Silent silent;
    TraceRequest request;
    std::string program = "build/targets/one_stream";
    request.launch = Launch{.path = program, .argv = {program}, .environment = {}, .user = {}};
    request.calls = *parse_syscall_set("getppid");
    request.functions = &joined;
    request.follow = true;
    auto outcome = backend_named(backend)->run(request, users, silent);
    REQUIRE_MESSAGE(outcome, describe(outcome.error()));
    CHECK(outcome->status == 0);
    CHECK(silent.said.empty());
    CHECK(users.out_of_order == 0);
    REQUIRE(lines.size() == 2);
    std::vector<size_t> times;
    for (auto& [tid, all] : lines) {
      for (size_t i = 0; i < all.size(); i++) REQUIRE_MESSAGE(all[i] == kOnce[i % kOnce.size()], "line " << i);
      times.push_back(all.size() / kOnce.size());
      CHECK(all.size() % kOnce.size() == 0);
    }
    std::ranges::sort(times);
    CHECK(times == std::vector<size_t>{50, 100});
  }
}

TEST_SUITE_END();

}  // namespace
}  // namespace strut::test

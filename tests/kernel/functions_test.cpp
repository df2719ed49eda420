// Calls of functions in real programs, which count them themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "function_scene.hpp"
#include "ptrace/engine/brake.hpp"
#include "ptrace/engine/launch_watch.hpp"
#include "syscalls/notation.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr ArgType kNumbers[] = {slong("a"), slong("b"), slong("c"), slong("d"), slong("e"), slong("f"), slong("g")};
/// The result is unused.
constexpr Type kVoid = kInt;
constexpr FunctionDesc kPlain{"plain", kLong, kNumbers};
constexpr FunctionDesc kRecurse{"recurse", kLong, std::span(kNumbers).first(1)};
constexpr FunctionDesc kTail{"tail", kLong, std::span(kNumbers).first(1)};
constexpr FunctionDesc kBehind{"behind", kLong, std::span(kNumbers).first(1)};
constexpr FunctionDesc kJumps{"jumps", kLong, std::span(kNumbers).first(1)};

/// The output of a target, and its counts.
struct Output {
  Output() {
    ::close(::mkstemp(path.data()));
    ::unlink(path.c_str());
    saved = ::dup(STDOUT_FILENO);
    int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::close(file);
  }
  ~Output() {
    end();
    ::unlink(path.c_str());
  }
  void end() {
    if (saved < 0) return;
    ::dup2(saved, STDOUT_FILENO);
    ::close(std::exchange(saved, -1));
  }
  std::map<std::string, uint64_t> counts() {
    end();
    return counts_of(path);
  }
  std::string path = "/tmp/strut-functions.XXXXXX";
  int saved = -1;
};

const std::string kProbed = "build/targets/probed";
const std::string kHits = "build/targets/hits";

std::string numbers(const FunctionHit& hit) {
  if (hit.kind == FunctionSite::Kind::Return) return " = " + std::to_string(hit.returned.rax);
  std::string text = "(";
  for (uint64_t value : hit.entry.integers) text += std::to_string(value) + ",";
  uint64_t on_stack = 0;
  hit.scene.memory.read(Addr{hit.frame + 8}, std::as_writable_bytes(std::span(&on_stack, 1)));
  return text + std::to_string(on_stack) + ")";
}

/// Each entry with its return, however that is armed.
void check_pairs(const std::vector<std::string>& parts, bool may_replace_return) {
  CAPTURE(may_replace_return);
  NamedFunctions functions({{"a.out", &kPlain, may_replace_return}, {"a.out", &kRecurse}});
  Reported reported(functions, numbers);
  Output output;
  std::vector<std::string> argv{kProbed};
  argv.insert(argv.end(), parts.begin(), parts.end());
  Traced traced = trace(argv, functions, reported, [](TraceRequest& request) { request.follow = true; });
  auto counts = output.counts();
  CHECK(traced.outcome.status == 0);
  CHECK(reported.lost == 0);
  CHECK(functions.complaints().empty());
  CHECK(reported.entries("plain") == counts["plain"]);
  CHECK(reported.returns("plain") == counts["plain"]);
  CHECK(reported.entries("recurse") == counts["recurse"]);
  CHECK(reported.returns("recurse") == counts["recurse"]);
}

TEST_SUITE_BEGIN("uprobes");

TEST_CASE("functions: arguments in registers and on the stack, and the result") {
  NamedFunctions functions({{"a.out", &kPlain}});
  Reported reported(functions, numbers);
  Output output;
  Traced traced = trace({kProbed, "arguments"}, functions, reported);
  output.end();
  CHECK(traced.outcome.status == 0);
  CHECK(reported.count("> plain(1,2,3,4,5,6,7)") == 1);
  CHECK(reported.count("< plain = 140") == 1);
  CHECK(reported.lines.back() == "exit 0");
  CHECK(reported.count("exec") == 0);
  CHECK(traced.stats.late == 0);
}

TEST_CASE("functions: threads, recursion 101 deep, forks: each call once") {
  for (bool may_replace_return : {false, true}) check_pairs({"threads", "recursion"}, may_replace_return);
}

TEST_CASE("functions: tail calls, longjmp and vfork leave nothing behind") {
  NamedFunctions functions({{"a.out", &kTail}, {"a.out", &kBehind}, {"a.out", &kJumps}, {"a.out", &kPlain}});
  Reported reported(functions, numbers);
  Output output;
  Traced traced = trace({kProbed, "tails", "longjmp", "vforks"}, functions, reported);
  CHECK(output.counts()["plain"] == reported.entries("plain"));
  CHECK(traced.outcome.status == 0);
  CHECK(reported.entries("tail") == 30);
  CHECK(reported.entries("behind") == 30);
  CHECK(reported.returns("tail") +
            static_cast<uint64_t>(std::ranges::count_if(
                reported.lines, [](const std::string& line) { return line.starts_with("~ tail"); })) ==
        30);
  CHECK(reported.returns("behind") == 30);
  CHECK(reported.entries("jumps") == 20);
  CHECK(reported.lost == 0);
}

TEST_CASE("functions: children are followed on request, with the thread that made them") {
  for (bool follow : {false, true}) {
    CAPTURE(follow);
    NamedFunctions again({{"a.out", &kPlain}});
    Reported reported(again, nullptr);
    Output output;
    trace({kProbed, "forks"}, again, reported, [&](TraceRequest& request) { request.follow = follow; });
    output.end();
    CHECK(reported.entries("plain") == (follow ? 10 : 5));
    CHECK(reported.returns("plain") == (follow ? 10 : 5));
    CHECK(reported.threads.size() == (follow ? 6 : 1));
    CHECK(reported.parents.size() == (follow ? 5 : 0));
    for (auto [child, parent] : reported.parents) CHECK(reported.threads.contains(parent));
  }
}

// -- memory of arguments ----------------------------------------------------------------------------------------

constexpr ArgType kGreet[] = {string("whom"), size("count")};
constexpr FunctionDesc kGreetDesc{"greet", kSize, kGreet};
constexpr ArgType kFill[] = {
    bytes_out("to", by_result()), slong("count"), slong("a"), slong("b"), slong("c"), slong("d"), slong("on_stack"),
    out("second", kString)};
constexpr FunctionDesc kFillDesc{"fill", kLong, kFill};
constexpr ArgType kFails[] = {integer("number")};
constexpr FunctionDesc kFailsDesc{"fails_with", kInt, kFails, Varargs::No, Failure::Negative};
constexpr ArgType kNested[] = {out("to", kString), slong("depth")};
constexpr FunctionDesc kNestedDesc{"nested", kLong, kNested};
constexpr FunctionDesc kLeavesDesc{"leaves", kVoid, kNested};

/// For an entry the string at its first argument.
std::string first_text(const FunctionHit& hit) {
  return hit.kind == FunctionSite::Kind::Entry ? "(" + text_at(hit, hit.entry.integers[0]) + ")" : "";
}

TEST_CASE("functions: strings are copied when the function is entered") {
  NamedFunctions functions({{"a.out", &kGreetDesc}});
  Reported reported(functions, first_text);
  Traced traced = trace({kHits, "strings"}, functions, reported);
  CHECK(reported.count("> greet(world)") == 1);
  CHECK(reported.count("> greet(a longer string than is shown)") == 1);
  CHECK(traced.stats.late == 0);
}

/// Arguments of the last entry: the values that libcalls/ would keep.
uint64_t entered_first = 0, entered_second = 0;
std::string filled(const FunctionHit& hit) {
  if (hit.kind == FunctionSite::Kind::Entry) {
    entered_first = hit.entry.integers[0];
    hit.scene.memory.read(Addr{hit.frame + 16}, std::as_writable_bytes(std::span(&entered_second, 1)));
    return "";
  }
  char text[8] = {};
  hit.scene.memory.read(Addr{entered_first}, std::as_writable_bytes(std::span(text, hit.returned.rax & 7)));
  return std::string(" ") + text + " " + text_at(hit, entered_second);
}

TEST_CASE("functions: what a function fills in is copied when it returns, by the arguments that it was entered with") {
  for (bool may_replace_return : {false, true}) {
    NamedFunctions functions({{"a.out", &kFillDesc, may_replace_return}});
    Reported reported(functions, filled);
    Traced traced = trace({kHits, "results"}, functions, reported);
    CHECK(reported.count("< fill abcde second") == 1);
    CHECK(traced.stats.late == 0);
  }
}

std::string nested_depth(const FunctionHit& hit) {
  static std::map<uint64_t, uint64_t> buffers;  // by frame
  if (hit.kind == FunctionSite::Kind::Entry) {
    buffers[hit.frame] = hit.entry.integers[0];
    return "";
  }
  return " " + text_at(hit, buffers[hit.frame]);
}

TEST_CASE("functions: each of 101 nested calls has its own arguments at its return") {
  NamedFunctions functions({{"a.out", &kNestedDesc}, {"a.out", &kLeavesDesc}});
  Reported reported(functions, nested_depth);
  Traced traced = trace({kHits, "left", "nested"}, functions, reported);
  CHECK(traced.outcome.status == 0);
  CHECK(reported.entries("leaves") == 200);
  CHECK(reported.returns("nested") == 104);
  for (int depth = 0; depth <= 100; depth++)
    CHECK(reported.count("< nested depth " + std::to_string(depth)) == (depth <= 2 ? 2 : 1));
  CHECK(traced.stats.late == 0);
}

std::string error_of(const FunctionHit& hit) {
  return hit.kind == FunctionSite::Kind::Return ? " " + std::to_string(hit.error_number) : "";
}

/// The inputs of a printf: the first two words in registers, and those on the stack.
std::string formatted(const FunctionHit& hit) {
  if (hit.kind != FunctionSite::Kind::Entry) return "";
  uint64_t words[3] = {};
  hit.scene.memory.read(Addr{hit.frame + 8}, std::as_writable_bytes(std::span(words)));
  return "(" + text_at(hit, hit.entry.integers[1]) + ", " + text_at(hit, hit.entry.integers[2]) + ", " +
         text_at(hit, hit.entry.integers[5]) + ", " + text_at(hit, words[0]) + ", " + std::to_string(words[1]) + ", " +
         text_at(hit, words[2]) + ")";
}

TEST_CASE("functions: what a format's conversions point to is copied, in registers and on the stack") {
  static constexpr ArgType kShown[] = {address("to"), string("format")};
  static constexpr FunctionDesc kShownDesc{"shown", kLong, kShown, Varargs::Printf};
  NamedFunctions functions({{"a.out", &kShownDesc}});
  Reported reported(functions, formatted);
  Traced traced = trace({kHits, "formats"}, functions, reported);
  CHECK(traced.outcome.status == 0);
  CHECK(reported.lines.front() == "> shown(%s %d %s %s %s %d %s, one, four, five, 6, seven)");
  CHECK(traced.stats.late == 0);
}

/// The program's own output about the place of its errno.
int64_t own_errno_place() {
  std::FILE* program = ::popen((kHits + " where").c_str(), "r");
  long place = 0;
  REQUIRE(std::fscanf(program, "errno %ld", &place) == 1);
  ::pclose(program);
  return place;
}

TEST_CASE("functions: errno at a return") {
  for (bool may_replace_return : {false, true}) {
    NamedFunctions functions({{"a.out", &kFailsDesc, may_replace_return}});
    functions.set_errno_place(own_errno_place());
    Reported reported(functions, error_of);
    trace({kHits, "errors"}, functions, reported, [](TraceRequest& request) { request.function_errors = true; });
    CHECK(reported.count("< fails_with 2") == 1);
    CHECK(reported.count("< fails_with 1") == 1);
  }
}

TEST_CASE("functions: a new program is reported, and its calls") {
  NamedFunctions functions({{"a.out", &kGreetDesc}});
  Reported reported(functions, first_text);
  trace({kHits, "strings", "exec=" + kHits}, functions, reported);
  CHECK(reported.count("exec") == 1);
  CHECK(reported.entries("greet") == 4);
  CHECK(reported.returns("greet") == 4);
}

TEST_CASE("functions: signals, system calls and functions are one timeline") {
  static constexpr ArgType kHandler[] = {integer("number")};
  static constexpr FunctionDesc kHandlerDesc{"handler", kVoid, kHandler};
  NamedFunctions functions({{"a.out", &kHandlerDesc}});
  Reported reported(functions, nullptr);
  trace({kHits, "signals"}, functions, reported, [](TraceRequest& request) { request.calls = SyscallSet::all(); });
  size_t handled = 0;
  for (size_t i = 0; i + 2 < reported.lines.size(); i++) {
    if (reported.lines[i] != "signal 10") continue;
    CHECK(reported.lines[i + 1] == "> handler");
    CHECK(reported.lines[i + 2] == "< handler");
    CHECK(reported.lines[i + 3] == "call rt_sigreturn");
    handled++;
  }
  CHECK(handled == 10);
}

TEST_CASE("functions: only calls from wanted files leave records") {
  static constexpr ArgType kMallocArgs[] = {size("size")};
  static constexpr FunctionDesc kMalloc{"malloc", kAddress, kMallocArgs};
  struct stat program{};
  REQUIRE(::stat(kHits.c_str(), &program) == 0);
  for (bool may_replace_return : {false, true}) {
    NamedFunctions functions({{"libc.so.6", &kMalloc, may_replace_return, true, {{program.st_dev, program.st_ino}}}});
    Reported reported(functions, nullptr);
    trace({kHits, "malloc=50"}, functions, reported);
    CHECK(reported.entries("malloc") == 50);
    CHECK(reported.returns("malloc") == 50);
  }
}

TEST_CASE("functions: nothing is lost where calls come fast") {
  static constexpr ArgType kFreeArgs[] = {address("block")};
  static constexpr FunctionDesc kFree{"free", kVoid, kFreeArgs};
  NamedFunctions functions({{"libc.so.6", &kFree}});
  Reported reported(functions, nullptr);
  Traced traced = trace({kHits, "malloc=200000"}, functions, reported);
  CHECK(reported.entries("free") >= 200000);
  CHECK(reported.lost == 0);
  CHECK(traced.stats.lost == 0);
}

// -- running processes ---------------------------------------------------------------------------------------

/// A target that makes calls until it is asked to end.
class Running {
 public:
  Running() {
    int in[2], out[2];
    REQUIRE((::pipe2(in, O_CLOEXEC) == 0 && ::pipe2(out, O_CLOEXEC) == 0));
    pid = ::fork();
    if (pid == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::execl(kHits.c_str(), kHits.c_str(), "until-told", nullptr);
      ::_exit(1);
    }
    ::close(in[0]);
    ::close(out[1]);
    input = in[1];
    output = ::fdopen(out[0], "r");
    char ready[8];
    REQUIRE(std::fscanf(output, "%7s", ready) == 1);
  }
  /// The exit status, and the number of its calls.
  std::pair<int, uint64_t> end() {
    ::close(input);
    unsigned long calls = 0;
    int status = -1, got = std::fscanf(output, " nested %lu", &calls);
    std::fclose(output);
    ::waitpid(pid, &status, 0);
    CHECK(got == 1);
    return {status, calls};
  }
  pid_t pid = -1;
  int input = -1;
  std::FILE* output = nullptr;
};

TraceRequest attaching(const Running& target, FunctionPoints& functions) {
  TraceRequest request;
  request.attach = {Pid{target.pid}};
  request.follow = true;
  request.calls = {};
  request.functions = &functions;
  return request;
}

/// Ends the trace by a signal after this many events. Until entries and returns of each thread were seen it is being
/// armed, and from the signal on disarmed; in between they are counted.
class Enough final : public Sink {
 public:
  Enough(Reported& reported, size_t threads, uint64_t entries)
      : reported_(reported), threads_(threads), most_(entries) {}
  Result<void> take(const Event& event) override {
    auto* one = std::get_if<FunctionHitEvent>(&event.what);
    if (one && !asked_) count(raw(event.thread.tid), one->hit->kind);
    if (!asked_ && entries >= most_) asked_ = ::kill(::getpid(), SIGINT) == 0;
    return reported_.take(event);
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }

  uint64_t entries = 0, returns = 0;

 private:
  void count(int32_t tid, FunctionSite::Kind kind) {
    bool is_entry = kind == FunctionSite::Kind::Entry;
    if (seen_.size() == 2 * threads_) (is_entry ? entries : returns)++;
    else seen_.emplace(tid, is_entry);
  }

  Reported& reported_;
  size_t threads_;
  uint64_t most_;
  std::set<std::pair<int32_t, bool>> seen_;
  bool asked_ = false;
};

TEST_CASE("functions: a running process with threads, attached to in the middle of its calls") {
  for (bool may_replace_return : {false, true}) {
    Running target;
    NamedFunctions functions({{"a.out", &kNestedDesc, may_replace_return}});
    Reported reported(functions, nullptr);
    Enough enough(reported, 4, 3000);
    auto backend =
        make_kassist_backend({.make_brake = make_ptrace_brake, .make_launch_watch = make_launch_watch}, nullptr);
    struct Silent final : Listener {
      void say(std::string_view) override {}
    } silent;
    auto outcome = backend->run(attaching(target, functions), enough, silent);
    REQUIRE_MESSAGE(outcome, describe(outcome.error()));
    CHECK(outcome->interrupted_by == SIGINT);
    auto [status, calls] = target.end();
    CHECK(status == 0);
    CHECK(reported.threads.size() == 4);
    CHECK(reported.lost == 0);
    CHECK(reported.entries("nested") <= calls);
    // Each thread may be in a nest of six at the beginning and at the end.
    CHECK(enough.entries >= 3000);
    CHECK(enough.returns + 4 * 6 >= enough.entries);
    CHECK(enough.returns <= enough.entries + 4 * 6);
  }
}

TEST_CASE("functions: a tracer that is killed leaves nothing behind") {
  for (int round = 0; round < 10; round++) {
    Running target;
    pid_t tracer = ::fork();
    if (tracer == 0) {
      NamedFunctions functions({{"a.out", &kNestedDesc, round % 2 == 1}, {"libc.so.6", &kPlain}});
      Reported reported(functions, nullptr);
      static_cast<void>(trace(attaching(target, functions), reported));
      ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(round * 37'000));  // any moment is as good as another
    ::kill(tracer, SIGKILL);
    int tracer_status;
    ::waitpid(tracer, &tracer_status, 0);
    CHECK(WIFSIGNALED(tracer_status));
    auto [status, calls] = target.end();
    CHECK(status == 0);
    CHECK(calls > 0);
  }
}

TEST_CASE("functions: a library that is opened later is armed before it is called") {
  NamedFunctions functions({{"probed.so", &kBehind}});
  Reported reported(functions, nullptr);
  Output output;
  Traced traced = trace({kProbed, "late=" + kProbed + ".so"}, functions, reported);
  output.end();
  CHECK(traced.outcome.status == 0);
  CHECK(reported.entries("behind") == 11);
  CHECK(reported.returns("behind") == 11);
}

TEST_CASE("functions: a new program's libraries are armed before it calls them") {
  static constexpr ArgType kMallocArgs[] = {size("size")};
  static constexpr FunctionDesc kMalloc{"malloc", kAddress, kMallocArgs};
  struct stat program{};
  REQUIRE(::stat(kHits.c_str(), &program) == 0);
  NamedFunctions functions(
      {{"a.out", &kGreetDesc}, {"libc.so.6", &kMalloc, false, true, {{program.st_dev, program.st_ino}}}});
  Reported reported(functions, first_text);
  trace({"/bin/sh", "-c", kHits + " malloc=20 strings; true"}, functions, reported,
        [](TraceRequest& request) { request.follow = true; });
  CHECK(reported.entries("greet") == 2);
  CHECK(reported.entries("malloc") == 20);
  CHECK(reported.returns("malloc") == 20);
}

}  // namespace
}  // namespace strut::test

TEST_SUITE_END();

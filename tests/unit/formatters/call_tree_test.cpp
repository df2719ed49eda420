// Calls of functions as a tree.
#include "formatters/common/call_tree.hpp"

#include <doctest/doctest.h>

#include "libcalls/prototypes/library_types.hpp"
#include "ltrace_scene.hpp"
#include "syscalls/types/signal/signal.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr ArgType kOuterArgs[] = {arg("a", kInt), out("b", kInt)};
constexpr FunctionDesc kOuter{"outer", kInt, kOuterArgs};
constexpr FunctionDesc kInner{"inner", kInt, {}};
constexpr FunctionDesc kNothing{"nothing", kVoid, {}};

struct TreeScene : LtraceScene {
  explicit TreeScene(LtraceStyle style = {}) : LtraceScene(style, make_call_tree) {}
  void pass(uint64_t ns) { now_ns += ns; }
};

TEST_CASE("call tree: a call that made no other is one line, with its time") {
  TreeScene scene;
  auto& call = scene.enter(kInner, {});
  scene.pass(12'345);
  scene.leave(call, 5);
  CHECK(scene.text() == "      12.345 us inner() = 5\n");
}

TEST_CASE("call tree: braces stand around what a call made, at any depth") {
  TreeScene scene;
  auto& outer = scene.enter(kOuter, {7, 0x2000});
  auto& middle = scene.enter(kOuter, {8, 0x2000}, 1, 1);
  auto& inner = scene.enter(kInner, {}, 1, 2);
  scene.pass(1000);
  scene.leave(inner, 1);
  scene.leave(middle, 2);
  auto& second = scene.enter(kNothing, {}, 1, 1);
  scene.pass(500);
  scene.leave(second, 0);
  scene.leave(outer, 3);
  CHECK(scene.text() ==
        "                outer(7) {\n"
        "                  outer(8) {\n"
        "       1.000 us     inner() = 1\n"
        "       1.000 us   } outer(9) = 2\n"
        "       0.500 us   nothing()\n"
        "       1.500 us } outer(9) = 3\n");
}

TEST_CASE("call tree: the indentation is the style's") {
  TreeScene scene({.indent = 4});
  auto& outer = scene.enter(kOuter, {7, 0x2000});
  scene.leave(scene.enter(kInner, {}, 1, 1), 1);
  scene.leave(outer, 3);
  CHECK(scene.text().find("\n       0.000 us     inner() = 1\n") != std::string::npos);
}

TEST_CASE("call tree: threads have trees of their own") {
  TreeScene scene;
  auto& first = scene.enter(kOuter, {1, 0x2000}, 1);
  auto& other = scene.enter(kOuter, {2, 0x2000}, 2);
  scene.leave(first, 1, 1);
  scene.leave(other, 2, 2);
  CHECK(scene.text() == "       0.000 us outer(1, 9) = 1\n       0.000 us outer(2, 9) = 2\n");
}

TEST_CASE("call tree: a call that is left has no result, and what it was in ends as ever") {
  TreeScene scene;
  auto& outer = scene.enter(kOuter, {1, 0x2000});
  auto& inner = scene.enter(kInner, {}, 1, 1);
  scene.abandon(inner);
  scene.leave(outer, 4);
  CHECK(scene.text() == "                outer(1) {\n       0.000 us   inner() = ?\n       0.000 us } outer(9) = 4\n");
}

TEST_CASE("call tree: a call that had begun before has no time, and no brace to close") {
  TreeScene scene;
  auto& call = scene.calls.emplace_back();
  call.call.desc = &kInner;
  call.call.symbol = "inner";
  call.call.active_before = true;
  begin_unseen(call.call, call.decoded);
  scene.leave(call, 6);
  CHECK(scene.text() == "                <... inner(...) = 6\n");
}

TEST_CASE("call tree: what ends a thread closes the calls that it was in") {
  TreeScene scene;
  scene.enter(kOuter, {1, 0x2000});
  scene.report(ExitedEvent{3});
  CHECK(scene.text() == "                outer(1) = ?\n                +++ exited (status 3) +++\n");
  scene.enter(kInner, {});
  scene.report(KilledEvent{.signal = 9});
  CHECK(scene.text() == "                inner() = ?\n                +++ killed by SIGKILL +++\n");
}

TEST_CASE("call tree: what is pending at the end is written") {
  TreeScene scene;
  scene.enter(kOuter, {1, 0x2000});
  REQUIRE(scene.sink->finish());
  CHECK(scene.log->take() == "                outer(1) {\n");
}

}  // namespace
}  // namespace strut::test

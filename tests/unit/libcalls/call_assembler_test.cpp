// Entries and returns of calls, made of hits at functions of the test's own process.
#include "libcalls/pairing/call_assembler.hpp"

#include <doctest/doctest.h>

#include <string>

#include <unistd.h>

#include "libcalls/arming/filtered_choice.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

/// "qsort(0" an entry with its depth, "qsort=7" a return, "qsort?" a call that was left, "qsort~7" one that had begun
/// before.
struct Reported final : Sink {
  std::string text;

  Result<void> take(const Event& event) override {
    if (const auto* entry = std::get_if<FunctionEntryEvent>(&event.what))
      text += std::string(entry->call->symbol) + "(" + std::to_string(entry->call->depth) + " ";
    if (const auto* end = std::get_if<FunctionReturnEvent>(&event.what)) {
      const FunctionCall& call = *end->call;
      text += std::string(call.symbol) + (call.abandoned ? "?" : call.active_before ? "~" : "=");
      text += (call.abandoned ? "" : std::to_string(call.returned_bits)) + " ";
    }
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }
};

struct Story {
  FilteredChoice choice;
  PrototypeSearch prototypes;
  CallPoints points;
  std::vector<FunctionCode> codes;
  Reported reported;
  CallAssembler assembler;
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;
  int tid = 1;
  int pid = 0;  ///< 0: the thread is a process

  static constexpr const char* kAll = "qsort@libc.so.6+getpid@libc.so.6+strcoll@libc.so.6+strcmp@libc.so.6";

  explicit Story(CallLimits limits = {}, const char* symbols = kAll)
      : choice({.symbols = {{symbols, *SymbolFilter::parse(symbols)}}}),
        points(choice, prototypes, {}),
        codes(points.code_changed(Pid{getpid()})),
        assembler(points, limits, reported) {}

  uint32_t index(std::string_view symbol) const {
    for (const FunctionCode& code : codes)
      for (const FunctionSite& site : code.sites)
        if (site.kind == FunctionSite::Kind::Entry && points.function(site.function).symbol == symbol)
          return site.function;
    FAIL("nothing is armed for " << std::string(symbol));
    return 0;
  }
  Story& report(auto what) {
    Event event;
    event.thread = {Pid{pid != 0 ? pid : tid}, Tid{tid}, tid, {}};
    event.at = {1, 1};
    event.what = what;
    REQUIRE(assembler.take(event));
    return *this;
  }
  Story& hit(FunctionSite::Kind kind, std::string_view symbol, uint64_t frame, uint64_t rax, uint64_t back) {
    FunctionHit made{.kind = kind,
                     .function = index(symbol),
                     .frame = frame,
                     .return_address = back,
                     .scene = {memory, around, options}};
    made.returned.rax = rax;
    return report(FunctionHitEvent{&made});
  }
  /// For a goroutine with a stack that ends at `top` now.
  Story& run(FunctionSite::Kind kind, std::string_view symbol, uint64_t goroutine, uint64_t frame, uint64_t top) {
    FunctionHit made{.kind = kind,
                     .function = index(symbol),
                     .frame = frame,
                     .return_address = 0x10,
                     .scene = {memory, around, options}};
    made.runs(goroutine, top - 1000, top);
    return report(FunctionHitEvent{&made});
  }
  /// The return addresses of calls: `back` is in no code.
  Story& enter(std::string_view symbol, uint64_t frame, uint64_t back = 0x10) {
    return hit(FunctionSite::Kind::Entry, symbol, frame, 0, back);
  }
  Story& leave(std::string_view symbol, uint64_t frame, uint64_t rax = 0) {
    return hit(FunctionSite::Kind::Return, symbol, frame, rax, 0x10);
  }
  Story& as(int thread) {
    tid = thread;
    return *this;
  }
  std::string text() { return std::exchange(reported.text, {}); }
};

TEST_CASE("call assembler: goroutines go from thread to thread, and their stacks from place to place") {
  constexpr auto kEntry = FunctionSite::Kind::Entry, kReturn = FunctionSite::Kind::Return;
  Story story;
  story.pid = 1;
  story.run(kEntry, "qsort", 0xa0, 1900, 2000);
  story.run(kEntry, "getpid", 0xb0, 3900, 4000);
  // The first one comes to another thread, with its stack elsewhere.
  story.as(2)
      .run(kEntry, "strcmp", 0xa0, 7800, 8000)
      .run(kReturn, "strcmp", 0xa0, 7800, 8000)
      .run(kReturn, "qsort", 0xa0, 7900, 8000);
  CHECK(story.text() == "qsort(0 getpid(0 strcmp(1 strcmp=0 qsort=0 ");
  story.run(kReturn, "getpid", 0xb0, 900, 1000);
  CHECK(story.text() == "getpid=0 ");
  // A frame outside the stack of the presumed goroutine in %r14 is the thread's.
  story.run(kEntry, "getpid", 0xa0, 500, 2000).run(kReturn, "getpid", 0xa0, 500, 9000);
  CHECK(story.text() == "getpid(0 getpid=0 ");
}

TEST_CASE("call assembler: nested calls return with their own results") {
  Story story;
  story.enter("qsort", 1000)
      .enter("getpid", 900)
      .leave("getpid", 900, 5)
      .enter("getpid", 900)
      .leave("getpid", 900, 6)
      .leave("qsort", 1000, 7);
  CHECK(story.text() == "qsort(0 getpid(1 getpid=5 getpid(1 getpid=6 qsort=7 ");
}

TEST_CASE("call assembler: threads are in calls of their own") {
  Story story;
  story.enter("qsort", 1000).as(2).enter("getpid", 900).leave("getpid", 900, 5).as(1).leave("qsort", 1000, 7);
  CHECK(story.text() == "qsort(0 getpid(0 getpid=5 qsort=7 ");
}

TEST_CASE("call assembler: calls that a jump leaves are reported as left, the innermost first") {
  Story story;
  story.enter("qsort", 1000).enter("strcmp", 900).enter("getpid", 1100);
  CHECK(story.text() == "qsort(0 strcmp(1 strcmp? qsort? getpid(0 ");
}

TEST_CASE("call assembler: a function that was jumped to returns for both") {
  Story story;
  // As they are called, and as the kernel shows a return address that it has replaced.
  for (uint64_t back : {0x10, 0x20}) {
    story.enter("strcoll", 1000).enter("strcmp", 1000, back).leave("strcmp", 1000, 4).leave("strcoll", 1000, 4);
    CHECK(story.text() == "strcoll(0 strcmp(1 strcmp=4 strcoll=4 ");
  }
}

TEST_CASE("call assembler: the instruction behind a call ends it, and only it") {
  Story story;
  auto behind = [&](uint64_t frame, uint64_t rax, uint64_t at) {
    story.hit(FunctionSite::Kind::Behind, "strcoll", frame, rax, at);
  };
  story.enter("strcoll", 1000, 0x20);
  behind(992, 3, 0x20);
  behind(1000, 3, 0x30);
  CHECK(story.text() == "strcoll(0 ");
  behind(1000, 4, 0x20);
  behind(1000, 5, 0x20);
  CHECK(story.text() == "strcoll=4 ");
  story.as(7).report(AttachedEvent{.by_request = true});
  behind(1000, 6, 0x20);
  CHECK(story.text().empty());
}

TEST_CASE("call assembler: limits of depth and number count calls, and returns follow them") {
  Story shallow({.depth = 1});
  shallow.enter("qsort", 1000).enter("getpid", 900).leave("getpid", 900, 5).leave("qsort", 1000, 7);
  CHECK(shallow.text() == "qsort(0 qsort=7 ");
  Story few({.first = 2});
  for (uint64_t i = 0; i < 4; i++) few.enter("getpid", 1000).leave("getpid", 1000, i);
  few.enter("qsort", 1000).leave("qsort", 1000, 9);
  CHECK(few.text() == "getpid(0 getpid=0 getpid(0 getpid=1 qsort(0 qsort=9 ");
}

TEST_CASE("call assembler: a return without an entry is reported for processes that were running") {
  Story story;
  story.leave("getpid", 1000, 5);
  CHECK(story.text().empty());
  story.as(7)
      .report(AttachedEvent{.by_request = true})
      .leave("getpid", 1000, 5)
      .enter("getpid", 900)
      .leave("getpid", 900, 6);
  CHECK(story.text() == "getpid~5 getpid(0 getpid=6 ");
}

TEST_CASE("call assembler: calls that a thread is in end with it, without a return") {
  Story story;
  story.enter("qsort", 1000).enter("getpid", 900).report(ExitedEvent{0}).enter("getpid", 800).leave("getpid", 800, 3);
  CHECK(story.text() == "qsort(0 getpid(1 getpid(0 getpid=3 ");
}

TEST_CASE("call assembler: a child returns from its parent's calls, as its parent does") {
  Story story;
  story.enter("qsort", 1000)
      .as(2)
      .report(AttachedEvent{.by_request = false, .parent = Tid{1}})
      .leave("qsort", 1000, 8)
      .as(1)
      .leave("qsort", 1000, 7);
  CHECK(story.text() == "qsort(0 qsort=8 qsort=7 ");
}

}  // namespace
}  // namespace strut::test

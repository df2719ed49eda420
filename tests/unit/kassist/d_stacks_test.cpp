// Stacks in records of D programs, with an unwinder that reads words off the stack.
#include <cstring>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "dlang/machine/record.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "tests/unit/silent_d_observer.hpp"

using namespace strut;

namespace {

test::SilentDObserver nobody;

/// Frames are %rip and then the stack's words; it records the reported code.
class WordUnwinder final : public Unwinder {
 public:
  explicit WordUnwinder(std::string& log) : log_(log) {}
  const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) override {
    log_ += "unwind " + std::to_string(raw(pid)) + ";";
    frames_.assign(1, StackFrame{Addr{registers[16]}, {}, {}});
    uint64_t word;
    for (uint64_t at = registers[7];
         frames_.size() < limit &&
         memory.read(Addr{at}, std::as_writable_bytes(std::span(&word, 1))).bytes == sizeof word;
         at += 8)
      frames_.push_back({.pc = Addr{word}, .module = {}, .symbol = {}, .is_return = true});
    stack_.frames = frames_;
    return stack_;
  }
  void modules_changed(Pid pid) override { note("changed", pid); }
  void gone(Pid pid) override { note("gone", pid); }
  void reported_from_now_on(Pid pid) override { note("told", pid); }
  void nothing_mapped(Pid pid) override { note("nothing", pid); }
  void vdso_mapped(Pid pid, Addr) override { note("vdso", pid); }
  void mapped(Pid pid, const Mapping&) override { note("mapped", pid); }
  void forked(Pid, Pid child) override { note("forked", child); }

 private:
  void note(const char* what, Pid pid) { log_ += std::string(what) + " " + std::to_string(raw(pid)) + ";"; }
  std::string& log_;
  std::vector<StackFrame> frames_;
  Stack stack_;
};

struct Written {
  std::vector<std::byte> bytes;
  void put(const void* from, size_t count) {
    auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
  void word(uint64_t value) { put(&value, sizeof value); }
};

Written record(d_record_kind kind, std::span<const std::byte> items, std::span<const uint64_t> stack) {
  d_record header{};
  header.kind = kind;
  header.pid = 7;
  header.time_ns = 100;
  header.item_bytes = static_cast<uint32_t>(items.size());
  header.stack_bytes = static_cast<uint32_t>(sizeof(d_stack) + stack.size_bytes());
  d_stack copied{};
  copied.regs[7] = copied.at = 0x7000;
  copied.regs[16] = 0x111;
  copied.bytes = static_cast<uint32_t>(stack.size_bytes());
  Written all;
  all.put(&header, sizeof header);
  all.put(items.data(), items.size());
  all.put(&copied, sizeof copied);
  all.put(stack.data(), stack.size_bytes());
  return all;
}

DProgram program() {
  DProgram program;
  DAction action;
  action.kind = DAction::Kind::Stack;
  action.items = {{DShape::Kind::Integer}, {DShape::Kind::UserStack}, {DShape::Kind::Text}, {DShape::Kind::UserStack}};
  program.actions = {action};
  DAggregation aggregation;
  aggregation.keys = {{DShape::Kind::UserStack}, {DShape::Kind::UserAddress}};
  program.aggregations = {aggregation};
  return program;
}

ProcessChange change(ProcessChange::Kind kind, uint64_t at_ns, int32_t pid, int32_t parent = 0) {
  ProcessChange made;
  made.kind = kind;
  made.at_ns = at_ns;
  made.pid = Pid{pid};
  made.tid = Tid{pid};
  made.parent = Pid{parent};
  return made;
}

}  // namespace

TEST_CASE("stacks of D: an action's items get their addresses") {
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  Written items;
  uint32_t head[] = {0, 8 + 16 + 16 + 16};
  items.put(head, sizeof head);
  items.word(42);
  items.word(7), items.word(D_STACK_WANTED | 3);
  uint32_t length[] = {3, 0};
  items.put(length, sizeof length), items.put("abc\0\0\0\0", 8);
  items.word(7), items.word(D_STACK_WANTED | 2);
  const uint64_t words[] = {0x222, 0x333, 0x444};
  Written whole = record(D_FIRED, items.bytes, words);
  auto view = d_record_in(whole.bytes);
  REQUIRE(view);
  auto complete = stacks.complete(*view, nobody);
  REQUIRE(complete);
  DRecordWriter expected;
  expected.begin(0);
  expected.integer(42);
  const uint64_t frames[] = {0x111, 0x222, 0x333};
  expected.stack(7, frames);
  expected.text("abc");
  expected.stack(7, std::span(frames).first(2));
  CHECK(std::ranges::equal(*complete, expected.bytes()));
  CHECK(log == "unwind 7;");
}

TEST_CASE("stacks of D: keys of an aggregation") {
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  Written items;
  items.word(7), items.word(D_STACK_WANTED | 5);
  items.word(7), items.word(0x1234);
  const uint64_t words[] = {0x222};
  Written whole = record(D_TAKEN, items.bytes, words);
  auto complete = stacks.complete(*d_record_in(whole.bytes), nobody);
  REQUIRE(complete);
  const uint64_t expected[] = {7, 2, 0x111, 0x222, 7, 0x1234};
  CHECK(std::ranges::equal(*complete, std::as_bytes(std::span(expected))));
}

TEST_CASE("stacks of D: a probe behind its place") {
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  stacks.sits_behind(0, 4);
  Written items;
  items.word(7), items.word(D_STACK_WANTED | 1), items.word(7), items.word(0);
  const uint64_t words[] = {0x222};
  Written whole = record(D_TAKEN, items.bytes, words);
  auto complete = stacks.complete(*d_record_in(whole.bytes), nobody);
  REQUIRE(complete);
  const uint64_t expected[] = {7, 1, 0x10d, 7, 0};
  CHECK(std::ranges::equal(*complete, std::as_bytes(std::span(expected))));
}

TEST_CASE("stacks of D: what makes no sense is no record") {
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  const uint64_t words[] = {0x222};
  Written items;
  uint32_t head[] = {0, 8 + 16 + 16 + 16};
  items.put(head, sizeof head);
  items.word(42);
  items.word(7), items.word(D_STACK_WANTED | 3);
  uint32_t length[] = {0xffffffff, 0};
  items.put(length, sizeof length), items.word(0);
  items.word(7), items.word(D_STACK_WANTED | 2);
  Written whole = record(D_FIRED, items.bytes, words);
  CHECK_FALSE(stacks.complete(*d_record_in(whole.bytes), nobody));
  for (size_t size = 0; size < whole.bytes.size(); size++) CHECK_FALSE(d_record_in(std::span(whole.bytes).first(size)));
}

TEST_CASE("stacks of D: changes of processes take effect in their time") {
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  using Kind = ProcessChange::Kind;
  stacks.attach(Pid{7});
  stacks.take(change(Kind::Mapped, 90, 7));
  stacks.take(change(Kind::Mapped, 91, 9));  // it was not reported
  stacks.take(change(Kind::Forked, 92, 8, 7));
  stacks.take(change(Kind::Executed, 101, 7));
  const uint64_t words[] = {0x222};
  Written items;
  items.word(7), items.word(D_STACK_WANTED | 1), items.word(7), items.word(0);
  Written whole = record(D_TAKEN, items.bytes, words);
  REQUIRE(stacks.complete(*d_record_in(whole.bytes), nobody));
  CHECK(log == "told 7;mapped 7;changed 9;forked 8;unwind 7;");
  stacks.take(change(Kind::Exited, 110, 8));
  stacks.catch_up(200, nobody);
  CHECK(log.ends_with("unwind 7;nothing 7;gone 8;"));
}

TEST_CASE("stacks of D: an observer sees changes before the record that they precede") {
  struct Listener final : test::SilentDObserver {
    void executed(Pid pid, uint64_t at_ns) override {
      log += "executed " + std::to_string(raw(pid)) + " at " + std::to_string(at_ns) + ";";
    }
    void mapped(Pid pid, const Mapping&) override { log += "mapped " + std::to_string(raw(pid)) + ";"; }
    void missed_changes() override { log += "missed;"; }
    std::string log;
  } listener;
  DProgram d = program();
  std::string log;
  DStacks stacks(d, std::make_unique<WordUnwinder>(log));
  stacks.report_changes();
  using Kind = ProcessChange::Kind;
  stacks.take(change(Kind::Executed, 90, 7));
  stacks.take(change(Kind::Mapped, 91, 7));
  stacks.take(change(Kind::Executed, 101, 7));
  stacks.take(change(Kind::Lost, 102, 0));
  Written items;
  items.word(7), items.word(D_STACK_WANTED | 1), items.word(7), items.word(0);
  const uint64_t words[] = {0x222};
  Written whole = record(D_TAKEN, items.bytes, words);
  REQUIRE(stacks.complete(*d_record_in(whole.bytes), listener));
  CHECK(listener.log == "executed 7 at 90;mapped 7;");
  stacks.catch_up(200, listener);
  CHECK(listener.log.ends_with("mapped 7;executed 7 at 101;missed;"));
}

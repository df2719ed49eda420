// Entries and returns of threads: which belong together, and calls that never return.
#include "libcalls/pairing/pairing.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <string>

namespace strut::test {
namespace {

/// Functions by letter, frames by number; the history of ended calls as text: `b!` abandoned, `b.` returned.
struct PairingStory {
  Pairing pairing;
  EndedCalls ended;
  std::string text;

  explicit PairingStory(Stacks* stacks = nullptr) : pairing(stacks) {}

  PairingStory& enter(char function, uint64_t frame, uint64_t returns_to = 1, int tid = 1, bool reports_jumps = true) {
    CallPoint point{static_cast<uint64_t>(function), frame, returns_to, reports_jumps};
    const ActiveCall& call = pairing.enter(Tid{tid}, point, ended);
    bool tail = call.tail;
    note();
    text += std::string(1, function) + (tail ? "^ " : " ");
    return *this;
  }
  PairingStory& ends(char function, uint64_t frame) {
    pairing.enter(Tid{1}, {static_cast<uint64_t>(function), frame, 1, true, ReturnWay::Never}, ended);
    text += std::string(1, function) + " ";
    return note();
  }
  PairingStory& leave(char function, uint64_t frame, int tid = 1) {
    pairing.leave(Tid{tid}, {static_cast<uint64_t>(function), frame, 0, false}, ended);
    return note();
  }
  PairingStory& jump(char function, uint64_t frame) {
    pairing.jumped(Tid{1}, {static_cast<uint64_t>(function), frame, 0, false}, ended);
    return note();
  }
  PairingStory& gone(uint64_t frame) {
    pairing.gone(Tid{1}, frame, ended);
    return note();
  }
  PairingStory& seen(uint64_t sp) {
    pairing.seen_at(Tid{1}, sp, ended);
    return note();
  }
  PairingStory& end(int tid = 1) {
    pairing.ended(Tid{tid}, ended);
    return note();
  }
  PairingStory& note() {
    for (const ActiveCall& call : ended.abandoned)
      text += std::string(1, static_cast<char>(call.entry.function)) + (call.jumped ? "? " : "! ");
    for (const ActiveCall& call : ended.returned) text += std::string(1, static_cast<char>(call.entry.function)) + ". ";
    ended = {};
    return *this;
  }
};

TEST_CASE("pairing: nested calls return innermost first") {
  PairingStory story;
  story.enter('a', 100).enter('b', 80).leave('b', 80).enter('c', 80).leave('c', 80).leave('a', 100);
  CHECK(story.text == "a b b. c c. a. ");
}

TEST_CASE("pairing: recursion 101 deep gives 101 returns, and depths") {
  Pairing pairing;
  EndedCalls ended;
  for (uint32_t i = 0; i < 101; i++) CHECK(pairing.enter(Tid{1}, {7, 10000 - i * 48, 5, true}, ended).depth == i);
  for (uint32_t i = 101; i-- > 0;) pairing.leave(Tid{1}, {7, 10000 - i * 48, 0, false}, ended);
  CHECK(ended.returned.size() == 101);
  CHECK(ended.abandoned.empty());
  CHECK(ended.returned.front().id == 101);
}

TEST_CASE("pairing: longjmp abandons what it jumps over, seen at the next entry, return or stop") {
  CHECK(PairingStory().enter('a', 100).enter('b', 80).enter('c', 60).enter('d', 90).text == "a b c c! b! d ");
  CHECK(PairingStory().enter('a', 100).enter('b', 80).leave('a', 100).text == "a b b! a. ");
  CHECK(PairingStory().enter('a', 100).enter('b', 80).seen(90).text == "a b b! ");
}

TEST_CASE("pairing: longjmp out of a function that is called again from the same place") {
  CHECK(PairingStory().enter('a', 100).enter('f', 80).enter('f', 80).leave('f', 80).text == "a f f! f f. ");
  // With another following call site, and without reported jumps.
  CHECK(PairingStory().enter('f', 80, 5, 1, false).enter('g', 80, 6, 1, false).text == "f f! g ");
}

TEST_CASE("pairing: an exception unwinds to a frame in the middle") {
  CHECK(PairingStory().enter('m', 200).enter('a', 150).enter('b', 120).enter('t', 100).seen(140).leave('m', 200).text ==
        "m a b t t! b! a! m. " + std::string());
}

TEST_CASE("pairing: a call that its thread ends in lasts, whatever runs in frames that it has unwound") {
  PairingStory story;
  story.enter('a', 100).ends('e', 80).enter('h', 80).leave('h', 80).enter('i', 120).leave('i', 120).leave('x', 80);
  CHECK(story.text == "a e h h. i i. ");
  CHECK(story.end().text == "a e h h. i i. e! a! ");
}

TEST_CASE("pairing: a tail call returns for both") {
  CHECK(PairingStory().enter('f', 100).jump('f', 100).enter('g', 100).leave('g', 100).text == "f g^ g. f. ");
  // Three in a row, and a nested call between.
  CHECK(PairingStory()
            .enter('f', 100)
            .enter('n', 80)
            .leave('n', 80)
            .jump('f', 100)
            .enter('g', 100)
            .jump('g', 100)
            .enter('h', 100)
            .leave('h', 100)
            .text == "f n n. g^ h^ h. g. f. ");
  // Without reported jumps the return address shows it.
  CHECK(PairingStory().enter('f', 100, 9, 1, false).enter('g', 100, 9, 1, false).leave('g', 100).text == "f g^ g. f. ");
}

TEST_CASE("pairing: a jump to a function that is not traced") {
  CHECK(PairingStory().enter('a', 200).enter('f', 100).jump('f', 100).leave('a', 200).text == "a f f? a. ");
  CHECK(PairingStory().enter('f', 100).jump('f', 100).leave('x', 100).text == "f f. ");
  // Without reported jumps, the jumper's own return comes after that of its target.
  CHECK(PairingStory().enter('f', 100, 9, 1, false).leave('x', 100).leave('f', 100).text == "f f. ");
}

TEST_CASE("pairing: a return without an entry began before tracing did") {
  CHECK(PairingStory().leave('a', 100).text.empty());
  CHECK(PairingStory().enter('b', 80).leave('b', 80).leave('a', 100).text == "b b. ");
  CHECK(PairingStory().enter('b', 80).leave('x', 80).text == "b b! ");
}

TEST_CASE("pairing: adopted calls return like others") {
  PairingStory story;
  CallPoint calls[] = {{'m', 300, 1, true}, {'r', 200, 2, true}};
  story.pairing.adopt(Tid{1}, calls);
  CHECK(story.pairing.active(Tid{1}).size() == 2);
  CHECK(story.enter('b', 80).leave('b', 80).leave('r', 200).leave('m', 300).text == "b b. r. m. ");
}

TEST_CASE("pairing: a signal handler calls above what it interrupted") {
  PairingStory story;
  story.enter('a', 100).enter('h', 50).enter('i', 40).leave('i', 40).leave('h', 50).leave('a', 100);
  CHECK(story.text == "a h i i. h. a. ");
}

TEST_CASE("pairing: threads do not see each other") {
  PairingStory story;
  story.enter('a', 100, 1, 1).enter('b', 200, 1, 2).leave('a', 100, 1).leave('b', 200, 2);
  CHECK(story.text == "a b a. b. ");
  CHECK(PairingStory().enter('a', 100, 1, 1).enter('b', 200, 1, 2).end(1).end(2).end(3).text == "a b a! b! ");
}

TEST_CASE("pairing: fork returns in both processes") {
  PairingStory story;
  story.enter('f', 100);
  story.pairing.forked(Tid{1}, Tid{2});
  CHECK(story.leave('f', 100, 2).leave('f', 100, 1).text == "f f. f. ");
}

/// Stacks of a thousand bytes each.
struct ThousandByteStacks final : Stacks {
  int asked = 0;
  bool same(Tid, uint64_t a, uint64_t b) override {
    asked++;
    return a / 1000 == b / 1000;
  }
};

TEST_CASE("pairing: a handler on an alternate stack that lies above") {
  ThousandByteStacks stacks;
  CHECK(PairingStory(&stacks).enter('a', 900).enter('h', 5900).leave('h', 5900).leave('a', 900).text == "a h h. a. ");
}

TEST_CASE("pairing: coroutines that take turns") {
  ThousandByteStacks stacks;
  PairingStory story(&stacks);
  story.enter('a', 900).enter('b', 1900).enter('c', 850).leave('c', 850).enter('d', 1850).leave('d', 1850);
  CHECK(story.leave('a', 900).leave('b', 1900).text == "a b c c. d d. a. b. ");
  CHECK(story.pairing.active(Tid{1}).empty());
}

TEST_CASE("pairing: memory does not grow with the number of switches between coroutines") {
  Pairing pairing;
  EndedCalls ended;
  auto enter = [&](uint64_t frame) { pairing.enter(Tid{1}, {'s', frame, 1, false, ReturnWay::FromOtherStack}, ended); };
  auto turn = [&](uint64_t left, uint64_t entered) {
    pairing.leave(Tid{1}, {'s', left, 0, false}, ended);
    enter(entered);
    ended = {};
  };
  enter(1000);
  enter(2000);
  auto turns = [&] {
    for (int i = 0; i < 50'000; i++) turn(1000, 1000), turn(2000, 2000);
    struct mallinfo2 held = mallinfo2();
    return held.uordblks + held.hblkhd;
  };
  size_t before = turns();
  CHECK(turns() < before + 10'000);
}

TEST_CASE("pairing: longjmp on one of several stacks") {
  ThousandByteStacks stacks;
  CHECK(PairingStory(&stacks).enter('a', 900).enter('b', 1900).enter('c', 950).leave('b', 1900).text == "a b a! c b. ");
}

/// Addresses from 5000 on are of one stack, and below lie many.
struct OneOfManyStacks final : Stacks {
  bool same(Tid, uint64_t low, uint64_t high) override { return low >= 5000 && high >= 5000; }
};

TEST_CASE("pairing: coroutines side by side in one mapping, whichever is left first") {
  OneOfManyStacks stacks;
  PairingStory story(&stacks);
  story.enter('s', 5900).enter('a', 900).enter('c', 850).enter('b', 1900).enter('d', 1850).leave('c', 850).leave('d',
                                                                                                                 1850);
  CHECK(story.leave('b', 1900).leave('a', 900).leave('s', 5900).text == "s a c b d c. d. b. a. s. ");
}

TEST_CASE("pairing: a call that was left on one of many stacks is gone when its frame is taken over") {
  OneOfManyStacks stacks;
  PairingStory story(&stacks);
  story.enter('a', 900).enter('f', 850).enter('b', 1900).enter('h', 880).leave('h', 880).enter('g', 850).leave('g',
                                                                                                               850);
  CHECK(story.leave('a', 900).leave('b', 1900).text == "a f b h h. f! g g. a. b. ");
  CHECK(story.pairing.active(Tid{1}).empty());
}

TEST_CASE("pairing: calls of a frame that are given up get no result, and others theirs") {
  PairingStory story;
  story.enter('a', 900).enter('f', 850).jump('f', 850).enter('g', 850).jump('g', 850).gone(850);
  CHECK(story.enter('f', 850).leave('f', 850).leave('a', 900).text == "a f g^ g? f? f f. a. ");
  CHECK(PairingStory().gone(850).text.empty());
}

TEST_CASE("pairing: depths are those of a stack where it is known") {
  OneOfManyStacks stacks;
  Pairing pairing(&stacks);
  EndedCalls ended;
  auto depth = [&](uint64_t frame) { return pairing.enter(Tid{1}, {7, frame, 5, true}, ended).depth; };
  CHECK(depth(5900) == 0);
  CHECK(depth(900) == 1);
  CHECK(depth(800) == 2);
  CHECK(depth(5800) == 1);
  CHECK(depth(5700) == 2);
}

struct UnknownStacks final : Stacks {
  bool same(Tid, uint64_t, uint64_t) override { return false; }
};

TEST_CASE("pairing: of very many calls that wait on other stacks the oldest are given up") {
  UnknownStacks stacks;
  Pairing pairing(&stacks);
  EndedCalls ended;
  constexpr uint64_t kMany = 150'000;
  for (uint64_t i = 0; i < kMany; i++) pairing.enter(Tid{1}, {7, 1000 + i * 1000, 5, true}, ended);
  CHECK(pairing.active(Tid{1}).size() + ended.abandoned.size() == kMany);
  CHECK(pairing.active(Tid{1}).size() < 80'000);
  uint64_t oldest = UINT64_MAX;
  for (const ActiveCall& call : pairing.active(Tid{1})) oldest = std::min(oldest, call.id);
  for (const ActiveCall& call : ended.abandoned) CHECK(call.id < oldest);
  // Deep recursion is no waiting.
  ended = {};
  for (uint64_t i = 0; i < kMany; i++) pairing.enter(Tid{2}, {7, 40'000'000 - i * 48, 5, true}, ended);
  CHECK(ended.abandoned.empty());
}

TEST_CASE("pairing: ordinary nesting never asks for stacks") {
  ThousandByteStacks stacks;
  PairingStory(&stacks).enter('a', 900).enter('b', 800).leave('b', 800).leave('a', 900);
  CHECK(stacks.asked == 0);
}

}  // namespace
}  // namespace strut::test

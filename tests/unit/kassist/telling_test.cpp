// From records to events, records made by hand.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include <unistd.h>

#include "kassist/syscalls/telling.hpp"
#include "tests/unit/show.hpp"

namespace strut::test {
namespace {

/// Keeps a line for each event.
class Lines final : public Sink {
 public:
  Result<void> take(const Event& event) override {
    if (auto* exit = std::get_if<ExitEvent>(&event.what)) {
      unseen = exit->decoded->unseen;
      lines.push_back(std::string(exit->call->desc->name) + ": " + show(*exit->decoded));
    } else if (auto* lost = std::get_if<LostEvent>(&event.what)) {
      lines.push_back("lost: " + std::to_string(lost->count));
    }
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }

  std::string all() const {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + line;
    return text;
  }
  std::vector<std::string> lines;
  uint32_t unseen = 0;
};

class Nobody final : public Listener {
 public:
  void say(std::string_view) override {}
};

/// As it lies in the ring, behind its length and place.
struct RingRecord {
  uint32_t length = sizeof(wire_record);
  uint32_t place = 0;
  wire_record record{};
};

/// A call of this very process, so that memory that is read late would be found.
wire_record call_of_ours(uint32_t nr, uint64_t sequence) {
  wire_record record{};
  record.bytes = sizeof record;
  record.kind = WIRE_CALL;
  record.tgid = record.tid = static_cast<uint32_t>(getpid());
  record.sequence = sequence;
  record.entered_ns = 1000 + sequence;
  record.at_ns = record.entered_ns + 1;
  record.nr = nr;
  return record;
}

struct Told {
  TraceRequest request;
  Lines lines;
  Nobody nobody;
  Telling telling{request, lines, nobody, nullptr};

  void tell(const wire_record& record) {
    static std::atomic<size_t> total;
    RingRecord in_ring;
    in_ring.record = record;
    auto batch = std::make_shared<const Batch>(std::as_bytes(std::span(&in_ring, 1)), total);
    batch->each([&](const wire_record* at) { REQUIRE(telling.tell({at->at_ns, RecordView(at), batch})); });
  }
};

constexpr uint32_t kExecve = 59, kGetppid = 110, kChdir = 80;
const char kNewProgram[] = "what is in its place now";

}  // namespace

TEST_CASE(
    "telling: an execve that succeeded and was not announced: its memory is not looked for in the new program's") {
  Told told;
  wire_record record = call_of_ours(kExecve, 0);
  record.regs[0] = reinterpret_cast<uint64_t>(kNewProgram);
  record.flags = WIRE_GONE;
  told.tell(record);
  REQUIRE(told.lines.lines.size() == 1);
  CHECK(told.lines.lines[0].starts_with("execve: unseen:0x"));
  CHECK(told.lines.unseen == 1);
  CHECK(told.telling.unseen() == 1);
  CHECK(told.telling.late() == 0);
}

TEST_CASE("telling: what a call's record lacks is read late, and counted") {
  Told told;
  wire_record record = call_of_ours(kChdir, 0);
  record.regs[0] = reinterpret_cast<uint64_t>(kNewProgram);
  told.tell(record);
  CHECK(told.lines.all() == "chdir: \"what is in its place now\"");
  CHECK(told.telling.late() == 1);
  CHECK(told.telling.unseen() == 0);
}

TEST_CASE("telling: an entry that lacks memory waits for the return of a thread that is gone, and then for nothing") {
  Told told;
  wire_record enter = call_of_ours(kChdir, 0);
  enter.tgid = enter.tid = 0x7ffffff0;  // not a real one: PID_MAX_LIMIT is lower
  enter.kind = WIRE_ENTER;
  enter.flags = WIRE_MISSED;
  told.tell(enter);
  REQUIRE(told.telling.tell_held(UINT64_MAX - 1));
  CHECK(told.telling.holds_back());
  CHECK(told.telling.events() == 0);
  REQUIRE(told.telling.tell_held(UINT64_MAX));
  CHECK_FALSE(told.telling.holds_back());
  CHECK(told.telling.events() == 1);
}

TEST_CASE("telling: an entry that is held back is told with the thread's end") {
  Told told;
  wire_record record = call_of_ours(kChdir, 0);
  record.tgid = record.tid = 0x7ffffff0;
  record.kind = WIRE_ENTER;
  record.flags = WIRE_MISSED;
  told.tell(record);
  wire_loss loss{};
  loss.end = record;
  loss.end.kind = WIRE_THREAD_EXIT;
  loss.end.regs[0] = WIRE_ENDS_LAST;
  REQUIRE(told.telling.settle(Tid{0x7ffffff0}, loss, record.at_ns + 2));
  REQUIRE(told.lines.lines.size() == 1);
  CHECK(told.lines.lines[0].starts_with("chdir: "));
  CHECK_FALSE(told.telling.holds_back());
}

TEST_CASE("telling: a gap in a thread's numbers is told where it is") {
  Told told;
  told.tell(call_of_ours(kGetppid, 0));
  told.tell(call_of_ours(kGetppid, 4));
  CHECK(told.lines.all() == "getppid: , lost: 3, getppid: ");
  CHECK(told.telling.lost() == 3);
}

}  // namespace strut::test

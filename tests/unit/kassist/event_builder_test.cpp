// From records to events, records made by hand.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include <unistd.h>

#include "kassist/syscalls/events/event_builder.hpp"
#include "tests/unit/show.hpp"

namespace strut::test {
namespace {

/// Keeps a line for each call, each loss, and each thread that is attached.
class Lines final : public Sink {
 public:
  Result<void> take(const Event& event) override {
    if (auto* exit = std::get_if<ExitEvent>(&event.what)) {
      unseen = exit->decoded->unseen;
      lines.push_back(std::string(exit->call->desc->name) + ": " + show(*exit->decoded));
    } else if (auto* lost = std::get_if<LostEvent>(&event.what)) {
      lines.push_back("lost: " + std::to_string(lost->count));
    } else if (std::holds_alternative<AttachedEvent>(event.what)) {
      lines.push_back("attached: " + std::string(event.thread.comm));
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

class SilentListener final : public Listener {
 public:
  void say(std::string_view) override {}
};

/// As it lies in the ring, behind its length and place.
struct RingRecord {
  uint32_t length = sizeof(wire_record);
  uint32_t place = 0;
  wire_record record{};
};
/// With a comm behind it.
struct NamedRingRecord {
  uint32_t length = sizeof(wire_record) + sizeof(wire_chunk) + WIRE_COMM;
  uint32_t place = 0;
  wire_record record{};
  wire_chunk chunk{.bytes = WIRE_COMM, .kind = WIRE_COMM_CHUNK};
  wire_u8 comm[WIRE_COMM] = {'e', 'n', 'd', 'e', 'd'};
};

constexpr uint32_t kNoThread = 0x7ffffff0;  // not a real one: PID_MAX_LIMIT is lower

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

struct Reported {
  TraceRequest request;
  Lines lines;
  SilentListener silent;
  EventBuilder builder{request, lines, silent, nullptr};

  template <typename InRing = RingRecord>
  void report(const wire_record& record) {
    static std::atomic<size_t> total;
    InRing in_ring;
    in_ring.record = record;
    in_ring.record.bytes = in_ring.length;
    auto batch = std::make_shared<const Batch>(std::as_bytes(std::span(&in_ring, 1)), total);
    batch->each([&](const wire_record* at) { REQUIRE(builder.report({at->at_ns, RecordView(at), batch})); });
  }
};

constexpr uint32_t kExecve = 59, kGetppid = 110, kChdir = 80;
const char kNewProgram[] = "what is in its place now";

}  // namespace

TEST_CASE("event builder: memory of an execve that succeeded unannounced is not read from the new program") {
  Reported reported;
  wire_record record = call_of_ours(kExecve, 0);
  record.regs[0] = reinterpret_cast<uint64_t>(kNewProgram);
  record.flags = WIRE_GONE;
  reported.report(record);
  REQUIRE(reported.lines.lines.size() == 1);
  CHECK(reported.lines.lines[0].starts_with("execve: unseen:0x"));
  CHECK(reported.lines.unseen == 1);
  CHECK(reported.builder.unseen() == 1);
  CHECK(reported.builder.threads().late() == 0);
}

TEST_CASE("event builder: what a call's record lacks is read late, and counted") {
  Reported reported;
  wire_record record = call_of_ours(kChdir, 0);
  record.regs[0] = reinterpret_cast<uint64_t>(kNewProgram);
  reported.report(record);
  CHECK(reported.lines.all() == "chdir: \"what is in its place now\"");
  CHECK(reported.builder.threads().late() == 1);
  CHECK(reported.builder.unseen() == 0);
}

TEST_CASE("event builder: an entry that lacks memory waits for a return, and for nothing when the thread is gone") {
  Reported reported;
  wire_record enter = call_of_ours(kChdir, 0);
  enter.tgid = enter.tid = kNoThread;
  enter.kind = WIRE_ENTER;
  enter.flags = WIRE_MISSED;
  reported.report(enter);
  REQUIRE(reported.builder.report_held(UINT64_MAX - 1));
  CHECK(reported.builder.holds_back());
  CHECK(reported.builder.events() == 0);
  REQUIRE(reported.builder.report_held(UINT64_MAX));
  CHECK_FALSE(reported.builder.holds_back());
  CHECK(reported.builder.events() == 1);
}

TEST_CASE("event builder: an entry that is held back is reported with the thread's end") {
  Reported reported;
  wire_record record = call_of_ours(kChdir, 0);
  record.tgid = record.tid = kNoThread;
  record.kind = WIRE_ENTER;
  record.flags = WIRE_MISSED;
  reported.report(record);
  wire_loss loss{};
  loss.end = record;
  loss.end.kind = WIRE_THREAD_EXIT;
  loss.end.end.how = WIRE_ENDS_LAST;
  REQUIRE(reported.builder.settle(Tid{kNoThread}, loss, record.at_ns + 2));
  REQUIRE(reported.lines.lines.size() == 1);
  CHECK(reported.lines.lines[0].starts_with("chdir: "));
  CHECK_FALSE(reported.builder.holds_back());
}

TEST_CASE("event builder: a gap in a thread's numbers is reported in its place") {
  Reported reported;
  reported.report(call_of_ours(kGetppid, 0));
  reported.report(call_of_ours(kGetppid, 4));
  CHECK(reported.lines.all() == "getppid: , lost: 3, getppid: ");
  CHECK(reported.builder.lost() == 3);
}

TEST_CASE("event builder: a thread that has ended when it is met has the comm that the kernel programs saw") {
  Reported reported;
  reported.request.need_comm = true;
  wire_seed seed{.tgid = kNoThread, .tid = kNoThread, .nr = WIRE_NO_CALL, .comm = {'s', 'e', 'e', 'd'}};
  REQUIRE(reported.builder.attach(std::span(&seed, 1)));
  wire_record joined = call_of_ours(0, 0);
  joined.kind = WIRE_SEEDED;
  joined.tgid = joined.tid = kNoThread + 1;
  reported.report<NamedRingRecord>(joined);
  CHECK(reported.lines.all() == "attached: seed, attached: ended");
}

}  // namespace strut::test

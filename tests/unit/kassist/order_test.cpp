// Records of the ring and of lanes in the order of time.
#include "kassist/transport/order.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace strut;

namespace {

wire_record event(wire_kind kind, uint32_t tid, uint64_t sequence, uint64_t at_ns) {
  wire_record record{};
  record.bytes = sizeof record;
  record.kind = static_cast<uint8_t>(kind);
  record.tid = tid;
  record.sequence = sequence;
  record.entered_ns = record.at_ns = at_ns;
  return record;
}

/// Records behind their lengths, as they lie in a ring.
std::vector<std::byte> laid(std::initializer_list<wire_record> records) {
  std::vector<std::byte> bytes;
  for (const wire_record& record : records) {
    uint64_t length = sizeof record;
    auto add = [&](auto span) { bytes.insert(bytes.end(), span.begin(), span.end()); };
    add(std::as_bytes(std::span(&length, 1)));
    add(std::as_bytes(std::span(&record, 1)));
  }
  return bytes;
}

struct Source {
  uint32_t number;
  std::vector<std::byte> bytes;
};

std::vector<uint64_t> sequences_of(Order& order, uint64_t before_ns = UINT64_MAX) {
  std::vector<uint64_t> sequences;
  while (auto entry = order.next(before_ns)) sequences.push_back(entry->record.header().sequence);
  return sequences;
}

std::atomic<size_t> total;

void come(Order& order, std::vector<Source> sources) {
  std::vector<BatchRun> runs;
  for (const Source& source : sources) runs.push_back({source.number, source.bytes});
  order.add(std::make_shared<const Batch>(runs, total));
}

}  // namespace

TEST_CASE("order: lanes and the ring are one sequence in time") {
  Order order;
  come(order, {{1, laid({event(WIRE_CALL, 7, 0, 10), event(WIRE_CALL, 7, 3, 40)})},
               {2, laid({event(WIRE_CALL, 8, 1, 20)})},
               {0, laid({event(WIRE_CALL, 9, 2, 30), event(WIRE_CALL, 9, 4, 50)})}});
  CHECK(sequences_of(order, 40) == std::vector<uint64_t>{0, 1, 2});
  CHECK_FALSE(order.empty());
  come(order, {{2, laid({event(WIRE_CALL, 8, 5, 45)})}});
  CHECK(sequences_of(order) == std::vector<uint64_t>{3, 5, 4});
  CHECK(order.empty());
}

TEST_CASE("order: an id that goes to another thread, which has numbers of its own") {
  Order order;
  come(order,
       {{1, laid({event(WIRE_CALL, 7, 90, 10), event(WIRE_CALL, 7, 4, 40)})},
        {0, laid({event(WIRE_THREAD_EXIT, 7, 91, 20), event(WIRE_EXEC, 7, 3, 30), event(WIRE_ENTER, 7, 5, 50)})}});
  CHECK(sequences_of(order) == std::vector<uint64_t>{90, 91, 3, 4, 5});
}

TEST_CASE("order: a record's parts wait for it, whatever else comes of its thread") {
  Order order;
  come(order, {{kRing, laid({event(WIRE_PART, 7, 4, 10), event(WIRE_PART, 7, 4, 10)})}});
  // A lane's records come before the ring's, those of later calls too.
  come(order, {{1, laid({event(WIRE_CALL, 7, 5, 40)})},
               {kRing, laid({event(WIRE_GENERATED, 7, WIRE_UNNUMBERED, 20), event(WIRE_CALL, 7, 4, 10)})}});
  std::vector<std::pair<uint64_t, size_t>> parts;
  while (auto entry = order.next(UINT64_MAX)) parts.emplace_back(entry->record.header().sequence, entry->parts.size());
  CHECK(parts == std::vector<std::pair<uint64_t, size_t>>{{WIRE_UNNUMBERED, 0}, {4, 2}, {5, 0}});
}

TEST_CASE("order: parts of a lost record belong to no event") {
  Order order;
  come(order, {{kRing, laid({event(WIRE_PART, 7, 4, 10), event(WIRE_CALL, 7, 5, 20), event(WIRE_CALL, 7, 4, 30)})}});
  while (auto entry = order.next(UINT64_MAX)) CHECK(entry->parts.empty());
}

TEST_CASE("order: what has no number is where its time is") {
  Order order;
  come(order, {{1, laid({event(WIRE_CALL, 7, 5, 30)})}, {0, laid({event(WIRE_GENERATED, 7, WIRE_UNNUMBERED, 20)})}});
  CHECK(sequences_of(order) == std::vector<uint64_t>{WIRE_UNNUMBERED, 5});
}

TEST_CASE(
    "order: the ring's records, whose places are not quite in the order of time, are put into it; a thread's are "
    "left") {
  Order order;
  come(order, {{0, laid({event(WIRE_CALL, 7, 0, 30), event(WIRE_CALL, 8, 1, 20), event(WIRE_CALL, 8, 2, 10)})}});
  CHECK(sequences_of(order) == std::vector<uint64_t>{1, 2, 0});
}

namespace {

wire_record awaiting(uint32_t tid, uint64_t sequence, uint64_t at_ns) {
  wire_record record = event(WIRE_CALL, tid, sequence, at_ns);
  record.flags = WIRE_AWAITS_LATE;
  return record;
}

constexpr uint64_t kSoon = 1'000'000, kTooLong = 2'000'000'000;

}  // namespace

TEST_CASE("order: a call waits for memory that is on its way, and what follows it in time waits, too") {
  Order order;
  come(order, {{kRing, laid({awaiting(7, 4, 10), event(WIRE_CALL, 8, 0, 20)})}});
  CHECK_FALSE(order.next(kSoon));
  come(order, {{1, laid({event(WIRE_CALL, 7, 5, 40)})},  // a lane's record may be read before the ring's
               {kRing, laid({event(WIRE_PART, 7, 5, 30), event(WIRE_LATE, 7, 5, 30)})}});
  auto entry = order.next(kSoon);
  REQUIRE(entry);
  CHECK(entry->record.header().sequence == 4);
  CHECK(entry->parts.size() == 2);
  CHECK(sequences_of(order) == std::vector<uint64_t>{0, 5});
}

TEST_CASE("order: a call does not wait for memory behind more records than there is room for") {
  Order order;
  come(order, {{kRing, laid({awaiting(7, 4, 10)})}});
  size_t came = 0;
  for (std::optional<Order::Entry> first; !first && came < 1'000'000; first = order.next(kSoon)) {
    come(order, {{kRing, laid({event(WIRE_CALL, 8, came++, 20)})}});
    CHECK(order.reported_before(kSoon) == 10);
  }
  CHECK(came > 1000);
  CHECK(came < 1'000'000);
}

TEST_CASE("order: memory comes in several records") {
  Order order;
  wire_record first = event(WIRE_LATE, 7, 5, 30);
  first.flags = WIRE_AWAITS_LATE;
  come(order, {{kRing, laid({awaiting(7, 4, 10), first})}});
  CHECK_FALSE(order.next(kSoon));
  come(order, {{kRing, laid({event(WIRE_LATE, 7, 5, 40)})}});
  auto entry = order.next(kSoon);
  REQUIRE(entry);
  CHECK(entry->parts.size() == 2);
}

TEST_CASE("order: memory that will not come is not waited for") {
  auto other = [](wire_kind kind, uint64_t sequence) {
    Order order;
    come(order, {{kRing, laid({awaiting(7, 4, 10), event(kind, 7, sequence, 20)})}});
    return sequences_of(order, kSoon);
  };
  CHECK(other(WIRE_THREAD_EXIT, 5) == std::vector<uint64_t>{4, 5});          // it was killed
  CHECK(other(WIRE_GENERATED, WIRE_UNNUMBERED) == std::vector<uint64_t>{});  // another thread's doing
  Order order;
  come(order, {{kRing, laid({awaiting(7, 4, 10)})}});
  CHECK(sequences_of(order, kTooLong) == std::vector<uint64_t>{4});  // it found no room
  come(order, {{kRing, laid({awaiting(7, 5, kTooLong)})}});
  CHECK(sequences_of(order) == std::vector<uint64_t>{5});  // nothing more is to come
  come(order, {{kRing, laid({event(WIRE_LATE, 7, 6, kTooLong + 10)})}});
  CHECK(order.empty());
}

#include "formatters/strace/summary.hpp"
#include "trace/partial_sink.hpp"

#include <doctest/doctest.h>

#include "formatters/common/tee.hpp"
#include "formatters/formats.hpp"
#include "formatters/ltrace/summary.hpp"
#include "formatters/truss/summary.hpp"
#include "syscalls/notation.hpp"
#include "tests/unit/memory_output.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kRead = row("read", kDesc, kUnsignedResult);
constexpr SyscallDesc kWrite = row("write", kDesc, kUnsignedResult);
constexpr SyscallDesc kLong = row("sched_setscheduler", kNone, kUnsignedResult);

/// Counts calls and shows the table.
struct Counting {
  std::shared_ptr<MemoryOutput> out = std::make_shared<MemoryOutput>();
  std::unique_ptr<Sink> sink;
  DecodedCall decoded;

  explicit Counting(SummaryStyle style = {}, SummaryText* text = put_summary_table)
      : sink(make_summary(std::move(style), out, text)) {}

  void call(const SyscallDesc& desc, uint32_t nr, uint64_t us, int error = 0, Abi abi = Abi::X86_64) {
    Call call;
    call.abi = abi;
    call.desc = &desc;
    call.nr = nr;
    call.returned = true;
    call.error = error;
    call.entered.monotonic_ns = 1000;
    call.left.monotonic_ns = 1000 + us * 2000;
    call.system_time_ns = us * 1000;
    Event event;
    event.what = ExitEvent{&call, &decoded};
    REQUIRE(sink->take(event));
  }
  std::string table() {
    REQUIRE(sink->finish());
    return out->take();
  }
};

SummaryStyle with_columns(std::vector<SummaryColumn> columns) {
  SummaryStyle style;
  style.columns = std::move(columns);
  return style;
}
/// The names of the rows, in the order of the table.
std::string order_of(SummaryOrder order) {
  SummaryStyle style = with_columns({SummaryColumn::Name});
  style.order = order;
  Counting counting(style);
  counting.call(kWrite, 1, 30, 5);
  counting.call(kRead, 0, 10);
  counting.call(kRead, 0, 10);
  std::string table = counting.table();
  return table.substr(table.find("-\n") + 2, 1);
}

}  // namespace

TEST_CASE("summary: the default table") {
  Counting counting;
  counting.call(kWrite, 1, 30);
  counting.call(kRead, 0, 5, 9);
  counting.call(kRead, 0, 5);
  CHECK(counting.table() ==
        "% time     seconds  usecs/call     calls    errors syscall\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        " 75.00    0.000030          30         1           write\n"
        " 25.00    0.000010           5         2         1 read\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        "100.00    0.000040          13         3         1 total\n");
}

TEST_CASE("summary: no calls, no table") { CHECK(Counting().table().empty()); }

TEST_CASE("summary: a long name widens its column, time may be zero") {
  Counting counting;
  counting.call(kLong, 144, 0);
  CHECK(counting.table() ==
        "% time     seconds  usecs/call     calls    errors syscall\n"
        "------ ----------- ----------- --------- --------- -------------------\n"
        "  0.00    0.000000           0         1           sched_setscheduler\n"
        "------ ----------- ----------- --------- --------- -------------------\n"
        "100.00    0.000000           0         1           total\n");
}

TEST_CASE("summary: chosen columns; a name in the middle is padded, a missing one comes last") {
  Counting counting(with_columns({SummaryColumn::Calls, SummaryColumn::Name, SummaryColumn::Errors}));
  counting.call(kRead, 0, 5);
  CHECK(counting.table() ==
        "    calls syscall             errors\n"
        "--------- ---------------- ---------\n"
        "        1 read                      \n"
        "--------- ---------------- ---------\n"
        "        1 total                     \n");
  Counting nameless(with_columns({SummaryColumn::Calls}));
  nameless.call(kRead, 0, 5);
  CHECK(nameless.table().starts_with("    calls syscall\n"));
}

TEST_CASE("summary: shortest, longest and wall-clock columns") {
  using enum SummaryColumn;
  Counting counting(with_columns({MinTime, MaxTime, WallTotal, WallMin, WallMax, WallAvg}));
  counting.call(kRead, 0, 5);
  counting.call(kRead, 0, 7);
  CHECK(counting.table() ==
        "shortest  longest  wall-total wall-min wall-max    wall-avg syscall\n"
        "-------- -------- ----------- -------- -------- ----------- ----------------\n"
        "0.000005 0.000007    0.000024 0.000010 0.000014          12 read\n"
        "-------- -------- ----------- -------- -------- ----------- ----------------\n"
        "0.000005 0.000007    0.000024 0.000010 0.000014          12 total\n");
}

TEST_CASE("summary: wall clock and overhead") {
  SummaryStyle style = with_columns({SummaryColumn::TotalTime});
  style.wall_clock = true;
  style.overhead_ns = 4000;
  Counting counting(style);
  counting.call(kRead, 0, 5);
  counting.call(kWrite, 1, 1);
  CHECK(counting.table().find("   0.000006 read\n   0.000000 write\n") != std::string::npos);
}

TEST_CASE("summary: orders") {
  CHECK(order_of(SummaryOrder::Time) == "w");
  CHECK(order_of(SummaryOrder::Calls) == "r");
  CHECK(order_of(SummaryOrder::Errors) == "w");
  CHECK(order_of(SummaryOrder::Name) == "r");
  CHECK(order_of(SummaryOrder::MinTime) == "w");
  CHECK(order_of(SummaryOrder::WallAvg) == "w");
  CHECK(order_of(SummaryOrder::Nothing) == "r");
}

TEST_CASE("summary: a table for every ABI") {
  Counting counting(with_columns({SummaryColumn::Name}));
  counting.call(kRead, 3, 1, 0, Abi::I386);
  counting.call(kRead, 0, 1, 0, Abi::X32);
  std::string table = counting.table();
  CHECK(table.starts_with("System call usage summary for 32 bit mode:\nsyscall\n"));
  CHECK(table.find("total\nSystem call usage summary for x32 mode:\n") != std::string::npos);
}

TEST_CASE("summary: numbers beyond the table, and calls that never return") {
  Counting counting(with_columns({SummaryColumn::Calls}));
  counting.call(unknown_syscall(), 0xbadbad, 1);
  Call exit;
  exit.desc = &kRead;
  Event event;
  event.what = ExitEvent{&exit, &counting.decoded};
  REQUIRE(counting.sink->take(event));
  std::string table = counting.table();
  CHECK(table.find("        1 syscall_0xbadbad\n") != std::string::npos);
  CHECK(table.find("        1 total\n") != std::string::npos);
}

TEST_CASE("summary: words of -U and -S") {
  CHECK(summary_column("shortest") == SummaryColumn::MinTime);
  CHECK(summary_column("syscall-name") == SummaryColumn::Name);
  CHECK_FALSE(summary_column("nothing"));
  CHECK(summary_order("nothing") == SummaryOrder::Nothing);
  CHECK(summary_order("time-percent") == SummaryOrder::Time);
  CHECK(summary_order("wall-avg") == SummaryOrder::WallAvg);
  CHECK_FALSE(summary_order("speed"));
}

TEST_CASE("partial sink: events without an override are ignored") {
  struct Signals final : PartialSink {
    int count = 0;
    Result<void> handle(const Event&, const SignalEvent&) override { return count++, Result<void>{}; }
  } signals;
  Event event;
  event.what = AbiEvent{};
  REQUIRE(signals.take(event));
  event.what = SignalEvent{};
  REQUIRE(signals.take(event));
  CHECK(signals.count == 1);
  CHECK(signals.flush());
  CHECK(signals.finish());
}

TEST_CASE("formats: rows are found by name, and listed for messages") {
  CHECK(find_format("text") == &usual_format());
  CHECK(find_format("text")->is_text());
  CHECK(find_format("xml") == nullptr);
  CHECK(format_names() == "text, json or chrome");
}

TEST_CASE("formats: all but text need names of threads and times of returns") {
  TraceRequest request;
  request.need_return_times = request.need_times = false;
  request_details(*find_format("text"), request);
  CHECK_FALSE((request.need_comm || request.need_return_times || request.need_times));
  request_details(*find_format("json"), request);
  CHECK((request.need_comm && request.need_return_times && request.need_times));
}

TEST_CASE("tee: both sinks hear everything") {
  Counting first, second;
  auto tee = make_tee(std::move(first.sink), std::move(second.sink));
  Call call;
  call.desc = &kRead;
  call.returned = true;
  DecodedCall decoded;
  Event event;
  event.what = ExitEvent{&call, &decoded};
  REQUIRE(tee->take(event));
  REQUIRE(tee->finish());
  CHECK(first.out->take() == second.out->take());
}

TEST_CASE("summary: JSON has a line for each call, with all times") {
  Counting counting({}, put_summary_json);
  counting.call(kRead, 0, 10);
  counting.call(kRead, 0, 30, 4);
  counting.call(kWrite, 4, 1, 0, Abi::I386);
  CHECK(counting.table() ==
        "{\"type\":\"summary\",\"abi\":\"x86-64\",\"call\":\"read\",\"calls\":2,\"errors\":1,"
        "\"system_ns\":40000,\"system_min_ns\":10000,\"system_max_ns\":30000,"
        "\"wall_ns\":80000,\"wall_min_ns\":20000,\"wall_max_ns\":60000}\n"
        "{\"type\":\"summary\",\"abi\":\"i386\",\"call\":\"write\",\"calls\":1,\"errors\":0,"
        "\"system_ns\":1000,\"system_min_ns\":1000,\"system_max_ns\":1000,"
        "\"wall_ns\":2000,\"wall_min_ns\":2000,\"wall_max_ns\":2000}\n");
}

TEST_CASE("summary: JSON of ltrace's counts has functions and system calls") {
  LtraceCounts rows[] = {{"puts", false, 70, 2, 1}, {"SYS_write", true, 50, 1, 0}};
  TextBuffer out;
  put_ltrace_counts_json(out, {}, rows);
  CHECK(out.view() ==
        "{\"type\":\"summary\",\"function\":\"puts\",\"calls\":2,\"wall_ns\":70}\n"
        "{\"type\":\"summary\",\"call\":\"write\",\"calls\":1,\"errors\":0,\"wall_ns\":50}\n");
  out.clear();
  put_ltrace_counts_json(out, {true}, std::span(rows).first(1));
  CHECK(out.view() == "{\"type\":\"summary\",\"function\":\"puts\",\"calls\":2,\"errors\":1,\"wall_ns\":70}\n");
}

TEST_CASE("summary: JSON of truss's counts has faults, signals, functions, calls and times") {
  TrussCounts counts;
  counts.faults["FLTBOUNDS"] = 1;
  counts.signals["SIGSEGV"] = 2;
  counts.functions.push_back({"libc", "malloc", 3});
  counts.syscalls[{Abi::X86_64, 0}] = {"read", 4, 1, 500};
  counts.elapsed_ns = 9;
  TextBuffer out;
  put_truss_counts_json(out, counts);
  CHECK(out.view() ==
        "{\"type\":\"summary\",\"fault\":\"FLTBOUNDS\",\"count\":1}\n"
        "{\"type\":\"summary\",\"signal\":\"SIGSEGV\",\"count\":2}\n"
        "{\"type\":\"summary\",\"function\":\"malloc\",\"module\":\"libc\",\"calls\":3}\n"
        "{\"type\":\"summary\",\"abi\":\"x86-64\",\"call\":\"read\",\"calls\":4,\"errors\":1,\"system_ns\":500}\n"
        "{\"type\":\"summary\",\"elapsed_ns\":9}\n");
}

TEST_CASE("summary: JSON has no system times where they are not measured") {
  SummaryStyle style;
  style.wall_clock = true;
  Counting counting(style, put_summary_json);
  counting.call(kRead, 0, 10);
  std::string line = counting.table();
  CHECK(line.find("\"system_ns\"") == line.npos);
  CHECK(line.find("\"wall_ns\":20000") != line.npos);
}

}  // namespace strut::test

// Hits of real code: arguments, conditions, several probes at one place, the traced process, memory that is not
// present.
#include <doctest/doctest.h>

#include <cstring>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dlang/compiler/compile.hpp"
#include "own_code.hpp"

namespace strut::test {
namespace {

[[gnu::noinline]] long probed(long a, long b, long c, long d, long e, long f, long g, long h) {
  asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f)::"memory");
  return a + b + c + d + e + f + g + h;
}
[[gnu::noinline]] void touched(const char* text) { asm volatile("" ::"r"(text) : "memory"); }

struct Hits {
  explicit Hits(const std::string& text, std::vector<DTrigger> triggers) {
    DSource source{text};
    auto compiled = compile_d({.sources = {&source, 1}});
    REQUIRE(compiled);
    program = *std::move(compiled);
    mechanism = *uprobe_mechanism();
    auto loaded = DKernelProgram::load(program, {.ring_bytes = 1 << 20, .stack_bytes = 4096, .uprobes = mechanism});
    REQUIRE_MESSAGE(loaded, describe(loaded.error()));
    kernel = std::make_unique<DKernelProgram>(std::move(*loaded));
    for (uint32_t i = 0; i < program.clauses.size(); i++) clauses.push_back(i);
    std::vector<DProbe> probes;
    for (size_t i = 0; i < triggers.size(); i++)
      probes.push_back({.id = static_cast<uint32_t>(100 + i),
                        .provider = "pid1",
                        .module = "tests",
                        .function = "probed",
                        .name = i ? "0" : "entry",
                        .trigger = triggers[i],
                        .clauses = clauses});
    REQUIRE(kernel->add_probes(probes));
    ring = std::make_unique<RingReader>(*RingReader::map(kernel->ring(), kernel->ring_bytes()));
  }
  /// Items of records, as words; a fault as its number and address.
  std::vector<std::vector<uint64_t>> records() {
    std::vector<std::vector<uint64_t>> all;
    drain(*ring, [&](const d_record& record, std::span<const std::byte> bytes) {
      CHECK(record.pid == static_cast<uint32_t>(::getpid()));
      std::vector<uint64_t> words(record.item_bytes / 8);
      std::memcpy(words.data(), bytes.data(), record.item_bytes);
      if (record.kind == D_FAULTED) words = {record.fault, record.address};
      else words.erase(words.begin());
      all.push_back(words);
    });
    return all;
  }
  DProgram program;
  UprobeMechanism mechanism = UprobeMechanism::PerfEvent;
  std::vector<uint32_t> clauses;
  std::unique_ptr<DKernelProgram> kernel;
  std::unique_ptr<RingReader> ring;
};

DTrigger code_trigger() { return {.kind = DTrigger::Kind::Code}; }
using Records = std::vector<std::vector<uint64_t>>;

TEST_SUITE_BEGIN("uprobes");

TEST_CASE("kernel: arguments of a function, in registers and on the stack") {
  Hits hits("pid1:::entry { printf(\"%d\", arg0 * 10 + arg5); trace(arg6); trace(arg7); }", {code_trigger()});
  auto probes =
      armed(*hits.kernel, site_at(reinterpret_cast<void*>(probed), {{.probe = 0, .kind = DFiring::Kind::Entry}}),
            hits.mechanism);
  REQUIRE_MESSAGE(probes, describe(probes.error()));
  probed(1, 2, 3, 4, 5, 6, 7, 8);
  Records got = hits.records();
  REQUIRE(got.size() == 1);
  CHECK(got[0][0] == 16);
}

TEST_CASE("kernel: several probes at one place, in order, each by its condition") {
  Hits hits("pid1:::entry { trace(arg0); }", {code_trigger(), code_trigger(), code_trigger()});
  // A call leaves no flags that say both zero and not zero: exactly one of conditions 4 and 5 holds.
  auto probes = armed(*hits.kernel,
                      site_at(reinterpret_cast<void*>(probed),
                              {{.probe = 0, .kind = DFiring::Kind::Entry},
                               {.probe = 1, .kind = DFiring::Kind::Return, .condition = 4, .offset = 77},
                               {.probe = 2, .kind = DFiring::Kind::Return, .condition = 5, .offset = 77}}),
                      hits.mechanism);
  REQUIRE_MESSAGE(probes, describe(probes.error()));
  probed(1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(hits.records() == Records{{1}, {77}});
}

TEST_CASE("kernel: another process is not meant") {
  Hits hits("pid1:::entry { trace(arg0); }", {code_trigger()});
  DCode code = site_at(reinterpret_cast<void*>(probed), {{.probe = 0, .kind = DFiring::Kind::Entry}});
  code.pid = Pid{1};
  auto probes = armed(*hits.kernel, code, hits.mechanism);
  REQUIRE_MESSAGE(probes, describe(probes.error()));
  probed(1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(hits.records().empty());
}

TEST_CASE("kernel: memory that is not present is brought in; what is not mapped faults") {
  char path[] = "/tmp/strut-absent.XXXXXX";
  int file = ::mkstemp(path);
  ::unlink(path);
  REQUIRE(::ftruncate(file, 8192) == 0);
  REQUIRE(::pwrite(file, "absent", 7, 4093) == 7);
  char* text = static_cast<char*>(::mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE, file, 0)) + 4093;
  ::close(file);
  Hits hits("pid1:::entry { trace(strlen(copyinstr(arg0))); }", {code_trigger()});
  auto probes =
      armed(*hits.kernel, site_at(reinterpret_cast<void*>(touched), {{.probe = 0, .kind = DFiring::Kind::Entry}}),
            hits.mechanism);
  REQUIRE_MESSAGE(probes, describe(probes.error()));
  touched(text);
  touched(reinterpret_cast<char*>(0x1234));
  CHECK(hits.records() == Records{{6}, {1, 0x1234}});
}

TEST_CASE("kernel: more probes and sites than the first maps hold") {
  Hits hits("pid1:::entry { trace(strlen(probefunc)); trace(id); }", {code_trigger()});
  // Beyond D_FIRST_PROBES and one further map of probes, beyond D_FIRST_NAMES and into a second map of names.
  constexpr uint32_t kMany = 70'000;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < kMany; i++) names.push_back("function_" + std::to_string(i) + std::string(i % 40, '_'));
  std::vector<DProbe> probes;
  for (uint32_t i = 0; i < kMany; i++)
    probes.push_back({.id = 1000 + i,
                      .provider = "pid1",
                      .module = "tests",
                      .function = names[i],
                      .name = "entry",
                      .trigger = code_trigger(),
                      .clauses = hits.clauses});
  REQUIRE(hits.kernel->add_probes(probes));
  DCode code = site_at(reinterpret_cast<void*>(touched), {});
  code.firings.resize(kMany + 1);
  for (uint32_t i = 0; i <= kMany; i++) code.firings[i].probe = i;
  DSite site = code.sites[0];
  code.sites.clear();
  for (uint32_t i = 0; i <= kMany; i++)
    code.sites.push_back({.file_offset = i, .uprobe_offset = i, .first = i, .count = 1});
  auto cookies = hits.kernel->add_code(code);
  REQUIRE_MESSAGE(cookies, describe(cookies.error()));
  auto program = hits.kernel->program(DHook::Uprobe);
  REQUIRE(program);
  for (uint32_t which : {1u, 1023u, 1024u, 30'000u, 66'559u, 66'560u, kMany}) {
    UprobeRequest request{.path = code.path,
                          .points = {{*site.uprobe_offset, (*cookies)[which]}},
                          .when = UprobeRequest::When::Executed,
                          .pid = Pid{::getpid()}};
    Uprobes armed_one;
    auto refused = armed_one.arm(**program, hits.mechanism, request);
    REQUIRE_MESSAGE(refused, describe(refused.error()));
    touched("");
    armed_one.disarm();
    Records got = hits.records();
    REQUIRE(got.size() == 1);
    CHECK(got[0][0] == names[which - 1].size());
    CHECK(got[0][2] == 1000 + which - 1);
  }
}

TEST_CASE("kernel: nothing is lost that fits, what does not fit is counted") {
  Hits hits("pid1:::entry { trace(arg0); }", {code_trigger()});
  auto probes =
      armed(*hits.kernel, site_at(reinterpret_cast<void*>(touched), {{.probe = 0, .kind = DFiring::Kind::Entry}}),
            hits.mechanism);
  REQUIRE_MESSAGE(probes, describe(probes.error()));
  for (int i = 0; i < 20'000; i++) touched(reinterpret_cast<char*>(i));
  uint64_t lost = 0;
  for (uint64_t of_cpu : hits.kernel->take_lost().records) lost += of_cpu;
  CHECK(lost > 0);
  CHECK(hits.records().size() + lost == 20'000);
}

}  // namespace
}  // namespace strut::test

TEST_SUITE_END();

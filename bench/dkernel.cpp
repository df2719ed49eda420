// Cost of D in the kernel: start-up, a hit that counts, a false predicate, a printed line. As root.
//
// make build/release/bench-dkernel. Usage: bench-dkernel [HITS]. One line per program: milliseconds of CPU to load it,
// nanoseconds a hit and hits a second, best of five rounds; the uprobe sits on an instruction that the kernel emulates.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "dlang/compiler/compile.hpp"
#include "dlang/output/formatter.hpp"
#include "tests/kernel/own_code.hpp"

namespace strut {
namespace {

[[gnu::noinline, gnu::naked]] void hit() { asm volatile("push %rbp\n pop %rbp\n ret"); }

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Row {
  const char* what;
  const char* text;
};
constexpr Row kRows[] = {
    {"count", "pid1:::entry { @ = count(); }"},
    {"count by arg0", "pid1:::entry { @[arg0 & 255] = count(); }"},
    {"count by execname", "pid1:::entry { @[execname] = count(); }"},
    {"quantize", "pid1:::entry { @ = quantize(arg0); }"},
    {"predicate on pid", "pid1:::entry /pid == 1/ { trace(1); }"},
    {"predicate on execname", "pid1:::entry /execname == \"nobody\"/ { trace(1); }"},
    {"self->", "pid1:::entry { self->t = timestamp; }"},
    {"printf", "pid1:::entry { printf(\"%d %s\\n\", pid, execname); }"},
};

DProbe probe_of_hit() {
  static constexpr uint32_t kClause = 0;
  return {.id = 1,
          .provider = "pid1",
          .module = "bench",
          .function = "hit",
          .name = "entry",
          .trigger = {.kind = DTrigger::Kind::Code},
          .clauses = {&kClause, 1}};
}

/// Seconds of CPU until the program could be armed, with a ring as it is by default; the least of a few.
double startup_of(const DProgram& program, UprobeMechanism mechanism) {
  double best = 1e9;
  for (int i = 0; i < 5; i++) {
    double began = seconds(CLOCK_PROCESS_CPUTIME_ID);
    auto kernel = DKernelProgram::load(program, {.stack_bytes = 0, .uprobes = mechanism});
    DProbe probe = probe_of_hit();
    if (!kernel || !kernel->add_probes({&probe, 1}) || !kernel->program(DHook::Uprobe)) std::abort();
    best = std::min(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - began);
  }
  return best;
}

void measure(const Row& row, long hits) {
  DSource source{row.text};
  auto program = compile_d({.sources = {&source, 1}});
  if (!program) std::abort();
  auto mechanism = *uprobe_mechanism();
  double startup = startup_of(*program, mechanism);
  auto kernel = DKernelProgram::load(*program, {.ring_bytes = 64 << 20, .stack_bytes = 0, .uprobes = mechanism});
  if (!kernel) std::printf("%s\n", describe(kernel.error()).c_str()), std::exit(1);
  DProbe probe = probe_of_hit();
  if (!kernel->add_probes({&probe, 1})) std::abort();
  auto loaded = kernel->program(DHook::Uprobe);
  if (!loaded) std::printf("%s\n", describe(loaded.error()).c_str()), std::exit(1);
  auto probes = test::armed(
      *kernel, test::site_at(reinterpret_cast<void*>(hit), {{.probe = 0, .kind = DFiring::Kind::Entry}}), mechanism);
  if (!probes) std::printf("%s\n", describe(probes.error()).c_str()), std::exit(1);
  auto ring = *RingReader::map(kernel->ring(), kernel->ring_bytes());
  double best = 1e9;
  uint64_t records = 0;
  for (int round = 0; round < 5; round++) {
    double began = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < hits; i++) hit();
    best = std::min(best, seconds(CLOCK_THREAD_CPUTIME_ID) - began);
    test::drain(ring, [&](const d_record&, std::span<const std::byte>) { records++; });
  }
  uint64_t lost = 0;
  for (uint64_t of_cpu : kernel->take_lost().records) lost += of_cpu;
  std::printf("%-24s %6.1f ms %8.0f ns %10.0f/s  %lu records, %lu lost\n", row.what, startup * 1e3,
              best / static_cast<double>(hits) * 1e9, static_cast<double>(hits) / best,
              static_cast<unsigned long>(records), static_cast<unsigned long>(lost));
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  long hits = argc > 1 ? std::atol(argv[1]) : 200'000;
  for (const strut::Row& row : strut::kRows) strut::measure(row, hits);
}

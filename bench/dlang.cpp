// Cost of D in the interpreter: false predicates, clauses that count, clauses that print.
//
// make build/release/bench-dlang. Usage: bench-dlang [FIRINGS]. One line per program: nanoseconds a firing and firings
// a second, best of five rounds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "dlang/compiler/compile.hpp"
#include "dlang/machine/machine.hpp"
#include "dlang/output/formatter.hpp"

namespace strut {
namespace {

/// A probe of a thread without state; its memory is one string.
class Probe : public ProbeContext, public Memory {
 public:
  uint64_t now = 0;
  uint64_t integer(DBuiltin which) override { return which == DBuiltin::Timestamp ? now += 100 : 4711; }
  std::string_view text(DBuiltin) override { return "firefox"; }
  uint64_t argument(uint32_t index) override { return now + index; }
  uint64_t user_register(uint32_t) override { return 0; }
  uint64_t member(DSubject, uint64_t, DMemberName) override { return 0; }
  std::string_view member_text(DSubject, uint64_t, DMemberName) override { return {}; }
  Memory& memory() override { return *this; }
  size_t user_stack(std::span<uint64_t>) override { return 0; }
  bool is_progeny_of(int64_t) override { return false; }
  ReadOutcome read(Addr, std::span<std::byte>) override { return {}; }
  ReadOutcome read_string(Addr, std::span<char> out) override {
    static constexpr char kPath[] = "/usr/lib/x86_64-linux-gnu/libc.so.6";
    std::copy_n(kPath, std::min(sizeof kPath, out.size()), out.begin());
    return {sizeof kPath, false};
  }
};

class NoConsumer : public DSymbolizer, public DConsole {
 public:
  std::string name(uint64_t, uint64_t, DShape::Kind) override { return {}; }
  void write(std::string_view) override {}
  void exit(int32_t) override {}
  void system(const std::string&) override {}
  void freopen(const std::string&) override {}
  void ftruncate() override {}
  void setopt(const std::string&, const std::string&) override {}
};

/// Fires so many times; the text goes into a buffer that is emptied at 64 KiB, as an output would.
double ns_per_firing(const DProgram& program, size_t firings) {
  double best = 1e9;
  for (int round = 0; round < 5; round++) {
    DMachine machine(program, {});
    Probe probe;
    NoConsumer none;
    DTextStyle style{.quiet = true};
    DFormatter formatter(program, machine.aggregations(), none, none, style);
    std::string out;
    auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < firings; i++) {
      machine.begin_firing();
      for (uint32_t clause = 0; clause < program.clauses.size(); clause++)
        formatter.report(out, machine.run(clause, probe).record);
      if (out.size() > 65536) out.clear();
    }
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / static_cast<double>(firings));
  }
  return best;
}

void measure(const char* name, const char* text, size_t firings) {
  DSource source{text};
  auto program = compile_d({.sources = {&source, 1}});
  if (!program) {
    std::printf("%-22s %s\n", name, describe(program.error()).c_str());
    std::exit(1);
  }
  double ns = ns_per_firing(*program, firings);
  std::printf("%-22s %8.1f ns %12.0f a second\n", name, ns, 1e9 / ns);
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) {
  size_t firings = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 300'000;
  strut::measure("predicate: pid", "p:::/pid == 1 && arg0 > 5/{ printf(\"%d\", pid); }", firings);
  strut::measure("predicate: execname", "p:::/execname == \"bash\"/{ trace(execname); }", firings);
  strut::measure("count by string", "p:::{ @[execname] = count(); }", firings);
  strut::measure(
      "quantize of a time",
      "p:::{ self->t = timestamp; } p:::/self->t/{ @[probefunc] = quantize(timestamp - self->t); self->t = 0; }",
      firings);
  strut::measure("printf of numbers", "p:::{ printf(\"%d %d %x\\n\", pid, tid, arg0); }", firings);
  strut::measure("printf of a path", "p:::{ printf(\"%-16s %6d %s\\n\", execname, pid, copyinstr(arg0)); }", firings);
}

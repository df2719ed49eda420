// One program, run by DMachine and in the kernel, on the same firing of this process: the results must be the same.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dlang/machine/machine.hpp"
#include "dlang/machine/probe_context.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/transport/ring_reader.hpp"
#include "procfs/remote_memory.hpp"

namespace strut::test {

/// This thread as a probe sees it.
class LiveProbe : public ProbeContext {
 public:
  LiveProbe();
  /// Built-ins that have the same value for both.
  static bool knows(DBuiltin which);

  uint64_t integer(DBuiltin which) override;
  std::string_view text(DBuiltin which) override;
  uint64_t argument(uint32_t index) override { return index < arguments.size() ? arguments[index] : 0; }
  uint64_t user_register(uint32_t) override { return 0; }
  uint64_t member(DSubject subject, uint64_t which, DMemberName member) override;
  std::string_view member_text(DSubject subject, uint64_t which, DMemberName member) override;
  Memory& memory() override { return memory_; }
  size_t user_stack(std::span<uint64_t>) override { return 0; }
  bool is_progeny_of(int64_t pid) override;
  bool raise(int64_t) override { return true; }
  bool write_memory(Addr at, std::span<const std::byte> bytes) override;

  std::vector<uint64_t> arguments;

 private:
  RemoteMemory memory_;
  std::string text_;
};

/// The end of a clause's run, as far as it is visible.
struct ClauseOutcome {
  uint32_t clause = 0;
  DFault fault = DFault::None;
  uint64_t address = 0;
  uint32_t code = 0;
  std::vector<std::byte> record;
  bool operator==(const ClauseOutcome&) const = default;
};
std::string describe(const std::vector<ClauseOutcome>& outcomes);

class KernelScene {
 public:
  /// Error: the program cannot be run in the kernel.
  static Result<std::unique_ptr<KernelScene>> create(const DProgram& program, const DLimits& limits);
  /// Fires all clauses, in both. Empty: it was the same; else the difference.
  std::string fire(const std::vector<uint64_t>& arguments);

  DProgram program;
  std::vector<uint32_t> clauses;
  std::unique_ptr<DKernelProgram> kernel;
  std::unique_ptr<RingReader> ring;
  std::unique_ptr<DMachine> machine;
  std::unique_ptr<DAggregations> taken;
  LiveProbe probe;

 private:
  std::vector<ClauseOutcome> interpreted();
  std::vector<ClauseOutcome> recorded();
  std::string compare_aggregations();
};

/// The instructions of all programs that were compared so far.
std::set<DOp>& compared_instructions();

/// Whether a program uses a value that differs from run to run or is printed otherwise: nullptr: none.
const char* incomparable(const DProgram& program);

}  // namespace strut::test

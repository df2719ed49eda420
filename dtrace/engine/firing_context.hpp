// Facts about a live process for clauses: from the thread that is stopped at a probe, or, for strut's own probes, from
// strut.
#pragma once

#include <memory>
#include <string>

#include "dlang/machine/engine.hpp"
#include "dlang/machine/probe_context.hpp"
#include "syscalls/abi.hpp"
#include "trace/probe_host.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// The facts of a firing when it begins.
struct FiringFacts {
  const DProbe* probe = nullptr;
  HaltedThread* thread = nullptr;         ///< nullptr: strut's own
  std::span<const uint64_t> arguments{};  ///< arg0 …
  Addr more_arguments{};                  ///< where those behind are, 8 bytes each, in its memory; 0: they are 0
  uint32_t unread = 0;                    ///< a bit for each argument that is an address that could not be read
  std::span<const SiteOperand> variables{};  ///< DProgram::program_variables
  int error = 0;                          ///< errno, at a failed call's return
  Abi abi = Abi::X86_64;                  ///< for a call
  uint64_t time_ns = 0;                   ///< CLOCK_MONOTONIC
};

/// Used for one firing after the other. More than half of its methods are ProbeContext's.
class FiringContext final : public ProbeContext {
 public:
  /// `self`: strut's pid as users know it. `unwinder`: for stacks of threads; outlives this. nullptr: no stacks are
  /// requested.
  FiringContext(Pid self, Unwinder* unwinder) : self_(self), unwinder_(unwinder) {}

  void begin(const FiringFacts& facts);
  /// Which clause is about to run: D's epid.
  void set_enabling(uint32_t id) { epid_ = id; }
  Pid pid() const { return pid_; }
  Tid tid() const { return tid_; }
  uint32_t cpu();
  uint64_t time_ns() const { return facts_.time_ns; }

  uint64_t integer(DBuiltin which) override;
  std::string_view text(DBuiltin which) override;
  uint64_t argument(uint32_t index) override;
  bool is_unread(uint32_t index) override { return (facts_.unread >> index & 1) != 0; }
  std::string_view typed_argument_text(uint32_t index) override;
  SiteValue program_variable(uint32_t index) override;
  uint64_t user_register(uint32_t index) override;
  uint64_t member(DSubject subject, uint64_t which, DMemberName member) override;
  std::string_view member_text(DSubject subject, uint64_t which, DMemberName member) override;
  Memory& memory() override;
  size_t user_stack(std::span<uint64_t> frames) override;
  bool is_progeny_of(int64_t pid) override;
  bool raise(int64_t signal) override;
  bool stop() override;
  bool chill(uint64_t ns) override;
  bool write_memory(Addr at, std::span<const std::byte> bytes) override;

 private:
  uint64_t caller();
  uint64_t known(DMemberName member, uint64_t value) const;
  uint64_t thread_time_ns() const;
  std::string_view keep(std::string text);

  Pid self_;
  Unwinder* unwinder_;
  FiringFacts facts_;
  Pid pid_{};
  Tid tid_{};
  uint32_t epid_ = 0;
  int cpu_ = -1;  ///< -1: not asked for in this firing
  std::string text_;
  std::unique_ptr<Memory> own_memory_;
};

}  // namespace strut

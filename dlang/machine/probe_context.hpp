// Facts about the probe that fired, for clauses. Implemented by backends and by tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/ids.hpp"
#include "base/memory.hpp"
#include "dlang/language/builtin.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// One firing of one probe, while its thread is stopped there. A string is valid until the next one is requested. An
/// unknown value is 0 or empty; it is no fault of the clause.
class ProbeContext {
 public:
  virtual ~ProbeContext() = default;

  /// The value in 64 bits, extended as the variable's type says (builtins.inc).
  virtual uint64_t integer(DBuiltin which) = 0;
  virtual std::string_view text(DBuiltin which) = 0;

  /// argN, index < kDArguments.
  virtual uint64_t argument(uint32_t index) = 0;
  /// argN has no value: argument() is the address that could not be read.
  virtual bool is_unread([[maybe_unused]] uint32_t index) { return false; }
  /// args[index], of the type that DProbeTypes gives.
  virtual uint64_t typed_argument(uint32_t index) { return argument(index); }
  virtual std::string_view typed_argument_text([[maybe_unused]] uint32_t index) { return {}; }
  /// DProgram::program_variables[index] at the probe's site.
  virtual SiteValue program_variable([[maybe_unused]] uint32_t index) { return {}; }
  /// index < kDRegisters.
  virtual uint64_t user_register(uint32_t index) = 0;

  virtual uint64_t member(DSubject subject, uint64_t which, DMemberName member) = 0;
  virtual std::string_view member_text(DSubject subject, uint64_t which, DMemberName member) = 0;

  /// The memory of the probe's process.
  virtual Memory& memory() = 0;
  /// Fills in return addresses, the innermost first; how many there were room for.
  virtual size_t user_stack(std::span<uint64_t> frames) = 0;
  virtual size_t kernel_stack([[maybe_unused]] std::span<uint64_t> frames) { return 0; }
  /// True if `pid` is the probe's process or one of its ancestors.
  virtual bool is_progeny_of(int64_t pid) = 0;

  // Changes of the target, only in programs that were allowed to be destructive. False: it cannot be done here.
  virtual bool raise([[maybe_unused]] int64_t signal) { return false; }
  virtual bool stop() { return false; }
  virtual bool chill([[maybe_unused]] uint64_t ns) { return false; }
  virtual bool write_memory([[maybe_unused]] Addr at, [[maybe_unused]] std::span<const std::byte> bytes) {
    return false;
  }
};

}  // namespace strut

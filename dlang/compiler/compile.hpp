// From the text of D programs to code.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/language/source.hpp"

namespace strut {

/// What args[N] of a probe is.
struct DArgumentType {
  enum class Kind : uint8_t { Integer, Text, Process, Thread, File } kind = Kind::Integer;
  std::string type = "int64_t";  ///< of an integer: a name of D's, "int", "size_t", "char *"
  bool is_of_call = false;  ///< an argument of a system call that is about to be made: it can be decoded as strace does
};

/// What providers know about their probes before they are placed.
class DProbeTypes {
 public:
  virtual ~DProbeTypes() = default;
  /// The types of args[0] …; nullopt: the probes that this describes have no typed arguments, or not the same ones.
  virtual std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription& probes) const = 0;
};

struct DCompileRequest {
  std::span<const DSource> sources;
  const DMacros* macros = nullptr;
  const DProbeTypes* types = nullptr;  ///< nullptr: no probe has typed arguments
  DSettings settings{};                ///< -x; the sources' own `#pragma D option` come on top
};

/// Compiles all sources as one program. The first error ends it. What is returned passes verify().
std::expected<DProgram, Diagnostic> compile_d(const DCompileRequest& request);

}  // namespace strut

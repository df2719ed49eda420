// From the text of D programs to code.
#pragma once

#include <algorithm>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/language/source.hpp"

namespace strut {

class DTypeSource;
class DTypes;
struct DType;

/// A variable of the program that is probed, at a probe.
struct DProgramVariableType {
  const DType* type = nullptr;
  bool is_address = false;  ///< as in DProgramVariable
};

/// The type of a probe's args[N].
struct DArgumentType {
  enum class Kind : uint8_t {
    Integer,
    Text,
    Process,
    Thread,
    File,
    Computed,  ///< `value`
  } kind = Kind::Integer;
  std::string type = "int64_t";  ///< for an integer, in D's spelling: "int", "size_t", "char *"; Computed: any type
  bool is_of_call = false;  ///< an argument of a system call that is about to be made: it can be decoded as strace does
  std::string value{};      ///< Computed: an expression in D of arg0 …, or `xlate <type>(…)`
};

/// Whether a clause can name the arguments of both.
inline bool are_alike(const std::vector<DArgumentType>& some, const std::vector<DArgumentType>& others) {
  return std::ranges::equal(some, others, [](const auto& a, const auto& b) {
    return a.kind == b.kind && a.type == b.type && a.value == b.value;
  });
}

/// Facts that providers have about their probes before these are placed.
class DProbeTypes {
 public:
  virtual ~DProbeTypes() = default;
  /// The types of args[0] …, none where the probes have no typed arguments; nullopt: they do not all have the same.
  virtual std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription& probes) const = 0;
  /// The variable that a clause of such probes names (`count, a.out`count), with a type of `types`. Error: why there is
  /// none.
  virtual std::expected<DProgramVariableType, std::string> variable([[maybe_unused]] const ProbeDescription& probes,
                                                                    [[maybe_unused]] std::string_view name,
                                                                    [[maybe_unused]] DTypes& types) const {
    return std::unexpected("Unknown symbol name");
  }
  /// An expression in D that is not 0 where such a probe fires; empty: they always do.
  virtual std::string condition([[maybe_unused]] const ProbeDescription& probes) const { return {}; }
  /// Whether there is the provider or the kernel module that `#pragma D depends_on` names.
  virtual bool has(DOption::Kind kind, std::string_view name) const = 0;
};

struct DCompileRequest {
  std::span<const DSource> sources;
  const DMacros* macros = nullptr;
  const DProbeTypes* types = nullptr;    ///< nullptr: no probe has typed arguments
  DSettings settings{};                  ///< -x; the sources' own `#pragma D option` come on top
  std::span<const DSource> libraries{};  ///< declarations that precede the sources; clauses in them are dropped
  DTypeSource* structures = nullptr;     ///< that need no declaration: the kernel's
};

/// Compiles all sources as one program. The first error ends it. The result passes verify().
std::expected<DProgram, Diagnostic> compile_d(const DCompileRequest& request);

}  // namespace strut

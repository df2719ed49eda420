// The options of a run: -x name=value, #pragma D option name=value, setopt().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dlang/language/stability.hpp"

namespace strut {

/// DTrace Guide, "Options and Tunables", with its defaults. Options that a backend does not use are accepted.
struct DSettings {
  enum class BufferPolicy : uint8_t { Switch, Ring, Fill };
  enum class EvalTime : uint8_t { Exec, Preinit, Postinit, Main };

  // sizes in bytes
  uint64_t strsize = 256;  ///< the longest string, without its NUL
  uint64_t bufsize = 4 << 20;
  uint64_t aggsize = 4 << 20;
  uint64_t dynvarsize = 1 << 20;
  uint64_t specsize = 32 << 10;
  uint64_t jstackstrsize = 512;
  uint64_t scratchsize = 0;  ///< for alloca() and copyin() in a firing; 0: as much as there is
  // counts
  uint64_t nspec = 1;
  uint64_t stackframes = 20;
  uint64_t ustackframes = 100;
  uint64_t jstackframes = 50;
  uint64_t stackindent = 14;
  uint64_t maxframes = 0;  ///< 0: no other limit than the two above
  uint64_t aggsortpos = 0;
  uint64_t aggsortkeypos = 0;
  uint64_t maxhits = 0;  ///< 0: as many as there are
  uint64_t ignore = 0;
  uint64_t iregs = UINT32_MAX;  ///< integer registers of a clause's code
  uint64_t tregs = 8;           ///< keys of an associative array
  uint64_t maxprobes = 0;       ///< pid probes, and uprobes that others would pay for; 0: not said
  static constexpr uint64_t kUsualProbes = 500'000;
  uint64_t most_probes() const { return maxprobes != 0 ? maxprobes : kUsualProbes; }
  // times between two of them, in nanoseconds
  uint64_t switchrate_ns = 1'000'000'000;
  uint64_t aggrate_ns = 1'000'000'000;
  uint64_t cleanrate_ns = 9'900'990;
  uint64_t statusrate_ns = 1'000'000'000;
  // yes or no
  bool quiet = false;
  bool flowindent = false;
  bool destructive = false;
  bool defaultargs = false;
  bool rawbytes = false;
  bool errtags = false;
  bool droptags = false;
  bool zdefs = false;
  bool noresolve = false;
  bool nolibs = false;
  bool aggsortkey = false;
  bool aggsortrev = false;
  bool agghist = false;  ///< numbers with bars
  bool aggpack = false;  ///< a distribution is a line
  bool aggzoom = false;  ///< bars as long as the largest count permits
  bool empty = false;    ///< a program may have no clause
  bool argref = false;   ///< macro arguments need not be used
  bool cpp = false;      ///< -C
  bool show_code = false;
  bool opcode = false;  ///< names of pid's offset probes begin with the instruction's mnemonic

  /// The least stability of names in a program.
  DStability amin{DStability::Level::Internal, DStability::Level::Internal, DStability::Class::Unknown};
  BufferPolicy bufpolicy = BufferPolicy::Switch;
  EvalTime evaltime = EvalTime::Exec;

  std::string cpppath;                 ///< empty: the cpp that there is
  std::vector<std::string> cpp_words;  ///< -D, -U, -I, -H and others
  std::vector<std::string> libdirs;    ///< -L: folders of D libraries
};

/// The place of an option: some are the command line's alone.
enum class OptionFrom : uint8_t { CommandLine, Program };

/// Sets an option. Sizes end in k, m, g or t; times in ns, us, ms, s, m, h, d or hz (nothing: hz); yes-or-no options
/// have no value, or 1 or 0. The error's `why` is DTrace's reason, its advice the values that are permitted.
Result<void> apply_option(DSettings& settings, std::string_view name, std::string_view value, OptionFrom from);

}  // namespace strut

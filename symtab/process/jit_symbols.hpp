// Names of JIT code, as a process's JIT compiler reports them to perf(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "procfs/maps.hpp"

namespace strut {

class ByteReader;

/// Ranges of addresses of a process with a name each. Later ranges replace those that they overlap: a JIT reuses
/// memory.
class JitSymbols {
 public:
  struct Found {
    std::string_view name;  ///< lives as long as the object is not read into
    uint64_t offset = 0;    ///< bytes from the beginning of the code
  };

  /// "START SIZE NAME" lines, both numbers hexadecimal (perf's jit-interface.txt). Malformed lines are left out.
  void read_perf_map(std::string_view text);
  /// A jitdump file (perf's jitdump-specification.txt), up to the first record that is cut or malformed.
  void read_jitdump(std::span<const std::byte> bytes);

  std::optional<Found> at(Addr address) const;
  size_t size() const { return ranges_.size(); }

 private:
  struct Range {
    uint64_t end;
    std::string name;
  };
  void read_record(uint32_t type, ByteReader record);
  void add(uint64_t begin, uint64_t bytes, std::string_view name);
  void make_room(uint64_t begin, uint64_t end);

  std::map<uint64_t, Range> ranges_;  ///< by beginning; none overlaps another
};

/// True of a path that perf takes for a jitdump file: jit-NUMBER.dump.
bool is_jitdump(std::string_view path);

/// The paths of those files, as strut can open them; the perf map first, whether it exists or not.
std::vector<std::string> jit_files(Pid pid, std::span<const Mapping> mappings);

/// The files of a process's JIT: /tmp/perf-PID.map and the jitdump file that it has mapped, both as the process sees
/// them (its root, its pid in its own pid namespace). Only files that belong to the process's user or to root are used.
JitSymbols read_jit_symbols(Pid pid, std::span<const Mapping> mappings);

}  // namespace strut

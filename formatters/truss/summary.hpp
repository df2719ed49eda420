// The tables at the end of a truss -c: a Sink that only writes when it finishes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formatters/common/output.hpp"
#include "formatters/common/text_buffer.hpp"
#include "formatters/truss/style.hpp"
#include "trace/sink.hpp"

namespace strut {

struct TrussCounts {
  struct Syscall {
    std::string name;
    uint64_t calls = 0, errors = 0, system_ns = 0;
  };
  struct Function {
    std::string module, name;
    uint64_t calls = 0;
  };
  std::map<std::string, uint64_t> faults, signals;  ///< by name
  std::vector<Function> functions;                  ///< by module; in each the most called first
  std::map<std::pair<Abi, uint32_t>, Syscall> syscalls;
  std::optional<uint64_t> user_ns;
  uint64_t elapsed_ns = 0;
};

using TrussCountsText = void(TextBuffer& out, const TrussCounts& counts);
TrussCountsText put_truss_counts_table;
TrussCountsText put_truss_counts_json;  ///< an object a line (docs/json.md)

/// Counts faults, signals, calls of functions and of the system. `user_ns`: CPU time that the targets have spent in
/// user code since it was made, as far as that is known; asked for now and then, and at the end. Needs
/// Call::system_time_ns.
std::unique_ptr<Sink> make_truss_summary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns,
                                         std::shared_ptr<Output> output,
                                         TrussCountsText* text = put_truss_counts_table);

}  // namespace strut

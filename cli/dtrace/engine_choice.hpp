// The engine of a D program: as the user asked, or chosen by the request and this machine's permissions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "cli/common/message.hpp"
#include "cli/common/own_options.hpp"
#include "cli/common/uprobe_permission.hpp"
#include "dlang/machine/engine.hpp"
#include "dtrace/providers/pid_probes.hpp"

namespace strut {

/// A program's requirements on its engine.
enum class DNeeds : uint8_t {
  None,  ///< BEGIN, END, ERROR, tick
  Processes,
  Code,  ///< probes in processes
};

struct DWish {
  DNeeds needs = DNeeds::None;
  UprobeLoad load;  ///< for its probes, as uprobes
  UprobeWish uprobes;
  bool is_interpreted = false;  ///< wants_interpreter(), and there are processes to trace
  bool reads_kernel = false;    ///< reads_kernel()
};

/// True: the program uses json(), which no kernel program can.
bool wants_interpreter(const DProgram& program);

/// The uprobes that probes become.
UprobeDemand uprobe_demand(const DCode& code);
std::vector<UprobeDemand> uprobe_demands(std::span<const PidFound> found);

/// No process, and nothing of the kernel: the interpreter alone, which costs nothing to start. Else kassist where it is
/// possible and can run the program, else ptrace. Error: kassist was asked for and is impossible, or its uprobes need
/// to be permitted (backend_for()). `messages`, which outlives it, gets what users should know of probes that are
/// armed.
Result<std::unique_ptr<DEngine>> make_d_engine(const OwnOptions& own, const DWish& wish, Messages& messages);

/// Why make_d_engine() takes the engine of this name, as lines of text that begin with it.
std::string explain_engine(const OwnOptions& own, const DWish& wish, std::string_view name);

}  // namespace strut

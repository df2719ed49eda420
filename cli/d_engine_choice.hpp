// Which engine runs a D program: the user's word, or what is asked and what this machine permits.
#pragma once

#include <memory>

#include "cli/own_options.hpp"
#include "core/result.hpp"
#include "dlang/engine.hpp"

namespace strut {

/// What a program wants of its engine.
enum class DNeeds : uint8_t {
  Nobody,  ///< BEGIN, END, ERROR, tick
  Processes,
  Code,  ///< of processes, probed
};

/// Nobody: the interpreter alone, which costs nothing to start. Else kassist where nothing stands in its way, else
/// ptrace. Error: kassist was asked for, and something does.
Result<std::unique_ptr<DEngine>> make_d_engine(const OwnOptions& own, DNeeds needs);

}  // namespace strut

// The arguments of a new program, for an execve without its own memory present.
#pragma once

#include <string>
#include <vector>

#include "kassist/transport/captured_memory.hpp"
#include "kassist/transport/order.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// The strings on a new program's stack.
struct NewProgram {
  std::string name;          ///< the path that execve was called with
  bool interpreted = false;  ///< a script: its interpreter's arguments took the place of argv[0]
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
};

/// From a WIRE_EXEC record; nullopt: the record does not have them.
std::optional<NewProgram> new_program(const Order::Entry& entry);

/// Supplies the missing strings of the call: those that its vectors point to are the new program's, in order.
void supply_strings(CapturedMemory& memory, const Call& call, const NewProgram& program);

}  // namespace strut

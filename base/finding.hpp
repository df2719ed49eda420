// A feature of this machine: whether it works here, and the remedy if it does not.
#pragma once

#include <cstdint>
#include <string>

namespace strut {

struct Finding {
  std::string feature;  ///< "attach to a child (PTRACE_SEIZE)"
  enum class State : uint8_t { Works, Limited, Missing } state = State::Works;
  bool needed = false;  ///< nothing works without it
  std::string why;      ///< behind anything but Works, and as a remark; may be empty
  std::string advice;   ///< a remedy for the user; may be empty
};

}  // namespace strut

// What looking at this machine found out: one feature, whether it works here, and what to do if not.
#pragma once

#include <cstdint>
#include <string>

namespace strut {

struct Finding {
  std::string feature;  ///< "attach to a child (PTRACE_SEIZE)"
  enum class State : uint8_t { Works, Limited, Missing } state = State::Works;
  bool needed = false;  ///< nothing works without it
  std::string why;      ///< behind anything but Works, and as a remark; may be empty
  std::string advice;   ///< what the user can do; may be empty
};

}  // namespace strut

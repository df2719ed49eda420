// Threads of strut's that do not report leave its signals to the one that does.
#pragma once

#include <thread>
#include <utility>

#include "process/interruption.hpp"

namespace strut {

std::thread without_signals(auto work) {
  SignalsHeldBack held_back;
  return std::thread(std::move(work));
}

}  // namespace strut

// trace/launch_watch by ptrace(2).
#pragma once

#include <memory>

#include "trace/launch_watch.hpp"

namespace strut {

std::unique_ptr<LaunchWatch> make_launch_watch();

}  // namespace strut

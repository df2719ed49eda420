// The command line of `strut doctor`.
#pragma once

#include "cli/common/command_line.hpp"

namespace strut {

extern const CommandText kDoctorCommand;

}  // namespace strut

// Names of ioctl commands, from the UAPI headers of Linux 7.2.
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// The command's name, or names where several subsystems use one number (`SNDCTL_TMR_START or TCSETS`) and the
/// descriptor does not decide between them. Commands with a size or number that is a parameter are written with it:
/// EVIOCGNAME(256). Absent: no header has it.
Value ioctl_name(Decoder& decoder, uint32_t command);

}  // namespace strut

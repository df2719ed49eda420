// Names of ioctl commands, from the UAPI headers of Linux 7.2.
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// The command's name, or names where several subsystems use one number (`SNDCTL_TMR_START or TCSETS`) and the
/// descriptor does not say which it is. Commands whose size or number is a parameter are written with it:
/// EVIOCGNAME(256). Absent: no header knows it.
Value ioctl_name(Decoder& decoder, uint32_t command);

}  // namespace strut

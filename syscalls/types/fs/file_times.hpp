// Times of files as utime(2), utimes(2) and utimensat(2) set them, with their calendar dates as comments.
#pragma once

#include "syscalls/type.hpp"

namespace strut {

extern const Type kUtimbuf;          ///< struct utimbuf of utime
extern const Type kFileTimevals;     ///< two struct timeval of utimes, futimesat
extern const Type kFileTimespecs;    ///< two struct timespec of utimensat; UTIME_NOW and UTIME_OMIT have names
extern const Type kFileTimespecs64;  ///< with 64 bits in every ABI

}  // namespace strut

#include "process/wait_status.hpp"

namespace strut {

int wait_status_of(const siginfo_t& info) {
  switch (info.si_code) {
    case CLD_EXITED: return (info.si_status & 0xff) << 8;
    case CLD_KILLED: return info.si_status & 0x7f;
    case CLD_DUMPED: return (info.si_status & 0x7f) | 0x80;
    default: return info.si_status << 8 | 0x7f;
  }
}

}  // namespace strut

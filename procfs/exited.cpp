#include "procfs/exited.hpp"

#include "procfs/process_status.hpp"

namespace strut {

bool has_exited(Pid pid) {
  auto status = process_status(leader_of(pid));
  return !status || (status->state == 'Z' && status->threads <= 1);
}

}  // namespace strut

#include "kassist/loader/restriction.hpp"

#include "process/caller.hpp"
#include "procfs/pid_namespace.hpp"

namespace strut {

wire_caller restriction() {
  Caller caller = Caller::of_this_process();
  uint32_t pid_namespace = numbers_are_the_kernels().value_or(true) ? 0 : own_pid_namespace();
  if (!caller.is_restricted) return {.pid_namespace = pid_namespace};
  return {caller.capabilities, 1, caller.uid, caller.gid, static_cast<uint32_t>(caller.user_namespace), pid_namespace};
}

}  // namespace strut

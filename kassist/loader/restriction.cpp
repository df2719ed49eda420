#include "kassist/loader/restriction.hpp"

#include "process/caller.hpp"

namespace strut {

wire_caller restriction() {
  Caller caller = Caller::of_this_process();
  if (!caller.is_restricted) return {};
  return {caller.capabilities, 1, caller.uid, caller.gid, static_cast<uint32_t>(caller.user_namespace)};
}

}  // namespace strut

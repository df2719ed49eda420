// The context operations of plans: which numbers are looked up, and when.
#pragma once

#include <cstdint>
#include <vector>

#include "kassist/wire/wire.h"
#include "syscalls/call.hpp"
#include "trace/request.hpp"

namespace strut {

/// The context that a request will show: bits of enum wire_around.
uint32_t surroundings_wanted(const TraceRequest& request);

/// The op that looks behind a number of this kind (enum wire_op_kind); 0: none is wanted. `around`: as above.
uint8_t op_behind(Kind kind, uint32_t around);

/// Calls `each` with every kind that a number may be of: it may be one thing or another.
template <typename Each>
void each_meaning(const Type& type, Each each) {
  if (type.kind == Kind::Either) {
    each_meaning(*type.choice->then, each);
    return each_meaning(*type.choice->otherwise, each);
  }
  if (type.kind != Kind::Fd || !type.unnamed) each(type.kind);
  if (type.reads) each_meaning(*type.reads, each);
}

/// Ops on the call's registers whatever its arguments' types say, because its decoder asks. Of a multiplexer the
/// command is in its register.
struct Looks {
  std::vector<wire_op> enter, exit;
};
Looks looks_of(const Call& call, uint32_t around);

/// True if the context of the call must be captured at its entry, since it may differ at the return.
bool surroundings_change(const SyscallDesc& desc, uint32_t around);

}  // namespace strut

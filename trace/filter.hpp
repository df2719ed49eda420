// Which calls a request lets through.
#pragma once

#include "syscalls/call.hpp"
#include "trace/request.hpp"

namespace strut {

/// True if the request's paths and descriptors let this call through: one of its decoded descriptors or paths matches,
/// or the request names none. Looks at the values decoded at enter; a call with pointers that were not followed, or one
/// that is shown raw is decoded once more in this scene. Paths of descriptors are known only if
/// DecodeOptions::fd_targets is set: a request with paths sets it.
bool touches(const TraceRequest& request, const Call& call, DecodeContext scene, const DecodedCall& decoded);

/// The status filter at a call's exit.
bool passes(const StatusFilter& filter, const Call& call);

}  // namespace strut

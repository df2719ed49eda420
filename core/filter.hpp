// Which calls a request lets through.
#pragma once

#include "core/call.hpp"
#include "core/request.hpp"

namespace strut {

/// True if the request's paths and descriptors let this call through: one of its decoded descriptors or paths matches,
/// or the request names none. Looks at what was decoded at enter (or at exit, for a call seen only then).
bool touches(const TraceRequest& request, const Call& call, const DecodedCall& decoded);

/// The status filter at a call's exit.
bool passes(const StatusFilter& filter, const Call& call);

}  // namespace strut

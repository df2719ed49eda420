// A terse text of decoded values, so that tests have one line of expected text. No format of the product's.
#pragma once

#include <string>

#include "syscalls/call.hpp"
#include "syscalls/value.hpp"

namespace strut::test {

/// E.g. {tv_sec=1, tv_nsec=2}, [1 => 2], "abc"..., bad:0x10, unseen:0x20, NULL, 0x1f, fd:3.
std::string show(const Value& value);
/// The arguments, "; " between them, `|` behind the ready ones: `fd:3; |; ?; 10`.
std::string show(const DecodedCall& decoded);

}  // namespace strut::test

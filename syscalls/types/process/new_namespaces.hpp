// Which namespaces a call put a process into (-e namespace=new; strace(1)).
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// What stands behind the result of a call that succeeded: `net:[4026532177], uts:[4026532178]`, by the CLONE_NEW bits
/// that the call was given. Nothing unless DecodeOptions::new_namespaces.
Value unshare_aux(Decoder& decoder);
Value setns_aux(Decoder& decoder);
Value clone_aux(Decoder& decoder);
Value clone3_aux(Decoder& decoder);

}  // namespace strut

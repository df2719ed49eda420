// Which namespaces a call put a process into (-e namespace=new; strace(1)).
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// The text after the result of a call that succeeded: `net:[4026532177], uts:[4026532178]`, by the passed CLONE_NEW
/// bits. Nothing unless DecodeOptions::new_namespaces.
Value unshare_aux(Decoder& decoder);
Value setns_aux(Decoder& decoder);
Value clone_aux(Decoder& decoder);
Value clone3_aux(Decoder& decoder);

}  // namespace strut

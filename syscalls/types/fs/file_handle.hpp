// struct file_handle: name_to_handle_at(2), open_by_handle_at(2).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

struct DecodedCall;

/// A handle that the call takes.
extern const Type kFileHandle;
/// name_to_handle_at's arguments: the handle's size is known before the call and may be another behind it.
void decode_name_to_handle(Decoder& decoder, DecodedCall& out);

}  // namespace strut

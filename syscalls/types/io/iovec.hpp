// struct iovec: arrays of buffers, readv(2).
#pragma once

#include <functional>

#include "syscalls/type.hpp"

namespace strut {

class Decoder;

extern const Type kIovec;          ///< one buffer as address and length, never followed
extern const Type kIovecsWritten;  ///< a buffer that the call reads: all of it is shown
extern const Type kIovecsRead;     ///< an array of buffers that the call fills, with as many bytes as its result

/// `count` buffers with their contents, `most` bytes of all of them together.
Value decode_iovecs(Decoder& decoder, Addr at, uint64_t count, uint64_t most);
/// With another source for the content of a buffer.
using IovecContent = std::function<Value(Addr at, uint64_t bytes)>;
Value decode_iovecs(Decoder& decoder, Addr at, uint64_t count, uint64_t most, const IovecContent& content);

}  // namespace strut

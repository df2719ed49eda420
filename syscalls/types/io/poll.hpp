// Waiting for descriptors: poll(2), select(2), and their variants.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

extern const ConstantSet kPollEvents;
extern const Type kPollfd;  ///< the request: {fd, events}

/// The ready descriptors of a call with two first arguments that are an array of struct pollfd and its length, and the
/// remaining time of argument 2, if it points to a structure.
Value decode_poll_result(Decoder& decoder);

/// A pointer to as many bits as argument 0 says.
Value decode_fd_set(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kFdBits = notation::holding(kWhole<(1u << 17)>, Type::Holds::FdSet);
inline constexpr Type kFdSetRead = notation::pointer_to(kFdBits, notation::by_arg_bits(0));
inline constexpr Type kFdSet = notation::reading(notation::custom(decode_fd_set), kFdSetRead);
/// The last argument of pselect6(2): {sigmask, sigsetsize}.
extern const Type kSigmask;
/// The ready descriptors of arguments 1 to 3, and the remaining time of argument 4.
Value decode_select_result(Decoder& decoder);

}  // namespace strut

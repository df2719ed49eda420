// struct user_desc of <asm/ldt.h>: set_thread_area(2), modify_ldt(2), and clone(2)'s tls on i386.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

extern const Type kUserDesc;
inline constexpr Type kUserDescPointer = notation::pointer_to(kUserDesc);

/// get_thread_area(2)'s: where it failed, the entry that was asked for.
Value decode_user_desc_asked(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kUserDescAsked = notation::custom(decode_user_desc_asked, 16, Width::B4);

/// modify_ldt(2)'s pointer: a user_desc if argument 2 says that many bytes.
inline constexpr Type kLdtPointer = notation::kEither<arg_is<2, 16>, kUserDescPointer, notation::kAddress>;

/// Behind set_thread_area(2)'s result: the entry that the kernel took.
Value thread_area_entry(Decoder& decoder);

/// modify_ldt(2) returns an int: an error is a positive long to 64-bit callers, and shown as one.
Value show_ldt_result(Decoder& decoder, uint64_t bits);
inline constexpr Type kLdtResult = notation::shown_by(show_ldt_result);
Value ldt_error(Decoder& decoder);

}  // namespace strut

// struct user_desc of <asm/ldt.h>: set_thread_area(2), modify_ldt(2), and clone(2)'s tls on i386.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

Value decode_user_desc(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kUserDesc = notation::custom(decode_user_desc, 16, Width::B4);
inline constexpr Type kUserDescPointer = notation::pointer_to(kUserDesc);

/// get_thread_area(2)'s: where it failed, the entry that was asked for.
Value decode_user_desc_asked(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kUserDescAsked = notation::custom(decode_user_desc_asked, 16, Width::B4);

/// modify_ldt(2)'s pointer: a user_desc if argument 2 says that many bytes.
Value decode_ldt_pointer(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kLdtPointer = notation::reading(notation::custom(decode_ldt_pointer), kReadsOne<kWhole<16>>);

/// Behind set_thread_area(2)'s result: the entry that the kernel took.
Value thread_area_entry(Decoder& decoder);

/// modify_ldt(2) returns an int: an error is a positive long to 64-bit callers, and shown as one.
Value decode_ldt_result(Decoder& decoder, uint64_t bits, size_t);
inline constexpr Type kLdtResult = notation::custom(decode_ldt_result);
Value ldt_error(Decoder& decoder);

}  // namespace strut

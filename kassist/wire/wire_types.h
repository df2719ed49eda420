/* Integers of fixed width for both sides. */
#pragma once

#ifdef __cplusplus
#include <cstdint>
typedef uint8_t wire_u8;
typedef uint16_t wire_u16;
typedef uint32_t wire_u32;
typedef uint64_t wire_u64;
#else
typedef __u8 wire_u8;
typedef __u16 wire_u16;
typedef __u32 wire_u32;
typedef __u64 wire_u64;
#endif

// Types of libraries that the kernel's interface does not have.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// Nothing: void.
Value decode_nothing(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kVoid = notation::custom(decode_nothing);

/// A value that was not captured: floating-point registers, an unreadable stack.
Value decode_unseen(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kUnseenArgument = notation::custom(decode_unseen);

/// A function's address: its name, where that is known.
Value decode_code(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kCode = notation::custom(decode_code);

/// FILE *: stdin, stdout and stderr by name, others by address.
Value decode_file(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kStream = notation::custom(decode_file);

/// wchar_t *: up to -s characters, as UTF-8.
Value decode_wide_string(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kWideBytes =
    notation::whole_bytes(512, notation::fixed(512));  ///< it is read in pieces of 64 characters
inline constexpr Type kReadsWide = notation::pointer_to(kWideBytes);
inline constexpr Type kWideString = notation::reading(notation::custom(decode_wide_string), kReadsWide);

/// A wint_t.
Value decode_wide_char(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kWideChar = notation::custom(decode_wide_char);

/// A long double in memory: 16 bytes of which 10 count (x87 extended precision).
Value decode_long_double(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kLongDouble = notation::custom(decode_long_double, 16, Width::B8);

/// An integer of 16 bytes: in two registers, or in memory.
Value decode_wide_number(Decoder& decoder, uint64_t bits, size_t bytes);
Value decode_wide_unsigned(Decoder& decoder, uint64_t bits, size_t bytes);
extern const Type kWideNumberWords;
inline constexpr Type kInt128 =
    notation::reading(notation::custom(decode_wide_number, 16, Width::B8), kWideNumberWords);
inline constexpr Type kUnsigned128 =
    notation::reading(notation::custom(decode_wide_unsigned, 16, Width::B8), kWideNumberWords);

/// Complex numbers: both parts, as if they were a structure's members.
extern const Type kComplexFloat, kComplexDouble;

/// The type of a member, an element or a pointer's target: decoders of one word get its value, and in memory its
/// address.
Type in_memory(const Type& type);

/// An errno value that a function returns: 0 is none.
Value decode_error_number(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kErrorNumber = notation::custom(decode_error_number);

/// sighandler_t: SIG_DFL, SIG_IGN, or a function.
Value decode_handler(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kHandler = notation::custom(decode_handler);

/// struct dirent *: number, type and name.
Value decode_dirent(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kDirentBytes =
    notation::whole_bytes(280, notation::fixed(280));  ///< sizeof(struct dirent) of glibc
inline constexpr Type kReadsDirent = notation::pointer_to(kDirentBytes);
inline constexpr Type kDirentResult = notation::reading(notation::custom(decode_dirent), kReadsDirent);

/// For buffers with a length that no row has: as many bytes as are shown of any.
inline constexpr Type kShownBytes = notation::whole_bytes(1, notation::fixed(1u << 20));
inline constexpr Type kReadsShown = notation::pointer_to(kShownBytes);

extern const ConstantSet kBufferModes;       ///< for setvbuf(3)
extern const ConstantSet kDlopenFlags;       ///< RTLD_…
extern const ConstantSet kLocaleCategories;  ///< LC_…

extern const Type kTm;                ///< struct tm
extern const Type kLibrarySigaction;  ///< struct sigaction as the C library has it

extern const ConstantSet kSyscallNumbers;  ///< SYS_…, those of x86-64
inline constexpr Type kSyscallNumber = notation::named(kSyscallNumbers);
inline constexpr Type kTmResult = notation::pointer_to(kTm);

inline constexpr Type kFloat = notation::number(Width::B4, Show::Float);
/// struct in_addr.
inline constexpr Type kInet4 = notation::number(Width::B4, Show::Inet4);
inline constexpr Type kDouble = notation::number(Width::B8, Show::Float);
inline constexpr Type kBool = notation::number(Width::B1, Show::Bool);
/// An int that is true or false.
inline constexpr Type kTruth = notation::number(Width::B4, Show::Bool);
inline constexpr Type kChar = notation::number(Width::B1, Show::Char);
/// An int that is a character.
inline constexpr Type kCharInt = notation::number(Width::B4, Show::Char, true);
/// For an unknown type.
inline constexpr Type kGuess = notation::number(Width::B8, Show::Guess, true);

}  // namespace strut

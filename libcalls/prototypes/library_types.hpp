// Types of libraries that the kernel's interface does not have.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

// Types of one word stand without brackets behind a pointer, in memory as in a register.

/// Nothing: void.
Value show_nothing(Decoder& decoder, uint64_t bits);
inline constexpr Type kVoid = notation::shown_by(show_nothing);

/// A value that was not captured: floating-point registers, an unreadable stack.
Value show_unseen(Decoder& decoder, uint64_t bits);
inline constexpr Type kUnseenArgument = notation::shown_by(show_unseen);

/// A function's address: its name, where that is known.
Value show_code(Decoder& decoder, uint64_t bits);
inline constexpr Type kCode = notation::unboxed(notation::shown_by(show_code));

/// FILE *: stdin, stdout and stderr by name, others by address.
Value show_stream(Decoder& decoder, uint64_t bits);
inline constexpr Type kStream = notation::unboxed(notation::shown_by(show_stream));

/// wchar_t *: up to -s characters, as UTF-8.
Value decode_wide_string(Decoder& decoder, uint64_t at, size_t bytes);
inline constexpr Type kWideBytes =
    notation::whole_bytes(512, notation::fixed(512));  ///< it is read in pieces of 64 characters
inline constexpr Type kReadsWide = notation::pointer_to(kWideBytes);
inline constexpr Type kWideCharacters = notation::custom(decode_wide_string);
inline constexpr Type kWideString =
    notation::reading(notation::unboxed(notation::pointer_to(kWideCharacters)), kReadsWide);
constexpr bool is_wide_string(const Type& type) {
  return type.kind == Kind::Pointer && type.element->kind == Kind::Custom &&
         type.element->custom == kWideCharacters.custom;
}

/// A wint_t.
Value show_wide_char(Decoder& decoder, uint64_t bits);
inline constexpr Type kWideChar = notation::unboxed(notation::shown_by(show_wide_char, Width::B4));

/// A long double in memory: 16 bytes of which 10 count (x87 extended precision).
Value decode_long_double(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kLongDouble = notation::custom(decode_long_double, 16, Width::B8);

/// An integer of 16 bytes: in two registers, or in memory.
template <typename Integer>
Value decode_wide_number(Decoder& decoder, uint64_t bits, size_t bytes);
extern const Type kWideNumberWords;
inline constexpr Type kInt128 =
    notation::reading(notation::custom(decode_wide_number<__int128>, 16, Width::B8), kWideNumberWords);
inline constexpr Type kUnsigned128 =
    notation::reading(notation::custom(decode_wide_number<unsigned __int128>, 16, Width::B8), kWideNumberWords);

/// Complex numbers: both parts, as if they were a structure's members.
extern const Type kComplexFloat, kComplexDouble;

/// An errno value that a function returns: 0 is none.
Value show_error_number(Decoder& decoder, uint64_t bits);
inline constexpr Type kErrorNumber = notation::unboxed(notation::shown_by(show_error_number));

/// sighandler_t: SIG_DFL, SIG_IGN, or a function.
Value show_handler(Decoder& decoder, uint64_t bits);
inline constexpr Type kHandler = notation::unboxed(notation::shown_by(show_handler));

/// struct dirent *: number, type and name.
extern const Type kDirent;
inline constexpr Type kDirentResult = notation::pointer_to(kDirent);

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

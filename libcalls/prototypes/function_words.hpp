// The words in which rows of functions are written, beside syscalls/notation.hpp's. Included by the table only.
//
//   FUNCTION(name, result, arguments and other parts …)
//
// Other parts: how it fails (Failure), its further arguments (Varargs), as_syscall("name") instead of arguments.
#pragma once

#include <array>
#include <type_traits>

#include "libcalls/prototypes/library_types.hpp"
#include "syscalls/argument_rules.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/function.hpp"
#include "syscalls/notation.hpp"

namespace strut::notation {

constexpr ArgType stream(const char* name) { return arg(name, kStream); }
constexpr ArgType code(const char* name) { return arg(name, kCode); }
constexpr ArgType real(const char* name) { return arg(name, kDouble); }
constexpr ArgType real32(const char* name) { return arg(name, kFloat); }
constexpr ArgType character(const char* name) { return arg(name, kCharInt); }
constexpr ArgType truth(const char* name) { return arg(name, kTruth); }
/// A mode_t of the C library, which the kernel's calls take as 16 bits.
constexpr ArgType filemode(const char* name) { return arg(name, kPermissions); }
constexpr ArgType string_out(const char* name) { return arg(name, pointer_to(kString), Direction::Out); }
constexpr ArgType wide(const char* name) { return arg(name, kWideString); }
constexpr ArgType wide_out(const char* name) { return arg(name, kWideString, Direction::Out); }
inline constexpr Type kStringResult = pointer_to(kString);
/// A string that ends after so many bytes as an argument says, if not before.
constexpr Length up_to_arg(uint8_t index) { return {.from = LengthFrom::Arg, .index = index, .until_zero = true}; }
/// A NULL-terminated array of strings.
inline constexpr Type kStringArray = pointer_to(kStringResult, {.until_zero = true});
constexpr ArgType strings(const char* name) { return arg(name, kStringArray); }

/// Items of so many bytes as an argument says: as many as another one says, or the result.
template <size_t kBytes, int kCount>
Value decode_items(Decoder& decoder, uint64_t bits, size_t) {
  uint64_t count = kCount < 0 ? static_cast<uint64_t>(decoder.call().result) : decoder.arg(kCount), bytes = 0;
  if (__builtin_mul_overflow(decoder.arg(kBytes), count, &bytes)) return Decoder::address(bits);
  return decoder.buffer(Addr{bits}, bytes);
}
template <size_t kBytes, int kCount>
constexpr ArgType items_in(const char* name) {
  return arg(name, reading(custom(decode_items<kBytes, kCount>), kReadsShown));
}
template <size_t kBytes>
constexpr ArgType items_out(const char* name) {
  return arg(name, reading(custom(decode_items<kBytes, -1>), kReadsShown), Direction::Out);
}

/// A function has the arguments of an x86-64 system call.
struct AsSyscall {
  const char* name;
};
constexpr AsSyscall as_syscall(const char* name) { return {name}; }

/// A row of the table, with the data that FunctionDesc refers to.
template <size_t kCount>
struct FunctionRow {
  Type result{};
  std::array<ArgType, kCount> args{};
  size_t used = 0;
  Varargs varargs = Varargs::No;
  Failure failure = Failure::Never;
  const char* syscall = nullptr;

  constexpr void add(const ArgType& arg) { args[used++] = arg; }
  constexpr void add(Varargs what) { varargs = what; }
  constexpr void add(Failure how) { failure = how; }
  constexpr void add(AsSyscall call) { syscall = call.name; }
};
template <typename... Parts>
constexpr auto function_row(const Type& result, const Parts&... parts) {
  FunctionRow<(size_t{std::is_same_v<Parts, ArgType>} + ... + 0)> row;
  row.result = result;
  (row.add(parts), ...);
  return row;
}

}  // namespace strut::notation

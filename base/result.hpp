// Failures as values: Error, Result<T>, TRY; bugs as CHECK.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace strut {

/// A failure of strut itself. A target's mistake is an outcome, not an Error.
struct Error {
  int code = 0;         ///< errno(3), 0 where no system call failed
  std::string op;       ///< the operation: "open", "ptrace(PTRACE_SEIZE)"
  std::string subject;  ///< the object: a path, a pid, an option's text
  std::string why;      ///< the reason in words; empty: strerror(code) says it
  std::string advice;   ///< a remedy for the user; may be empty
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }
/// A reason in words says all: no system call failed.
inline std::unexpected<Error> fail_because(std::string why) { return fail({0, {}, {}, std::move(why), {}}); }

/// One line for a person: "op: subject: why. advice" with the empty parts left out, nothing escaped.
std::string describe(const Error& error);

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace strut

/// Yields the value of a Result expression or returns its Error from the enclosing function.
#define TRY(expression)                                          \
  ({                                                             \
    auto&& try_result = (expression);                            \
    if (!try_result) return std::unexpected(try_result.error()); \
    std::move(try_result).operator*();                           \
  })

/// TRY for a Result<void>.
#define TRY_VOID(expression)                                     \
  do {                                                           \
    auto&& try_result = (expression);                            \
    if (!try_result) return std::unexpected(try_result.error()); \
  } while (false)

/// A bug in strut, on in release builds too: prints where and aborts.
#define CHECK_THAT(condition) \
  (static_cast<bool>(condition) ? void() : ::strut::check_failed(#condition, __FILE__, __LINE__))

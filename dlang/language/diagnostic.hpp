// An error in a D program, and its place.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace strut {

/// DTrace's error tags, stable names of kinds of errors that tests and scripts match.
enum class DTag : uint8_t {
#define TAG(name) name,
#include "dlang/machine/error_tags.inc"
#undef TAG
};

/// "D_SYNTAX".
std::string_view name_of(DTag tag);

/// A place in a source: both count from 1, columns in bytes.
struct DPosition {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// The first error of a program.
struct Diagnostic {
  /// The part of a clause, as DTrace names it for programs without lines: those of -n and its like.
  enum class Region : uint8_t { None, Predicate, Actions };
  DTag tag{};
  DPosition at;
  /// DTrace's own, bytes of the program in it are escaped; a prototype follows on lines of its own.
  std::string message;
  std::string expected;  ///< the correct form; empty: the message contains it
  uint32_t source = 0;   ///< index of the DSource it is in
  Region region = Region::None;
  std::string library{};  ///< the path of the D library that it is in; empty: in a program
};

enum class TagDisplay : uint8_t { Hidden, Shown };
/// Scripts have lines; other programs regions: "in action list: ", or nothing.
enum class PlaceDisplay : uint8_t { Line, Region };

/// "line 18: syntax error near "}"", behind "[D_SYNTAX] " if tags are shown.
std::string describe(const Diagnostic& diagnostic, TagDisplay tags = TagDisplay::Hidden,
                     PlaceDisplay place = PlaceDisplay::Line);

/// Strut's own addition: "column 3: expected an expression", with the line where the message has none.
std::string advice(const Diagnostic& diagnostic, PlaceDisplay place);

/// Bytes of a program as a message may show them: in double quotes, unprintable ones escaped, cut behind `most`.
std::string quoted_source(std::string_view bytes, size_t most = 60);

/// The lines that DTrace closes the message of a mismatch with.
std::string prototype_lines(std::string_view prototype, std::string_view argument);

/// How the rooms of the compiler give up: thrown inside dlang/, caught by its front doors (compile_d, parse_d).
struct DError {
  Diagnostic diagnostic;
};

[[noreturn]] void reject(DTag tag, DPosition at, std::string message, std::string expected = {});

}  // namespace strut

// Functions of libraries in truss's -u and -U (truss(1)). Pure: reads no file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace strut {

/// A list of patterns (fnmatch(3)), as a whole meant or left out.
struct PatternList {
  std::vector<std::string> patterns;  ///< none: everything
  bool excluded = false;
  bool names(std::string_view name) const;  ///< one of them is this name, or there are none
};

/// One `libs:[:]funcs`.
struct FunctionChoice {
  std::string text;  ///< as it was typed
  PatternList libraries;
  PatternList functions;
  bool internal = false;  ///< `::`: calls from within the library, too, and functions that it does not offer to others
  bool stops = false;     ///< -U
};

/// A module as choices name it.
struct ModuleRole {
  std::string_view name;  ///< library_name(), or "a.out"
  enum class Kind : uint8_t { Library, Program, Linker } kind = Kind::Library;
};

/// The choice for a function.
struct FunctionWish {
  bool traced = false;
  bool internal = false;
  bool stops = false;
};

/// The decision of all choices about a function: the last one that mentions it counts. `!` before libraries removes
/// theirs, before functions it means all other functions of those libraries. Patterns match neither the program (a.out)
/// nor the linker (ld) unless they are exactly those names; for a.out all calls are meant.
FunctionWish wish_for(const std::vector<FunctionChoice>& choices, const ModuleRole& module, std::string_view function);

/// Whether this choice alone, without the others, names a function.
bool names(const FunctionChoice& choice, const ModuleRole& module, std::string_view function);

/// Whether any function of this module may be wanted.
bool may_trace(const std::vector<FunctionChoice>& choices, const ModuleRole& module);

/// Parses `[!]libs[:[:][!]funcs]`; a word behind a comma that has a colon of its own begins the next one. Libraries
/// that are named otherwise get their library_name(). Error: nothing is named.
Result<std::vector<FunctionChoice>> parse_function_choices(std::string_view text, char letter);

}  // namespace strut

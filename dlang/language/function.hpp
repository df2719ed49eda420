// The functions of D: subroutines, actions, aggregating functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dlang/compiler/bytecode.hpp"

namespace strut {

struct DFunction {
  enum class Kind : uint8_t {
    Subroutine,   ///< has a value, or changes scratch; anywhere in an expression
    Destructive,  ///< a statement that changes the target
    Action,     ///< a statement that records; stacks and symbols are keys of aggregations and arguments of printf, too
    Aggregate,  ///< only on the right of @name =
    Refused,    ///< DTrace has it, strut does not
  };
  std::string_view name;
  Kind kind{};
  DOp op{};
  std::string_view result;      ///< a type's name, or "void *"
  std::string_view parameters;  ///< functions.inc explains the letters
  std::string_view types;       ///< for the parameters, in their order; empty: messages describe the letters

  /// How many arguments there must and may be.
  size_t least() const;
  size_t most() const;
  /// The letter of a parameter; '.' beyond the last.
  char parameter(size_t index) const;
  /// The type of a parameter as messages name it: "uintptr_t"; empty: none is known.
  std::string_view type_of(size_t index) const;
};

std::span<const DFunction> functions();
/// DTrace's word for its kind, as messages have it: "tracing function".
std::string_view kind_of(const DFunction& function);
/// The index in functions(); nullopt: there is none.
std::optional<uint32_t> find_function(std::string_view name);

}  // namespace strut

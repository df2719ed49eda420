// Copies of expressions, for translators and inline definitions with keys. Private to dlang.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dlang/language/ast.hpp"
#include "dlang/language/type.hpp"

namespace strut {

/// An expression in the place of a name.
struct DReplacement {
  std::string name;
  const DExpression* instead = nullptr;
};

/// A copy of an expression as it was parsed, with others in the places of names. `room`: nodes that may still be
/// copied: definitions that use each other multiply.
DExpressionPtr copied(const DExpression& e, const std::vector<DReplacement>& replacements, uint32_t& room);

/// A value of a parameter's type, with which a definition is checked: (type)0, or *(type *)0 of a structure.
DExpressionPtr stand_in(const DType& type, DTypes& types, DPosition at);

/// (type) value
DExpressionPtr cast_to(const DType* type, DExpressionPtr value);

}  // namespace strut

// Arithmetic with constants, as a run of the program would do it.
#pragma once

#include <cstdint>
#include <optional>

#include "dlang/language/ast.hpp"

namespace strut {

/// + - * / % & | ^ << >> in 64 bits. `type`: the result's, for its sign; nullptr: not known yet, signed. nullopt:
/// another operator, or a division that only a run can do: by 0 or -1.
std::optional<int64_t> constant_of(DWord op, int64_t left, int64_t right, const DType* type);
/// Unary + - ~; nullopt: another operator.
std::optional<int64_t> constant_of(DWord op, int64_t operand);

/// As many low bytes as the type has, extended by its sign.
int64_t narrowed(int64_t value, const DType& type);

/// The value of an expression of literals, enumerators and operators, before any check; nullopt: not constant.
std::optional<int64_t> literal_value(const DExpression& expression, const DTypes& types);

}  // namespace strut

#include "dlang/language/function.hpp"

#include <algorithm>
#include <iterator>

#include "base/plain_text.hpp"

namespace strut {
namespace {

constexpr DFunction kFunctions[] = {
#define FUNCTION(name, kind, op, result, parameters, ...) \
  {name, DFunction::Kind::kind, DOp::op, result, parameters, __VA_OPT__(__VA_ARGS__)},
#include "dlang/language/functions.inc"
#undef FUNCTION
};

bool is_parameter(char letter) { return letter != '[' && letter != '.'; }

}  // namespace

size_t DFunction::least() const {
  std::string_view required = parameters.substr(0, parameters.find('['));
  return static_cast<size_t>(std::count_if(required.begin(), required.end(), is_parameter));
}

size_t DFunction::most() const {
  if (parameters.ends_with('.')) return SIZE_MAX;
  return static_cast<size_t>(std::count_if(parameters.begin(), parameters.end(), is_parameter));
}

char DFunction::parameter(size_t index) const {
  for (char letter : parameters)
    if (is_parameter(letter) && index-- == 0) return letter;
  return '.';
}

std::string_view DFunction::type_of(size_t index) const {
  CommaList list(types);
  std::optional<std::string_view> type = list.next();
  for (; type && index > 0; index--) type = list.next();
  return type.value_or("");
}

std::span<const DFunction> functions() { return kFunctions; }

std::string_view kind_of(const DFunction& function) {
  using Kind = DFunction::Kind;
  if (function.kind == Kind::Aggregate) return "aggregating function";
  return function.kind == Kind::Action || function.kind == Kind::Destructive ? "tracing function" : "function";
}

std::optional<uint32_t> find_function(std::string_view name) {
  for (uint32_t i = 0; i < std::size(kFunctions); i++)
    if (kFunctions[i].name == name) return i;
  return std::nullopt;
}

}  // namespace strut

// Types by their spelling in C, and those that a program's source of types has.
#include "dlang/language/type.hpp"

namespace strut {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

const DType* DTypes::spelled(std::string_view text) {
  text = without_blanks(text);
  for (std::string_view qualifier : {"const ", "volatile "})
    if (text.starts_with(qualifier)) return spelled(text.substr(qualifier.size()));
  if (text.ends_with('*')) {
    const DType* target = spelled(text.substr(0, text.size() - 1));
    return target != nullptr ? pointer_to(target) : nullptr;
  }
  bool is_union = text.starts_with("union ");
  return is_union || text.starts_with("struct ") ? declare(std::string(text), is_union) : find_or_ask(text);
}

const DType* DTypes::find_or_ask(std::string_view name) {
  const DType* known = find(name);
  if (known != nullptr || source_ == nullptr) return known;
  const DType* type = source_->find(*this, name);
  if (type != nullptr) alias(std::string(name), type);
  return type;
}

}  // namespace strut

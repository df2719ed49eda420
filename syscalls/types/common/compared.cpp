#include "syscalls/types/common/compared.hpp"

#include <algorithm>

#include "syscalls/conditions.hpp"

namespace strut {

const Value* member_at_enter(Decoder& decoder, std::string_view name) {
  const Value* whole = succeeded(decoder, Addr{}) ? decoder.at_enter(2) : nullptr;
  const Struct* members = whole ? std::get_if<Struct>(&whole->is) : nullptr;
  if (!members) return nullptr;
  auto member = std::ranges::find(members->fields, name, &FieldValue::name);
  return member == members->fields.end() ? nullptr : &member->value;
}

Value compared_value(Decoder& decoder, std::string_view name, const Value& now, Compared how) {
  const Value* before = member_at_enter(decoder, name);
  if (!before) return now;
  if (how == Compared::Always) return decoder.change(*before, now);
  return same(*before, now) ? now : Value{Change{before, decoder.arena().make(now), name}, {}};
}

}  // namespace strut

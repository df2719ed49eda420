#include "libcalls/pairing/known_values.hpp"

#include <algorithm>

#include "libcalls/prototypes/known_structures.hpp"
#include "syscalls/decoder.hpp"

namespace strut {

namespace {

constexpr int kMaxDepth = 12;

class Converting {
 public:
  explicit Converting(Arena& arena) : arena_(arena) {}

  Value of(const Type& type, const Value& value) {
    if (const auto* change = std::get_if<Change>(&value.is)) return of(type, *change);
    const auto* array = std::get_if<Array>(&value.is);
    if (array && (type.kind == Kind::Pointer || type.kind == Kind::Array)) return of_items(*type.element, *array);
    if (type.kind == Kind::Pointer) return of(*type.element, value);
    const auto* structure = std::get_if<Struct>(&value.is);
    if (!structure || type.kind != Kind::Struct) return value;
    std::optional<KnownForm> form = form_named(type.layout->name);
    return form ? of_known(*form, *type.layout, *structure) : of_fields(*type.layout, *structure);
  }

 private:
  Value of(const Type& type, const Change& change) {
    Value before = of(type, *change.before), after = of(type, *change.after);
    if (same(before, after)) return after;
    std::span<Value> both = arena_.array<Value>(2);
    both[0] = before;
    both[1] = after;
    return {Change{&both[0], &both[1], change.label}, {}};
  }

  Value of_items(const Type& element, const Array& array) {
    std::span<Value> items = arena_.array<Value>(array.items.size());
    std::ranges::transform(array.items, items.begin(), [&](const Value& item) { return of(element, item); });
    Array made = array;
    made.items = items;
    return {made, {}};
  }

  Value of_fields(const StructLayout& layout, const Struct& structure) {
    std::span<FieldValue> fields = arena_.array<FieldValue>(structure.fields.size());
    size_t shown = 0;
    for (const FieldType& type : layout.fields) {
      if (type.name == nullptr || shown == fields.size()) continue;
      fields[shown] = structure.fields[shown];
      fields[shown].value = of(type.type, structure.fields[shown].value);
      shown++;
    }
    return {Struct{fields.first(shown), structure.cut}, {}};
  }

  // Members are in the order that DwarfPrototypes gives them.
  Value of_known(KnownForm form, const StructLayout& layout, const Struct& structure) {
    auto member = [&](size_t index) { return of(layout.fields[index].type, structure.fields[index].value); };
    size_t needed = form == KnownForm::Range ? 3 : form == KnownForm::Owner ? 1 : 2;
    if (structure.fields.size() < needed) return {structure, {}};
    switch (form) {
      case KnownForm::Text: return number(structure, 0) == 0 ? Decoder::bare("\"\"") : member(1);
      case KnownForm::Counted: return number(structure, 0) == 0 ? Value{Array{}, {}} : member(1);
      case KnownForm::Range: return range(*layout.fields[2].type.element, structure, member(2));
      case KnownForm::Optional: return number(structure, 0) == 0 ? Decoder::bare("nullopt") : member(1);
      case KnownForm::Owner: return member(0);
    }
    return {structure, {}};
  }

  Value range(const Type& element, const Struct& structure, const Value& first) {
    uint64_t begin = number(structure, 0), end = number(structure, 1);
    size_t bytes = size_of(element, Abi::X86_64);
    if (bytes == 0 || end < begin) return first;
    uint64_t count = (end - begin) / bytes;
    if (count == 0) return {Array{}, {}};
    const auto* array = std::get_if<Array>(&first.is);
    if (!array) return first;
    Array made = *array;
    made.items = array->items.first(std::min<uint64_t>(array->items.size(), count));
    made.cut = made.items.size() < count;
    made.unreadable_at = {};
    return {made, {}};
  }

  static uint64_t number(const Struct& structure, size_t index) {
    const auto* number = std::get_if<Number>(&structure.fields[index].value.is);
    return number ? number->bits : 0;
  }

  Arena& arena_;
};

bool leads_to_known(const Type& type, int depth) {
  if (depth == kMaxDepth) return false;
  if (type.kind == Kind::Pointer || type.kind == Kind::Array) return leads_to_known(*type.element, depth + 1);
  if (type.kind != Kind::Struct) return false;
  return form_named(type.layout->name) || std::ranges::any_of(type.layout->fields, [&](const FieldType& field) {
           return leads_to_known(field.type, depth + 1);
         });
}

}  // namespace

bool has_known_values(const Type& type) { return leads_to_known(type, 0); }

Value as_known(const Type& type, const Value& value, Arena& arena) { return Converting(arena).of(type, value); }

}  // namespace strut

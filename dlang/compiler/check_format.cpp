// Formats of printf, printa, system and freopen, and their arguments.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

/// Whether a key can be shown: symbols as text and as numbers, too.
bool shows_key(const DConversion& conversion, const DType& key) {
  bool as_text = conversion.letter != '\0' && std::string_view("sSpdx").contains(conversion.letter);
  bool is_symbol = key.kind == DType::Kind::Special && key.special.is_address();
  return accepts(conversion, key) || (is_symbol && as_text);
}

/// A part of a string, s + n: it is still one.
bool is_part_of_string(const DExpression& e, char letter) {
  bool is_sum = e.kind == DExpression::Kind::Binary && (e.op == DWord::Add || e.op == DWord::Subtract);
  return is_sum && letter == 's' && is_characters(*e.type) &&
         (e.child(0).type->is_string() || e.child(1).type->is_string());
}

}  // namespace

/// printf("") and the like would do nothing, but freopen("") is how output goes back to where it went first.
void DChecker::not_empty(const DExpression& format) const {
  if (format.kind == Kind::Text && format.text.empty())
    reject(DTag::PRINTF_FMT_EMPTY, format.at, "format string is empty", "text or conversions");
}

DFormat DChecker::format_of(const DExpression& e) const {
  if (e.kind != Kind::Text) reject(DTag::PRINTF_ARG_FMT, e.at, "format is no string constant", "a string constant");
  auto format = parse_format(e.text);
  if (!format)
    reject(DTag::SYNTAX, e.at, format.error(),
           "%d %i %o %u %x %X %c %s %S %p %a %A %k %Y %T or %%, widths up to " + std::to_string(kMaxWidth));
  return *std::move(format);
}

void DChecker::printf_like(DExpression& e) {
  count_arguments(e, functions()[e.meaning.index], DTag::PROTO_LEN);
  if (e.text == "system" || e.text == "freopen") note_destructive(e);
  if (e.child(0).kind != Kind::Text) {
    if (e.child(0).kind != Kind::Aggregation) expression(*e.children[0]);
    wrong_argument(e, 0, "string constant", DTag::PRINTF_ARG_FMT);
  }
  if (e.text != "freopen") not_empty(e.child(0));
  if (e.text == "freopen" && e.child(0).text == ".")
    reject(DTag::FREOPEN_INVALID, e.child(0).at, "freopen( ) argument #1 cannot be \".\"", "a file, or \"\"");
  DFormat format = format_of(e.child(0));
  e.children[0]->type = types_.string();
  for (const DConversion& conversion : format.conversions)
    if (conversion.is_aggregation)
      reject(DTag::PRINTF_AGG_CONV, e.child(0).at,
             "%@ conversion requires an aggregation and is not for use with " + e.text + "( )", "the same without @");
  printed(e, format);
}

/// The next argument of a conversion, the number-th; `star`: for its width or precision, by that sign.
void DChecker::printed(DExpression& e, size_t& next, const DConversion& conversion, size_t number,
                       std::string_view star) {
  std::string name = name_of(conversion), missing = star.empty() ? "value" : '"' + std::string(star) + '"';
  if (next >= e.children.size())
    reject(star.empty() ? DTag::PRINTF_ARG_PROTO : DTag::PRINTF_DYN_PROTO, e.at,
           e.text + "( ) prototype mismatch: conversion #" + std::to_string(number) + " (" + name +
               ") is missing a corresponding " + missing + " argument",
           std::string(wanted_by(conversion)));
  DExpression& given = *e.children[next++];
  const DType* type = given.kind == Kind::Call ? recorded(given) : shown(given);
  bool is_text = is_decoded_by(given, conversion.letter) || is_part_of_string(given, conversion.letter);
  if (star.empty() && (accepts(conversion, *type) || is_text)) return;
  if (!star.empty() && type->is_integer()) return;
  std::string shown = star.empty() ? name : "% " + std::string(star) + ' ' + name.substr(1);
  reject(star.empty() ? DTag::PRINTF_ARG_TYPE : DTag::PRINTF_DYN_TYPE, given.at,
         e.text + "( ) argument #" + std::to_string(next) + " is incompatible with conversion #" +
             std::to_string(number) + " prototype:\n\tconversion: " + shown +
             prototype_lines(star.empty() ? wanted_by(conversion) : "int", type->name));
}

/// Every conversion takes an argument, and one before it for each star.
void DChecker::printed(DExpression& e, const DFormat& format) {
  size_t next = 1;
  for (size_t i = 0; i + 1 < format.conversions.size(); i++) {
    const DConversion& conversion = format.conversions[i];
    if (conversion.width_is_item) printed(e, next, conversion, i + 1, "*");
    if (conversion.precision_is_item) printed(e, next, conversion, i + 1, ".*");
    printed(e, next, conversion, i + 1, "");
  }
  if (next < e.children.size())
    reject(DTag::PRINTF_ARG_EXTRA, e.child(next).at,
           e.text + "( ) prototype mismatch: only " + std::to_string(next - 1) +
               " arguments required by this format string",
           "a conversion for each argument");
}

void DChecker::printa(DExpression& e) {
  count_arguments(e, functions()[e.meaning.index], DTag::PROTO_LEN);
  uint32_t first = e.child(0).kind == Kind::Text ? 1 : 0;
  if (first == e.children.size())
    reject(DTag::PRINTA_PROTO, e.at, "printa( ) prototype mismatch: 1 args passed, 2 expected", "an aggregation");
  for (uint32_t i = first; i < e.children.size(); i++) {
    aggregation_argument(e, i, DTag::PRINTA_AGGARG, DTag::PRINTA_AGGBAD);
    const std::vector<DShape>& keys = program_.aggregations[e.child(i).meaning.index].keys;
    const std::vector<DShape>& wanted = program_.aggregations[e.child(first).meaning.index].keys;
    if (keys != wanted)
      reject(keys.size() == wanted.size() ? DTag::PRINTA_AGGKEY : DTag::PRINTA_AGGPROTO, e.child(i).at,
             "printa( ) aggregation @" + e.child(i).text + " has other keys than @" + e.child(first).text,
             "keys of the same types");
  }
  if (first == 1) printa_format(e, first);
}

/// A conversion that takes the aggregations' values: %@d.
void DChecker::printa_value(const DExpression& format, const DConversion& conversion) {
  DConversion plain = conversion;
  plain.size.clear();
  if (!accepts(plain, *types_.integer(8, true)) && plain.letter != 'c')
    reject(DTag::PRINTF_AGG_CONV, format.at, "conversion %@ wants a letter for integers", "%@d, %@u, %@x and the like");
}

/// The number-th conversion, which takes the key behind `taken` others.
void DChecker::printa_key(const DExpression& format, const DConversion& conversion, size_t number,
                          const std::vector<const DType*>& keys, size_t taken) const {
  std::string which = "conversion #" + std::to_string(number), name = name_of(conversion);
  if (taken == keys.size())
    reject(DTag::PRINTF_ARG_PROTO, format.at,
           "printa( ) prototype mismatch: " + which + " (" + name + ") is missing a corresponding key argument",
           "a conversion for each key at most, and %@ for the value");
  if (!shows_key(conversion, *keys[taken]))
    reject(DTag::PRINTF_ARG_TYPE, format.at,
           "printa( ) key #" + std::to_string(taken + 1) + " is incompatible with " + which +
               " prototype:\n\tconversion: " + name + prototype_lines(wanted_by(conversion), keys[taken]->name));
}

/// Conversions take the keys one after another; %@ takes the aggregations' values.
void DChecker::printa_format(DExpression& e, uint32_t first) {
  DExpression& text = *e.children[0];
  not_empty(text);
  DFormat format = format_of(text);
  text.type = types_.string();
  size_t taken = 0;
  for (size_t i = 0; i + 1 < format.conversions.size(); i++) {
    const DConversion& conversion = format.conversions[i];
    if (conversion.width_is_item || conversion.precision_is_item)
      reject(DTag::PRINTF_DYN_PROTO, text.at, "a width or precision of printa( ) cannot be *", "a number");
    if (conversion.is_aggregation) printa_value(text, conversion);
    else printa_key(text, conversion, i + 1, aggregation_keys_[e.child(first).meaning.index], taken++);
  }
}

}  // namespace strut

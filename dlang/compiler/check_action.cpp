// Actions: the values that they record, and checks of their formats.
#include <algorithm>

#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

/// Actions with arguments that are only checked one by one against their letters.
bool is_plain(std::string_view name) {
  static constexpr std::string_view kPlain[] = {"exit", "ftruncate", "setopt", "speculate", "commit", "discard"};
  return std::ranges::count(kPlain, name) != 0;
}
bool is_stack(std::string_view name) { return name == "stack" || name == "ustack" || name == "jstack"; }
bool takes_format(std::string_view name) { return name == "printf" || name == "system" || name == "freopen"; }

bool is_float_letter(char letter) { return letter != '\0' && std::string_view("eEfFgG").contains(letter); }

constexpr int64_t kMaxFrames = 512;
constexpr int64_t kMaxTraced = 4096;

struct SymbolAction {
  std::string_view name;
  DShape::Kind kind;
};
constexpr SymbolAction kSymbols[] = {
    {"usym", DShape::Kind::UserSymbol},   {"ufunc", DShape::Kind::UserSymbol}, {"umod", DShape::Kind::UserModule},
    {"uaddr", DShape::Kind::UserAddress}, {"sym", DShape::Kind::KernelSymbol}, {"func", DShape::Kind::KernelSymbol},
    {"mod", DShape::Kind::KernelModule},
};

}  // namespace

const DType* DChecker::action(DExpression& e, const DFunction& function) {
  const DType* nothing = types_.void_type();
  if (e.text == "printa") return printa(e), nothing;
  if (takes_format(e.text)) return printf_like(e), nothing;
  if (e.text == "print") return print(e), nothing;
  if (is_stack(e.text)) return stack(e);
  bool normal = e.text == "normalize" || e.text == "denormalize";
  count_arguments(e, function, e.text == "clear" ? DTag::CLEAR_PROTO : DTag::PROTO_LEN);
  if (e.text == "trace") return traced(e), nothing;
  if (e.text == "tracemem") return tracemem(e), nothing;
  if (is_plain(e.text)) {
    for (size_t i = 0; i < e.children.size(); i++) argument(e, function, i);
    return nothing;
  }
  if (function.parameter(0) != '@') return symbol(e);
  if (e.text == "clear") aggregation_argument(e, 0, DTag::CLEAR_AGGARG, DTag::CLEAR_AGGBAD);
  else if (e.text == "trunc") aggregation_argument(e, 0, DTag::TRUNC_AGGARG, DTag::TRUNC_AGGBAD);
  else aggregation_argument(e, 0, DTag::NORMALIZE_AGGARG, DTag::NORMALIZE_AGGBAD);
  if (e.children.size() > 1)
    integer(*e.children[1], normal ? DTag::NORMALIZE_SCALAR : DTag::PROTO_ARG, e.text + "( ) argument #2");
  return nothing;
}

/// A value that can be printed: not a pointer into memory that strut composes for a member.
const DType* DChecker::shown(DExpression& e) {
  const DType* type = expression(e);
  if (type->is_pointer() && type->target->kind == DType::Kind::Translated)
    reject(DTag::TRACE_DYN, e.at, quoted_source(type->name) + " has no address", "one of its members");
  return type;
}

/// As shown(); functions of addresses and stacks are values here, too.
const DType* DChecker::recorded(DExpression& e) {
  in_record_ = true;
  const DType* type = shown(e);
  in_record_ = false;
  return type;
}

void DChecker::traced(DExpression& e) {
  DExpression& given = *e.children[0];
  if (given.kind == Kind::Aggregation)
    reject(DTag::TRACE_DYN, given.at, "trace( ) cannot record an aggregation", "printa( )");
  const DType* type = recorded(given);
  if (type->kind == DType::Kind::Void)
    reject(DTag::TRACE_VOID, given.at, "trace( ) may not be applied to a void expression", "a value");
  if (!type->is_scalar() && !type->is_string() && !type->is_in_memory() && type->kind != DType::Kind::Special)
    reject(DTag::TRACE_DYN, given.at, "trace( ) may not be applied to a value of type " + quoted_source(type->name),
           "an integer, a pointer or a string");
}

void DChecker::print(DExpression& e) {
  count_arguments(e, functions()[e.meaning.index], DTag::PROTO_LEN);
  const DType* type = shown(*e.children[0]);
  if (!is_call_argument(e.child(0)) && !type->is_scalar() && !type->is_string() && !type->is_in_memory())
    wrong_argument(e, 0, "args[N] at the entry of a system call, an integer, a pointer or a string", DTag::PROTO_ARG);
}

void DChecker::tracemem(DExpression& e) {
  if (!expression(*e.children[0])->is_scalar())
    wrong_argument(e, 0, "an address of scratch memory, as copyin( ) returns it", DTag::TRACEMEM_ADDR);
  expression(*e.children[1]);
  auto size = constant_value(e.child(1));
  if (!size || *size <= 0 || *size > kMaxTraced)
    reject(DTag::TRACEMEM_SIZE, e.child(1).at,
           "tracemem( ) argument #2 must be a non-zero positive integral constant expression",
           "a constant from 1 to " + std::to_string(kMaxTraced));
  if (e.children.size() > 2) integer(*e.children[2], DTag::PROTO_ARG, "tracemem( ) argument #3");
}

const DType* DChecker::stack(DExpression& e) {
  bool user = e.text != "stack";
  count_arguments(e, functions()[e.meaning.index], user ? DTag::USTACK_PROTO : DTag::STACK_PROTO);
  for (size_t i = 0; i < e.children.size(); i++) {
    expression(*e.children[i]);
    auto count = constant_value(e.child(i));
    if (i == 0 && (!count || *count <= 0 || *count > kMaxFrames))
      reject(user ? DTag::USTACK_FRAMES : DTag::STACK_SIZE, e.child(0).at,
             user ? e.text + "( ) argument #1 must be a non-zero positive integer constant"
                  : e.text + "( ) size must be a non-zero positive integral constant expression",
             "a constant from 1 to " + std::to_string(kMaxFrames));
    if (i == 1 && (!count || *count < 0))
      reject(DTag::USTACK_STRSIZE, e.child(1).at, e.text + "( ) argument #2 must be a positive integer constant",
             "a constant that is not negative");
  }
  return types_.special(user ? DShape::Kind::UserStack : DShape::Kind::KernelStack, e.text);
}

const DType* DChecker::symbol(DExpression& e) {
  argument(e, functions()[e.meaning.index], 0);
  for (const SymbolAction& row : kSymbols)
    if (row.name == e.text) return types_.special(row.kind, e.text);
  return types_.void_type();
}

void DChecker::aggregation_argument(DExpression& e, size_t index, DTag not_one, DTag unknown) {
  DExpression& given = *e.children[index];
  if (given.kind != Kind::Aggregation) {
    expression(given);
    wrong_argument(e, index, "an aggregation", not_one);
  }
  if (!given.children.empty())
    reject(not_one, given.at, e.text + "( ) takes an aggregation as a whole", "it without keys");
  auto at = aggregations_.find(given.text);
  if (at == aggregations_.end())
    reject(unknown, given.at, "undefined aggregation: @" + given.text, "one that is assigned to before");
  given.meaning = {DMeaning::Kind::Aggregation, at->second};
}

/// printf("") and the like would do nothing, but freopen("") is how output goes back to where it went first.
void DChecker::not_empty(const DExpression& format) const {
  if (format.kind == Kind::Text && format.text.empty())
    reject(DTag::PRINTF_FMT_EMPTY, format.at, "format string is empty", "text or conversions");
}

DFormat DChecker::format_of(const DExpression& e) const {
  if (e.kind != Kind::Text) reject(DTag::PRINTF_ARG_FMT, e.at, "format is no string constant", "a string constant");
  auto format = parse_format(e.text);
  if (!format)
    reject(DTag::SYNTAX, e.at, "invalid format: " + format.error(),
           "%d %i %o %u %x %X %c %s %S %p %a %A %k %Y %T or %%, widths up to " + std::to_string(kMaxWidth));
  return *std::move(format);
}

void DChecker::printf_like(DExpression& e) {
  if (e.children.empty()) count_arguments(e, functions()[e.meaning.index], DTag::PRINTF_ARG_FMT);
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

/// Every conversion takes an argument, and one before it for each star.
void DChecker::printed(DExpression& e, const DFormat& format) {
  size_t next = 1;
  auto take = [&](const DConversion& conversion, size_t number, bool star) {
    if (next >= e.children.size())
      reject(star ? DTag::PRINTF_DYN_PROTO : DTag::PRINTF_ARG_PROTO, e.at,
             e.text + "( ) prototype mismatch: conversion #" + std::to_string(number) + " (%" + conversion.letter +
                 ") is missing a corresponding value argument",
             std::string(wanted_by(conversion)));
    DExpression& given = *e.children[next++];
    const DType* type = given.kind == Kind::Call ? recorded(given) : shown(given);
    bool is_float = type->kind == DType::Kind::Float, wants_float = is_float_letter(conversion.letter);
    DShape shape = is_characters(*type) && (conversion.letter == 's' || conversion.letter == 'S')
                       ? DShape{DShape::Kind::Text}
                       : shape_of(*type);
    if (is_decoded_by(given, conversion.letter) && !star) return;
    if (star ? !type->is_integer() : is_float != wants_float || !accepts(conversion, shape))
      reject(star ? DTag::PRINTF_DYN_TYPE : DTag::PRINTF_ARG_TYPE, given.at,
             e.text + "( ) argument #" + std::to_string(next) + " is incompatible with conversion #" +
                 std::to_string(number) + " prototype:\n\tconversion: %" + (star ? '*' : conversion.letter) +
                 prototype_lines(star ? "int" : wanted_by(conversion), type->name));
  };
  for (size_t i = 0; i + 1 < format.conversions.size(); i++) {
    const DConversion& conversion = format.conversions[i];
    if (conversion.width_is_item) take(conversion, i + 1, true);
    if (conversion.precision_is_item) take(conversion, i + 1, true);
    take(conversion, i + 1, false);
  }
  if (next < e.children.size())
    reject(DTag::PRINTF_ARG_EXTRA, e.child(next).at,
           e.text + "( ) prototype mismatch: only " + std::to_string(next - 1) +
               (next == 2 ? " argument" : " arguments") + " required by this format string",
           "a conversion for each argument");
}

void DChecker::printa(DExpression& e) {
  count_arguments(e, functions()[e.meaning.index], DTag::PRINTA_PROTO);
  uint32_t first = e.child(0).kind == Kind::Aggregation ? 0 : 1;
  if (first == e.children.size())
    reject(DTag::PRINTA_PROTO, e.at, "printa( ) prototype mismatch: no aggregation passed", "an aggregation");
  for (uint32_t i = first; i < e.children.size(); i++) {
    aggregation_argument(e, i, DTag::PRINTA_AGGARG, DTag::PRINTA_AGGBAD);
    uint32_t aggregation = e.child(i).meaning.index;
    if (program_.aggregations[aggregation].keys != program_.aggregations[e.child(first).meaning.index].keys)
      reject(DTag::PRINTA_AGGKEY, e.child(i).at,
             "aggregation " + quoted_source('@' + e.child(i).text) + " has other keys than the first",
             "keys of the same types");
  }
  if (first == 1) printa_format(e, first);
}

/// Conversions take the keys one after another; %@ takes the aggregations' values.
void DChecker::printa_format(DExpression& e, uint32_t first) {
  not_empty(e.child(0));
  DFormat format = format_of(e.child(0));
  e.children[0]->type = types_.string();
  const DAggregation& aggregation = program_.aggregations[e.child(first).meaning.index];
  size_t key = 0;
  for (size_t i = 0; i + 1 < format.conversions.size(); i++) {
    const DConversion& conversion = format.conversions[i];
    if (conversion.width_is_item || conversion.precision_is_item)
      reject(DTag::PRINTF_DYN_PROTO, e.child(0).at, "a width or precision of printa( ) cannot be *", "a number");
    if (conversion.is_aggregation) {
      if (!accepts(conversion, {DShape::Kind::Integer}))
        reject(DTag::PRINTF_AGG_CONV, e.child(0).at, "conversion %@ wants a letter for integers",
               "%@d, %@u, %@x and the like");
      continue;
    }
    if (key == aggregation.keys.size())
      reject(DTag::PRINTF_ARG_PROTO, e.child(0).at,
             "printa( ) prototype mismatch: conversion #" + std::to_string(i + 1) + " has no key: @" +
                 aggregation.name + " has " + std::to_string(aggregation.keys.size()),
             "a conversion for each key at most, and %@ for the value");
    DShape shape = aggregation.keys[key++];
    bool symbol_as_text =
        shape.is_address() && (conversion.letter == 's' || conversion.letter == 'S' || conversion.letter == 'p' ||
                               conversion.letter == 'd' || conversion.letter == 'x');
    if (!accepts(conversion, shape) && !symbol_as_text)
      reject(DTag::PRINTF_ARG_TYPE, e.child(0).at,
             "printa( ) key #" + std::to_string(key) + " is incompatible with conversion %" + conversion.letter,
             std::string(wanted_by(conversion)));
  }
}

}  // namespace strut

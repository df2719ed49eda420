// Actions: the values that they record.
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
  if (e.children.size() > 1 && !expression(*e.children[1])->is_scalar())
    reject(normal ? DTag::NORMALIZE_SCALAR : DTag::PROTO_ARG, e.child(1).at,
           e.text + "( ) argument #2 must be of scalar type");
  return nothing;
}

/// A value that can be printed: not a pointer into memory that strut composes for a member.
const DType* DChecker::shown(DExpression& e) {
  const DType* type = expression(e);
  if (type->is_dynamic())
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
    reject(DTag::TRACE_DYN, given.at, "trace( ) may not be applied to a dynamic expression", "printa( )");
  in_record_ = true;
  const DType* type = expression(given);
  in_record_ = false;
  if (type->is_dynamic())
    reject(DTag::TRACE_DYN, given.at, "trace( ) may not be applied to a dynamic expression", "one of its members");
  if (type->kind == DType::Kind::Void)
    reject(DTag::TRACE_VOID, given.at, "trace( ) may not be applied to a void expression", "a value");
  if (!type->is_scalar() && !type->is_string() && !type->is_in_memory() && type->kind != DType::Kind::Special)
    reject(DTag::TRACE_DYN, given.at, "trace( ) may not be applied to a dynamic expression",
           "an integer, a pointer or a string");
}

void DChecker::print(DExpression& e) {
  count_arguments(e, functions()[e.meaning.index], DTag::PROTO_LEN);
  const DType* type = shown(*e.children[0]);
  if (!is_call_argument(e.child(0)) && !type->is_scalar() && !type->is_string() && !type->is_in_memory())
    wrong_argument(e, 0, "args[N] at the entry of a system call, an integer, a pointer or a string", DTag::PROTO_ARG);
}

void DChecker::tracemem(DExpression& e) {
  if (!expression(*e.children[0])->is_scalar()) wrong_argument(e, 0, "pointer or integer", DTag::TRACEMEM_ADDR);
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
  if (e.children.size() > functions()[e.meaning.index].most())
    reject(user ? DTag::USTACK_PROTO : DTag::STACK_PROTO, e.at, e.text + "( ) prototype mismatch: too many arguments");
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

}  // namespace strut

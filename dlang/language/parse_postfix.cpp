// Operands: literals, names, parentheses, and the operators behind them: calls, indices, members, ++ and --.
#include <algorithm>

#include "dlang/language/parser.hpp"

namespace strut {
namespace {

/// a.out in a.out`variable; empty: the expression is no such name.
std::string module_name(const DExpression& e) {
  if (e.kind == DExpression::Kind::Name) return e.scope == DScope::Global ? e.text : "";
  if (e.kind != DExpression::Kind::Member || e.op != DWord::Dot) return {};
  std::string before = module_name(e.child(0));
  return before.empty() ? before : before + '.' + e.text;
}

/// Takes the depth of children that list() has added.
void add_depth_of_children(DExpression& parent) {
  for (const DExpressionPtr& child : parent.children) parent.depth = std::max(parent.depth, child->depth + 1);
}

}  // namespace

DExpressionPtr DParser::postfix() { return postfix_behind(primary()); }

DExpressionPtr DParser::postfix_behind(DExpressionPtr operand) {
  for (;;) {
    switch (token_.word) {
      case DWord::OpenBracket:
      case DWord::OpenParenthesis:
      case DWord::Dot:
      case DWord::Arrow:
      case DWord::Increment:
      case DWord::Decrement: operand = postfix_of(std::move(operand)); break;
      default: return operand;
    }
  }
}

DExpressionPtr DParser::call_of(DExpressionPtr function) {
  if (function->kind != DExpression::Kind::Name || function->scope != DScope::Global)
    reject(DTag::FUNC_IDENT, token_.at, "function designator is not of function type",
           "a function's name in front of (");
  function->kind = DExpression::Kind::Call;
  list(function->children, DWord::CloseParenthesis);
  add_depth_of_children(*function);
  return function;
}

DExpressionPtr DParser::postfix_of(DExpressionPtr operand) {
  DToken sign = token_;
  if (sign.word == DWord::OpenParenthesis) return call_of(std::move(operand));
  bool update = sign.word == DWord::Increment || sign.word == DWord::Decrement;
  bool index = sign.word == DWord::OpenBracket;
  auto kind = update ? DExpression::Kind::Update : index ? DExpression::Kind::Index : DExpression::Kind::Member;
  DExpressionPtr outer = make(kind, sign.at);
  outer->op = sign.word;
  outer->is_postfix = true;
  adopt(*outer, std::move(operand));
  if (index) {
    list(outer->children, DWord::CloseBracket);
    add_depth_of_children(*outer);
    if (outer->children.size() < 2) unexpected("an index");
  } else {
    take();
    if (!update) outer->text = expect_name("a member's name").text;
    if (std::string module = sign.word == DWord::Dot && outer->text.contains('`') ? module_name(outer->child(0)) : "";
        !module.empty()) {
      DExpressionPtr name = make(DExpression::Kind::Name, outer->child(0).at);
      name->text = module + '.' + outer->text;
      has_typed_arguments_ = true;
      return name;
    }
  }
  if (outer->depth > kMaxDepth)
    reject(DTag::SYNTAX, sign.at, "expression is nested too deeply",
           "at most " + std::to_string(kMaxDepth) + " levels");
  return outer;
}

/// Expressions between commas, from the opening sign to the closing one.
void DParser::list(std::vector<DExpressionPtr>& into, DWord closing) {
  if (parentheses_ >= 0) parentheses_++;
  take();
  if (!at(closing)) {
    do into.push_back(assignment());
    while (took(DWord::Comma));
  }
  if (parentheses_ > 0) parentheses_--;
  expect(closing, closing == DWord::CloseBracket ? "an operator, a comma or ]" : "an operator, a comma or )");
}

DExpressionPtr DParser::integer_literal() {
  DExpressionPtr literal = make(DExpression::Kind::Integer, token_.at);
  DToken token = take();
  literal->integer = token.integer;
  if (token.word == DWord::Character || !token.text.empty()) {
    bool narrow = static_cast<int64_t>(token.integer) == static_cast<int32_t>(token.integer);
    literal->type = types_.integer(narrow ? 4 : 8, true);
    return literal;
  }
  bool wide = token.longs > 0 || token.integer > UINT32_MAX ||
              (token.integer > INT32_MAX && token.is_decimal && !token.is_unsigned);
  bool beyond = token.integer > (wide ? uint64_t{INT64_MAX} : uint64_t{INT32_MAX});
  literal->type = types_.integer(wide ? 8 : 4, !(token.is_unsigned || beyond));
  return literal;
}

DExpressionPtr DParser::text_literal() {
  DExpressionPtr text = make(DExpression::Kind::Text, token_.at);
  text->text = take().text;
  return text;
}

/// self->x, this->x.
DExpressionPtr DParser::scoped_name() {
  DToken prefix = take();
  expect(DWord::Arrow);
  DExpressionPtr scoped = name(prefix.word == DWord::Self ? DScope::Thread : DScope::Clause);
  scoped->at = prefix.at;
  return scoped;
}

/// @x, @x[key, …].
DExpressionPtr DParser::aggregation() {
  DExpressionPtr aggregation = make(DExpression::Kind::Aggregation, token_.at);
  aggregation->text = take().text;
  if (!at(DWord::OpenBracket)) return aggregation;
  if (token_after().word == DWord::CloseBracket) {
    take();
    unexpected("a key");
  }
  list(aggregation->children, DWord::CloseBracket);
  add_depth_of_children(*aggregation);
  return aggregation;
}

DExpressionPtr DParser::parenthesized() {
  if (parentheses_ >= 0) parentheses_++;
  take();
  DExpressionPtr inner = expression();
  if (parentheses_ > 0) parentheses_--;
  expect(DWord::CloseParenthesis, "an operator or )");
  return inner;
}

DExpressionPtr DParser::primary() {
  switch (token_.word) {
    case DWord::Integer:
    case DWord::Character: return integer_literal();
    case DWord::Text: return text_literal();
    case DWord::Self:
    case DWord::This: return scoped_name();
    case DWord::Identifier: return name(DScope::Global);
    case DWord::Aggregation: return aggregation();
    case DWord::OpenParenthesis: return parenthesized();
    default: unexpected("an expression");
  }
}

DExpressionPtr DParser::name(DScope scope) {
  DExpressionPtr name = make(DExpression::Kind::Name, token_.at);
  name->text = expect_name("a variable's name").text;
  name->scope = scope;
  has_typed_arguments_ |= scope == DScope::Global && (name->text == "args" || name->text.contains('`'));
  return name;
}

}  // namespace strut

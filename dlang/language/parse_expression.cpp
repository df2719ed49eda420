// Expressions by precedence climbing (DTrace Guide, "Precedence").
#include <algorithm>

#include "dlang/language/parser.hpp"

namespace strut {
namespace {

struct Precedence {
  DWord word;
  int level;
};
constexpr Precedence kPrecedences[] = {
    {DWord::LogicalOr, 1}, {DWord::LogicalXor, 2}, {DWord::LogicalAnd, 3}, {DWord::Or, 4},
    {DWord::Xor, 5},       {DWord::And, 6},        {DWord::Equal, 7},      {DWord::NotEqual, 7},
    {DWord::Less, 8},      {DWord::LessEqual, 8},  {DWord::Greater, 8},    {DWord::GreaterEqual, 8},
    {DWord::ShiftLeft, 9}, {DWord::ShiftRight, 9}, {DWord::Add, 10},       {DWord::Subtract, 10},
    {DWord::Multiply, 11}, {DWord::Divide, 11},    {DWord::Modulo, 11},
};

int precedence_of(DWord word) {
  for (const Precedence& row : kPrecedences)
    if (row.word == word) return row.level;
  return 0;
}

struct Compound {
  DWord assign, op;
};
constexpr Compound kCompounds[] = {
    {DWord::Assign, DWord::Assign},
    {DWord::AddAssign, DWord::Add},
    {DWord::SubtractAssign, DWord::Subtract},
    {DWord::MultiplyAssign, DWord::Multiply},
    {DWord::DivideAssign, DWord::Divide},
    {DWord::ModuloAssign, DWord::Modulo},
    {DWord::AndAssign, DWord::And},
    {DWord::OrAssign, DWord::Or},
    {DWord::XorAssign, DWord::Xor},
    {DWord::ShiftLeftAssign, DWord::ShiftLeft},
    {DWord::ShiftRightAssign, DWord::ShiftRight},
};

/// The operator of a compound assignment; End: the word assigns nothing.
DWord assigned_by(DWord word) {
  for (const Compound& row : kCompounds)
    if (row.assign == word) return row.op;
  return DWord::End;
}

}  // namespace

DExpressionPtr DParser::make(DExpression::Kind kind, DPosition where) const {
  auto made = std::make_unique<DExpression>();
  made->kind = kind;
  made->at = where;
  return made;
}

void DParser::adopt(DExpression& parent, DExpressionPtr child) const {
  if (child->depth >= parent.depth) parent.depth = child->depth + 1;
  if (parent.depth > kMaxDepth)
    reject(DTag::SYNTAX, child->at, "expression is nested too deeply",
           "at most " + std::to_string(kMaxDepth) + " levels");
  parent.children.push_back(std::move(child));
}

DExpressionPtr DParser::expression() {
  DExpressionPtr left = assignment();
  while (at(DWord::Comma)) {
    DExpressionPtr comma = make(DExpression::Kind::Comma, take().at);
    adopt(*comma, std::move(left));
    adopt(*comma, assignment());
    left = std::move(comma);
  }
  return left;
}

DExpressionPtr DParser::assignment() {
  Level level(*this);
  DExpressionPtr left = conditional();
  DWord op = assigned_by(token_.word);
  if (op == DWord::End) return left;
  DExpressionPtr assign = make(DExpression::Kind::Assign, take().at);
  assign->op = op;
  adopt(*assign, std::move(left));
  adopt(*assign, assignment());
  return assign;
}

DExpressionPtr DParser::conditional() {
  DExpressionPtr condition = binary(1);
  if (!at(DWord::Question)) return condition;
  DExpressionPtr choice = make(DExpression::Kind::Conditional, take().at);
  adopt(*choice, std::move(condition));
  adopt(*choice, expression());
  expect(DWord::Colon);
  Level level(*this);
  adopt(*choice, conditional());
  return choice;
}

DExpressionPtr DParser::binary(int least) {
  DExpressionPtr left = cast();
  for (;;) {
    int level = precedence_of(token_.word);
    if (level < least || level == 0 || ends_predicate()) return left;
    DExpressionPtr binary_of = make(DExpression::Kind::Binary, token_.at);
    binary_of->op = take().word;
    adopt(*binary_of, std::move(left));
    adopt(*binary_of, binary(level + 1));
    left = std::move(binary_of);
  }
}

DExpressionPtr DParser::cast() {
  if (!at(DWord::OpenParenthesis)) return unary();
  DParser ahead = *this;
  ahead.take();
  if (!ahead.at_type()) return unary();
  Level level(*this);
  DExpressionPtr cast_of = make(DExpression::Kind::Cast, take().at);
  cast_of->named_type = type_name();
  expect(DWord::CloseParenthesis);
  adopt(*cast_of, cast());
  return cast_of;
}

DExpressionPtr DParser::unary() {
  Level level(*this);
  switch (token_.word) {
    case DWord::Increment:
    case DWord::Decrement: {
      DExpressionPtr update = make(DExpression::Kind::Update, token_.at);
      update->op = take().word;
      adopt(*update, unary());
      return update;
    }
    case DWord::And:
    case DWord::Multiply:
    case DWord::Add:
    case DWord::Subtract:
    case DWord::Complement:
    case DWord::Not:
    case DWord::Stringof: {
      DExpressionPtr operation = make(DExpression::Kind::Unary, token_.at);
      operation->op = take().word;
      adopt(*operation, cast());
      return operation;
    }
    case DWord::Sizeof: return sizeof_expression();
    case DWord::Offsetof: return offsetof_expression();
    case DWord::Xlate: return postfix_behind(xlate_expression());
    default: return postfix();
  }
}

DExpressionPtr DParser::sizeof_expression() {
  DExpressionPtr size = make(DExpression::Kind::Sizeof, take().at);
  if (at(DWord::OpenParenthesis)) {
    DParser ahead = *this;
    ahead.take();
    if (ahead.at_type()) {
      take();
      size->named_type = type_name();
      expect(DWord::CloseParenthesis);
      return size;
    }
  }
  adopt(*size, unary());
  return size;
}

DExpressionPtr DParser::offsetof_expression() {
  DExpressionPtr offset = make(DExpression::Kind::Offsetof, take().at);
  expect(DWord::OpenParenthesis);
  offset->named_type = type_name();
  expect(DWord::Comma);
  offset->text = expect_name("a member's name").text;
  expect(DWord::CloseParenthesis);
  return offset;
}

}  // namespace strut

// @name[keys] = function(values);
#include <span>

#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

struct FunctionName {
  std::string_view name;
  DAggregate::Function function;
};
constexpr FunctionName kNames[] = {
    {"count", DAggregate::Function::Count},
    {"sum", DAggregate::Function::Sum},
    {"avg", DAggregate::Function::Avg},
    {"min", DAggregate::Function::Min},
    {"max", DAggregate::Function::Max},
    {"stddev", DAggregate::Function::Stddev},
    {"quantize", DAggregate::Function::Quantize},
    {"lquantize", DAggregate::Function::Lquantize},
    {"llquantize", DAggregate::Function::Llquantize},
};

constexpr size_t kMaxSteps = 65535;

}  // namespace

void DChecker::aggregate(DExpression& e) {
  DExpression& left = *e.children[0];
  DExpression& right = *e.children[1];
  auto found = right.kind == Kind::Call ? find_function(right.text) : std::nullopt;
  if (right.kind == Kind::Call && !found) call(right);  // to say that there is none
  if (e.op != DWord::Assign || !found || functions()[*found].kind != DFunction::Kind::Aggregate)
    reject(
        DTag::AGG_FUNC, right.at, '@' + left.text + " must be assigned the result of an aggregating function",
        "@name[keys] = count(), sum(…), avg(…), min(…), max(…), stddev(…), quantize(…), lquantize(…) or llquantize(…)");
  std::vector<const DType*> keys;
  for (DExpressionPtr& child : left.children) {
    in_record_ = child->kind == Kind::Call;
    const DType* type = expression(*child);
    in_record_ = false;
    bool is_of_record = type->kind == DType::Kind::Special && child->kind != Kind::Aggregation;
    if (!is_key(*type) && !is_of_record) no_key(*child, "aggregation", keys.size() + 1);
    keys.push_back(is_characters(*type) ? types_.string() : type);
  }
  if (keys.size() > kDKeys) reject(DTag::AGG_MDIM, left.at, "an aggregation has too many keys", "at most 16");
  right.meaning = {DMeaning::Kind::Function, *found};
  DAggregate function = aggregate_function(right, functions()[*found]);
  left.meaning = {DMeaning::Kind::Aggregation, find_or_add(left, function, keys)};
  e.type = right.type = left.type = types_.void_type();
}

DAggregate DChecker::aggregate_function(DExpression& call, const DFunction& function) {
  DAggregate aggregate;
  for (const FunctionName& row : kNames)
    if (row.name == call.text) aggregate.function = row.function;
  count_arguments(call, function, call.text == "quantize" ? DTag::QUANT_PROTO : DTag::PROTO_LEN);
  for (DExpressionPtr& given : call.children) expression(*given);
  for (size_t i = 0; i < call.children.size(); i++) {
    if (function.parameter(i) != 'i' || call.child(i).type->is_scalar()) continue;
    reject(DTag::AGG_SCALAR, call.child(i).at,
           call.text + "( ) argument #" + std::to_string(i + 1) + " must be of scalar type");
  }
  if (aggregate.function == DAggregate::Function::Lquantize) return linear(call);
  if (aggregate.function == DAggregate::Function::Llquantize) return log_linear(call);
  return aggregate;
}

int32_t DChecker::constant(const DExpression& call, size_t index, DTag type, DTag range) const {
  auto value = constant_value(call.child(index));
  if (!value)
    reject(type, call.child(index).at,
           call.text + "( ) argument #" + std::to_string(index) + " must be an integer constant",
           "an integer constant");
  if (*value != static_cast<int32_t>(*value))
    reject(range, call.child(index).at,
           call.text + "( ) argument #" + std::to_string(index) + " must be a 32-bit quantity");
  return static_cast<int32_t>(*value);
}

DAggregate DChecker::linear(const DExpression& call) const {
  DAggregate aggregate{.function = DAggregate::Function::Lquantize};
  aggregate.low = constant(call, 1, DTag::LQUANT_BASETYPE, DTag::LQUANT_BASEVAL);
  aggregate.high = constant(call, 2, DTag::LQUANT_LIMTYPE, DTag::LQUANT_LIMVAL);
  if (call.children.size() > 3) aggregate.step = constant(call, 3, DTag::LQUANT_STEPTYPE, DTag::LQUANT_STEPVAL);
  if (aggregate.high <= aggregate.low)
    reject(DTag::LQUANT_MISMATCH, call.at, "lquantize( ) base (argument #1) must be less than limit (argument #2)");
  if (aggregate.step <= 0)
    reject(DTag::LQUANT_STEPTYPE, call.child(3).at,
           "lquantize( ) argument #3 must be a non-zero positive integer constant");
  if (aggregate.step > UINT16_MAX)
    reject(DTag::LQUANT_STEPVAL, call.child(3).at, "lquantize( ) argument #3 must be a 16-bit quantity");
  int64_t range = static_cast<int64_t>(aggregate.high) - aggregate.low;
  if (range < aggregate.step)
    reject(DTag::LQUANT_STEPLARGE, call.at,
           "lquantize( ) step (argument #3) too large: must have at least one quantization level");
  if (static_cast<size_t>(range / aggregate.step) > kMaxSteps)
    reject(DTag::LQUANT_STEPSMALL, call.at,
           "lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity");
  return aggregate;
}

DAggregate DChecker::log_linear(const DExpression& call) const {
  DAggregate aggregate{.function = DAggregate::Function::Llquantize};
  aggregate.factor = constant(call, 1, DTag::LLQUANT_FACTORTYPE, DTag::LLQUANT_FACTORVAL);
  aggregate.low = constant(call, 2, DTag::LLQUANT_LMAGTYPE, DTag::LLQUANT_LMAGVAL);
  aggregate.high = constant(call, 3, DTag::LLQUANT_HMAGTYPE, DTag::LLQUANT_HMAGVAL);
  aggregate.step = constant(call, 4, DTag::LLQUANT_STEPTYPE, DTag::LLQUANT_STEPVAL);
  if (aggregate.factor < 2)
    reject(DTag::LLQUANT_FACTORVAL, call.child(1).at, "llquantize( ) factor (argument #1) must be two or more");
  if (aggregate.low < 0)
    reject(DTag::LLQUANT_LMAGVAL, call.child(2).at, "llquantize( ) low magnitude (argument #2) must not be negative");
  if (aggregate.high < aggregate.low)
    reject(DTag::LLQUANT_HMAGVAL, call.child(3).at,
           "llquantize( ) high magnitude (argument #3) must not be less than the low one");
  if (aggregate.step < 1 || (aggregate.step % aggregate.factor != 0 && aggregate.factor % aggregate.step != 0))
    reject(DTag::LLQUANT_STEPVAL, call.child(4).at,
           "llquantize( ) number of steps (argument #4) must be a multiple of the factor, or divide it");
  double top = 1;
  for (int i = 0; i <= aggregate.high && top < 1e19; i++) top *= aggregate.factor;
  if (top >= 9.2e18)
    reject(DTag::LLQUANT_HMAGVAL, call.child(3).at,
           "llquantize( ) factor (argument #1) raised to the high magnitude (argument #3) overflows 64 bits");
  if (words_of(aggregate) > kMaxSteps)
    reject(DTag::LLQUANT_STEPVAL, call.child(4).at, "llquantize( ) has too many steps");
  return aggregate;
}

namespace {

/// A constant among an aggregating function's arguments: its place behind the value.
struct Constant {
  std::string_view name;
  int number;
  int32_t DAggregate::* value;
  DTag tag;
};
constexpr Constant kLinear[] = {
    {"base", 1, &DAggregate::low, DTag::LQUANT_MATCHBASE},
    {"limit", 2, &DAggregate::high, DTag::LQUANT_MATCHLIM},
    {"step", 3, &DAggregate::step, DTag::LQUANT_MATCHSTEP},
};
constexpr Constant kLogLinear[] = {
    {"factor", 1, &DAggregate::factor, DTag::LLQUANT_MATCHFACTOR},
    {"low magnitude", 2, &DAggregate::low, DTag::LLQUANT_MATCHLMAG},
    {"high magnitude", 3, &DAggregate::high, DTag::LLQUANT_MATCHHMAG},
    {"linear steps per magnitude", 4, &DAggregate::step, DTag::LLQUANT_MATCHSTEPS},
};

std::span<const Constant> constants_of(const DAggregate& aggregate) {
  if (aggregate.function == DAggregate::Function::Lquantize) return kLinear;
  if (aggregate.function == DAggregate::Function::Llquantize) return kLogLinear;
  return {};
}

}  // namespace

/// An aggregation has one function, with the same constants wherever it is used.
void DChecker::same_function(const DExpression& e, uint32_t aggregation, const DAggregate& aggregate) const {
  const DAggregate& known = program_.aggregations[aggregation].aggregate;
  if (known.function != aggregate.function)
    reject(DTag::AGG_REDEF, e.at,
           "aggregation redefined: @" + e.text + "\n\t current: @" + e.text + " = " +
               std::string(name_of(aggregate.function)) + "( )\n\tprevious: @" + e.text + " = " +
               std::string(name_of(known.function)) + "( ) : line " +
               std::to_string(aggregation_places_[aggregation].line));
  for (const Constant& row : constants_of(aggregate))
    if (known.*row.value != aggregate.*row.value)
      reject(row.tag, e.at,
             std::string(name_of(aggregate.function)) + "( ) " + std::string(row.name) + " (argument #" +
                 std::to_string(row.number) + ") doesn't match previous declaration: expected " +
                 std::to_string(known.*row.value) + ", found " + std::to_string(aggregate.*row.value));
}

namespace {

/// Values of both types can be the same key of an aggregation.
bool is_same_key(const DType& wanted, const DType& given) {
  if (wanted.is_in_memory() || given.is_in_memory()) return is_same(wanted, given);
  return shape_of(wanted) == shape_of(given) || (wanted.is_scalar() && given.is_scalar());
}

}  // namespace

uint32_t DChecker::find_or_add(const DExpression& e, const DAggregate& aggregate,
                               const std::vector<const DType*>& keys) {
  auto [at, fresh] = aggregations_.try_emplace(e.text, static_cast<uint32_t>(program_.aggregations.size()));
  if (fresh) {
    DAggregation made{.name = e.text, .aggregate = aggregate};
    for (const DType* key : keys) made.keys.push_back(key_shape_of(*key));
    program_.aggregations.push_back(std::move(made));
    aggregation_keys_.push_back(keys);
    aggregation_places_.push_back(e.at);
    return at->second;
  }
  same_function(e, at->second, aggregate);
  const auto& wanted = aggregation_keys_[at->second];
  if (wanted.size() != keys.size())
    reject(DTag::PROTO_LEN, e.at,
           "@" + e.text + "[ ] prototype mismatch: " + std::to_string(keys.size()) +
               (keys.size() == 1 ? " key" : " keys") + " passed, " + std::to_string(wanted.size()) + " expected");
  for (size_t i = 0; i < keys.size(); i++)
    if (!is_same_key(*wanted[i], *keys[i]))
      reject(DTag::PROTO_ARG, e.child(i).at,
             "@" + e.text + "[ ] key #" + std::to_string(i + 1) +
                 " is incompatible with prototype:" + prototype_lines(wanted[i]->name, keys[i]->name));
  return at->second;
}

}  // namespace strut

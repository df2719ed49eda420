// Calls of subroutines, and checks that all calls share.
#include "dlang/compiler/checker.hpp"

namespace strut {
namespace {

std::string named(const DExpression& call) { return call.text + "( )"; }

std::string_view described(char parameter) {
  switch (parameter) {
    case 's': return "string";
    case 'S': return "string or NULL";
    case 'i': return "integer";
    case 'c': return "integer constant";
    case 'p': return "pointer or integer";
    case 'P': return "pointer to a structure";
    case 'f': return "string constant";
    case '@': return "aggregation";
    default: return "value";
  }
}

}  // namespace

const DType* DChecker::call(DExpression& e) {
  std::optional<uint32_t> found = find_function(e.text);
  bool is_scalar = find_builtin(e.text) || find_variable(e.text, DScope::Global) != nullptr;
  if (!found && is_scalar)
    reject(DTag::FUNC_IDKIND, e.at, "scalar '" + e.text + "' may not be referenced as a function");
  if (!found) reject(DTag::FUNC_UNDEF, e.at, "undefined function name: " + e.text, "a subroutine or an action of D");
  const DFunction& function = functions()[*found];
  e.meaning = {DMeaning::Kind::Function, *found};
  take_stability(e, kind_of(function));
  using What = DFunction::Kind;
  bool statement = in_record_;
  if (function.kind == What::Refused) refuse(e, function);
  bool aggregates = function.kind == What::Aggregate;
  if (aggregates || (function.kind != What::Subroutine && !statement))
    reject(DTag::CG_EXPR, e.at,
           std::string(kind_of(function)) + ' ' + named(e) +
               " may not be called from a D expression (D program context required)",
           aggregates ? "@name = in front of it" : "a statement of its own");
  in_record_ = false;
  if (function.kind == What::Action) return action(e, function);
  count_arguments(e, function, DTag::PROTO_LEN);
  for (size_t i = 0; i < e.children.size(); i++) argument(e, function, i);
  if (function.kind == What::Destructive) note_destructive(e);
  return function.result == "void *" ? types_.pointer_to(types_.void_type()) : types_.find(function.result);
}

void DChecker::refuse(DExpression& call, const DFunction& function) {
  count_arguments(call, function, DTag::PROTO_LEN);
  for (size_t i = 0; i < call.children.size(); i++) argument(call, function, i);
  reject(DTag::FUNC_UNDEF, call.at, named(call) + " is not supported by strut");
}

/// The first one is named where it needs to be permitted. breakpoint() and panic() are of the kernel, which strut
/// leaves alone: programs with them can be compiled, not run.
void DChecker::note_destructive(const DExpression& call) {
  if (functions()[call.meaning.index].op == DOp::End) program_.unsupported = call.text;
  if (!program_.destructive.empty()) return;
  program_.destructive = call.text;
  program_.destructive_at = call.at;
  program_.destructive_source = source_;
}

void DChecker::count_arguments(const DExpression& e, const DFunction& function, DTag tag) const {
  size_t given = e.children.size(), least = function.least(), most = function.most();
  if (given >= least && given <= most) return;
  size_t wanted = given < least ? least : most;
  std::string_view bound = least == most ? "" : given < least ? "at least " : "at most ";
  reject(tag, e.at,
         named(e) + " prototype mismatch: " + std::to_string(given) + (given == 1 ? " arg" : " args") + " passed, " +
             std::string(bound) + std::to_string(wanted) + " expected");
}

void DChecker::wrong_argument(const DExpression& call, size_t index, std::string_view wanted, DTag tag) const {
  const DExpression& given = call.child(index);
  std::string what = given.type != nullptr             ? given.type->name
                     : given.kind == Kind::Aggregation ? "aggregation"
                                                       : "unknown";
  const DFunction* function =
      call.meaning.kind == DMeaning::Kind::Function ? &functions()[call.meaning.index] : nullptr;
  std::string prototype(function != nullptr ? function->type_of(index) : "");
  reject(tag, given.at,
         named(call) + " argument #" + std::to_string(index + 1) +
             " is incompatible with prototype:" + prototype_lines(prototype.empty() ? wanted : prototype, what),
         std::string(wanted));
}

void DChecker::argument(DExpression& call, const DFunction& function, size_t index) {
  char wanted = function.parameter(index);
  DExpression& given = *call.children[index];
  const DType* type = expression(given);
  bool text = type->is_string() || is_characters(*type);
  bool fits = false;
  switch (wanted) {
    case 's': fits = text; break;
    case 'S': fits = text || constant_value(given) == 0; break;
    case 'i': fits = type->is_integer(); break;
    case 'c': fits = type->is_integer() && constant_value(given).has_value(); break;
    case 'p': fits = type->is_scalar() || (type->is_string() && function.type_of(index).ends_with('*')); break;
    case 'P': fits = type->is_pointer() && type->target->kind == DType::Kind::Struct; break;
    default: fits = type->is_scalar() || type->is_string(); break;
  }
  if (!fits) wrong_argument(call, index, described(wanted), DTag::PROTO_ARG);
  bool base = wanted == 'c' && call.text == "lltostr";
  if (base && (*constant_value(given) < 2 || *constant_value(given) > 36))
    wrong_argument(call, index, "2 to 36", DTag::PROTO_ARG);
}

}  // namespace strut

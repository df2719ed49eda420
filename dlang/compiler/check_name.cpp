// Names, elements of arrays.
#include <algorithm>

#include "dlang/compiler/checker.hpp"
#include "dlang/language/named_constant.hpp"

namespace strut {
namespace {

/// N of "argN"; nullopt: it is no such name.
std::optional<uint32_t> argument_number(std::string_view name) {
  if (name.size() != 4 || !name.starts_with("arg") || name[3] < '0' || name[3] > '9') return std::nullopt;
  return static_cast<uint32_t>(name[3] - '0');
}

/// A key of type `wanted` may be given as a value of type `given`.
bool fits_key(const DType& wanted, const DType& given) {
  if (wanted.is_string()) return given.is_string() || is_characters(given);
  if (wanted.is_in_memory() || given.is_in_memory()) return is_same(wanted, given);
  return wanted.is_scalar() && given.is_scalar();
}

std::string_view prefix_of(DScope scope) {
  return scope == DScope::Thread ? "self->" : scope == DScope::Clause ? "this->" : "";
}

}  // namespace

const DType* DChecker::name(DExpression& e) {
  if (const uint32_t* variable = find_variable(e.text, e.scope)) {
    e.meaning = {DMeaning::Kind::Variable, *variable};
    if (!variable_keys_[*variable].empty()) without_keys(e);
    return variable_types_[*variable];
  }
  if (e.scope == DScope::Global) return global_name(e);
  reject(DTag::VAR_UNDEF, e.at, std::string(prefix_of(e.scope)) + e.text + " has not yet been declared or assigned",
         "a variable that is");
}

void DChecker::without_keys(const DExpression& e) const {
  reject(DTag::IDENT_BADREF, e.at, "associative array '" + e.text + "' may not be referenced as scalar", "[ and keys");
}

/// -x amin, and the line of -v. `e` is a name or a call that is D's own.
void DChecker::take_stability(const DExpression& e, std::string_view kind) {
  DStability its = stability_of(e.text);
  if (is_below(its, program_.settings.amin))
    reject(DTag::ATTR_MIN, e.at,
           "attributes for " + std::string(kind) + ' ' + e.text + " (" + spelling_of(its) +
               ") are less than predefined minimum",
           "a name that is as stable, or another -x amin");
  if (clause_ == nullptr) return;
  program_.stabilities.resize(std::max<size_t>(program_.stabilities.size(), source_ + 1), stability_of({}));
  program_.stabilities[source_] = least(program_.stabilities[source_], its);
}

const DType* DChecker::global_name(DExpression& e) {
  if (auto at = inlines_.find(e.text); at != inlines_.end()) {
    if (!at->second->keys.empty()) without_keys(e);
    if (inlined_translation(e) != nullptr)
      reject(DTag::OP_DYN, e.at, "translated data may only be used by its members", "-> or . and a member");
    e.meaning = {DMeaning::Kind::Inline, 0, at->second->inlined.get()};
    return at->second->inlined->type;
  }
  if (const int64_t* value = types_.enumerator(e.text)) {
    e.kind = Kind::Integer;
    e.integer = static_cast<uint64_t>(*value);
    return types_.int_type();
  }
  if (auto number = argument_number(e.text)) {
    take_stability(e, "scalar");
    e.meaning = {DMeaning::Kind::Argument, *number};
    return types_.find("int64_t");
  }
  if (auto builtin = find_builtin(e.text)) {
    take_stability(e, "scalar");
    e.meaning = {DMeaning::Kind::Builtin, static_cast<uint32_t>(*builtin)};
    return types_.spelled(builtins()[static_cast<size_t>(*builtin)].type);
  }
  return known_name(e);
}

const DType* DChecker::known_name(DExpression& e) {
  if (e.text == "curpsinfo" || e.text == "curlwpsinfo") {
    e.meaning = {DMeaning::Kind::Translated, 0};
    return types_.pointer_to(types_.translated(e.text == "curpsinfo" ? DTranslated::Process : DTranslated::Thread));
  }
  auto constant = find_register(e.text);
  if (!constant) constant = named_constant(e.text);
  if (e.text == "NULL" || constant) {
    const DType* type = e.text == "NULL" ? types_.pointer_to(types_.void_type()) : types_.int_type();
    e.integer = static_cast<uint64_t>(constant.value_or(0));
    e.kind = Kind::Integer;
    return type;
  }
  if (e.text == "args" || e.text == "uregs" || e.text == "fds")
    reject(DTag::IDENT_BADREF, e.at, "associative array '" + e.text + "' may not be referenced as scalar",
           "[ and an index");
  if (e.text.find('`') != std::string::npos) return program_variable(e, e.text);
  if (auto function = find_function(e.text))
    reject(DTag::IDENT_BADREF, e.at,
           std::string(kind_of(functions()[*function])) + " '" + e.text + "' may not be referenced as scalar", "(");
  reject(DTag::IDENT_UNDEF, e.at, "failed to resolve " + e.text + ": Unknown variable name",
         "a variable that is declared, assigned or built in");
}

const DType* DChecker::index(DExpression& e) {
  DExpression& array = *e.children[0];
  if (array.kind == Kind::Aggregation)
    reject(DTag::AGG_MDIM, e.at, "improper attempt to reference @" + array.text + " as a multi-dimensional array",
           "all keys in one pair of [ ]");
  if (array.kind == Kind::Name) {
    if (const uint32_t* variable = find_variable(array.text, array.scope);
        variable && !variable_keys_[*variable].empty())
      return element(e, *variable);
    if (auto at = inlines_.find(array.text);
        array.scope == DScope::Global && at != inlines_.end() && !at->second->keys.empty())
      return inline_element(e, *at->second);
    if (array.scope == DScope::Global && array.text == "args") return typed_argument(e);
    if (array.scope == DScope::Global && array.text == "uregs") {
      e.meaning = {DMeaning::Kind::Registers};
      integer(*e.children[1], DTag::REGS_IDX, "uregs[ ]");
      auto constant = constant_value(e.child(1));
      if (constant && (*constant < 0 || *constant >= kDRegisters))
        reject(DTag::REGS_IDX, e.at, "index " + std::to_string(*constant) + " is out of range for uregs[ ]",
               "R_RAX and the like");
      return types_.integer(8, false);
    }
    if (array.scope == DScope::Global && array.text == "fds") {
      e.meaning = {DMeaning::Kind::Descriptors};
      integer(*e.children[1], DTag::PROTO_ARG, "fds[ ]");
      return types_.translated(DTranslated::File);
    }
  }
  return memory_index(e);
}

const DType* DChecker::element(DExpression& e, uint32_t variable) {
  e.meaning = {DMeaning::Kind::Variable, variable};
  keys(e, e.child(0).text, variable_keys_[variable]);
  return variable_types_[variable];
}

/// Keys of an array, the children behind the first, against those that it was first used with.
void DChecker::keys(DExpression& e, const std::string& name, const std::vector<const DType*>& wanted) {
  size_t given = e.children.size() - 1;
  if (given != wanted.size())
    reject(DTag::PROTO_LEN, e.at,
           name + "[ ] prototype mismatch: " + std::to_string(given) + (given == 1 ? " key" : " keys") + " passed, " +
               std::to_string(wanted.size()) + " expected");
  for (size_t i = 0; i < given; i++) {
    const DType* type = key(*e.children[i + 1], i + 1);
    if (!fits_key(*wanted[i], *type))
      reject(DTag::PROTO_ARG, e.child(i + 1).at,
             name + "[ ] key #" + std::to_string(i + 1) +
                 " is incompatible with prototype:" + prototype_lines(wanted[i]->name, type->name));
  }
}

const DType* DChecker::key(DExpression& e, size_t number) {
  const DType* type = expression(e);
  if (!is_key(*type)) no_key(e, "array", number);
  return type;
}

void DChecker::no_key(const DExpression& e, std::string_view of, size_t number) const {
  bool is_void = e.type->kind == DType::Kind::Void;
  reject(DTag::KEY_TYPE, e.at,
         std::string(is_void ? "void" : "dynamic") + " expression may not be used as " + std::string(of) +
             " index: key #" + std::to_string(number),
         std::string(kKeyTypes));
}

/// The types of args[], the same at all probes of the clause.
std::vector<DArgumentType> DChecker::argument_types(const DExpression& e) const {
  std::optional<std::vector<DArgumentType>> types;
  for (size_t i = 0; clause_ != nullptr && i < clause_->probes.size(); i++) {
    const ProbeDescription& probe = clause_->probes[i];
    auto of_probe =
        request_.types != nullptr ? request_.types->arguments(probe) : std::optional(std::vector<DArgumentType>{});
    if (!of_probe || (types && !are_alike(*types, *of_probe)))
      reject(DTag::ARGS_MULTI, e.at,
             "args[ ] may not be referenced because probe description " + probe.text() +
                 " matches an unstable set of probes",
             "a clause for each kind of probe");
    types = std::move(of_probe);
  }
  if (!types)
    reject(DTag::ARGS_NONE, e.at, "args[ ] may not be referenced outside of a probe clause", "its use in a clause");
  return *std::move(types);
}

/// The number in args[number].
int64_t DChecker::argument_index(DExpression& e) {
  if (size_t given = e.children.size() - 1; given != 1)
    reject(DTag::PROTO_LEN, e.at, "args[ ] prototype mismatch: " + std::to_string(given) + " args passed, 1 expected");
  const DType* given = expression(*e.children[1]);
  std::optional<int64_t> index = given->is_integer() ? constant_value(e.child(1)) : std::nullopt;
  if (!index)
    reject(DTag::PROTO_ARG, e.at,
           "args[ ] argument #1 is incompatible with prototype:" + prototype_lines("integer constant", given->name),
           "a number");
  return *index;
}

/// The type of args[number].
DArgumentType DChecker::argument_type(DExpression& e) {
  std::vector<DArgumentType> types = argument_types(e);
  int64_t index = argument_index(e);
  if (index < 0 || static_cast<uint64_t>(index) >= std::min<size_t>(types.size(), kDArguments))
    reject(DTag::ARGS_IDX, e.at,
           "index " + std::to_string(index) + " is out of range for " + clause_->probes[0].text() + " args[ ]",
           types.empty() ? "arg0 and the like" : "at most " + std::to_string(types.size() - 1));
  e.meaning = {DMeaning::Kind::Arguments, static_cast<uint32_t>(index)};
  return std::move(types[static_cast<size_t>(index)]);
}

const DType* DChecker::typed_argument(DExpression& e) {
  if (is_of_program()) return program_variable(e, "args[" + std::to_string(argument_index(e)) + ']');
  DArgumentType type = argument_type(e);
  e.meaning.is_of_call = type.is_of_call;
  switch (type.kind) {
    case DArgumentType::Kind::Text: return types_.string();
    case DArgumentType::Kind::Process: return types_.pointer_to(types_.translated(DTranslated::Process));
    case DArgumentType::Kind::Thread: return types_.pointer_to(types_.translated(DTranslated::Thread));
    case DArgumentType::Kind::File: return types_.pointer_to(types_.translated(DTranslated::File));
    case DArgumentType::Kind::Computed: return computed_argument(e, type);
    case DArgumentType::Kind::Integer: break;
  }
  bool is_pointer = type.type.ends_with('*');
  // What a call's arguments point to is in the process, not where an expression may read.
  const DType* named = is_pointer && type.is_of_call ? nullptr : types_.spelled(type.type);
  if (named != nullptr && (named->is_integer() || named->is_pointer())) return named;
  return is_pointer ? types_.pointer_to(types_.void_type()) : types_.integer(8, true);
}

const DType* DChecker::memory_index(DExpression& e) {
  const DExpression& array = e.child(0);
  if (array.kind == Kind::Name && find_variable(array.text, array.scope) == nullptr &&
      (array.scope != DScope::Global || !inlines_.contains(array.text)))
    name(*e.children[0]);  // to say that it is not known
  const DType* type = expression(*e.children[0]);
  if (type->is_string()) return character_of_string(e);
  one_index(e);
  if (!type->is_pointer())
    reject(DTag::DEREF_NONPTR, e.at, "cannot dereference non-pointer type", "an array or a pointer");
  const DType* by = expression(*e.children[1]);
  if (!by->is_integer() || type->target->bytes == 0)  // p[i] is *(p + i)
    reject(DTag::OP_INCOMPAT, e.at,
           "operands have incompatible types: " + quoted_source(type->name) + " + " + quoted_source(by->name));
  auto index = constant_value(e.child(1));
  if (type->kind == DType::Kind::Array && type->count != 0 && index && (*index < 0 || *index >= type->count))
    reject(
        DTag::ARR_BOUNDS, e.at,
        "index outside array bounds: " + std::to_string(*index) + ", not in [0, " + std::to_string(type->count) + ")",
        quoted_source(type->name));
  return type->target;
}

/// Several keys are those of an associative array.
void DChecker::one_index(const DExpression& e) const {
  if (e.children.size() == 2) return;
  std::string name = e.child(0).kind == Kind::Name ? e.child(0).text : "expression";
  reject(DTag::ARR_BADREF, e.at, "cannot access " + name + " as an associative array", "one index");
}

/// A string is an array of characters, as many as strsize says.
const DType* DChecker::character_of_string(DExpression& e) {
  one_index(e);
  integer(*e.children[1], DTag::ARR_BADREF, "operator [ ]");
  auto index = constant_value(e.child(1));
  if (index && (*index < 0 || static_cast<uint64_t>(*index) >= program_.settings.strsize))
    reject(DTag::ARR_BOUNDS, e.at,
           "index outside array bounds: " + std::to_string(*index) + ", not in [0, " +
               std::to_string(program_.settings.strsize) + ")");
  return types_.integer(1, true);
}

}  // namespace strut

// Checks of code before it runs: done once, so that the machine needs none.
#include <array>
#include <bitset>
#include <map>
#include <optional>

#include "dlang/compiler/program.hpp"
#include "dlang/language/builtin.hpp"

namespace strut {
namespace {

/// Facts that hold at a place in the code on every path to it.
struct State {
  std::bitset<kDIntegerRegisters> integers;
  std::bitset<kDTextRegisters> texts;
  std::array<DShape::Kind, kDKeys> keys{};
  std::array<uint32_t, kDKeys> key_sizes{};  ///< sizes of KeyBytes; others: 0
  uint32_t key_count = 0;
  uint32_t action = UINT32_MAX;  ///< the action of the open record
  uint32_t items = 0;            ///< recorded of it
  bool operator==(const State&) const = default;
};

using Problem = std::optional<std::string>;

bool is_width(int32_t imm, bool swapping) {
  if (swapping) return imm == 2 || imm == 4 || imm == 8;
  int32_t bytes = imm & ~kSignedWidth;
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

class ClauseCheck {
 public:
  ClauseCheck(const DProgram& program, const DClause& clause) : program_(program), clause_(clause) {}

  Problem check() {
    if (clause_.begin >= clause_.end || clause_.end > program_.code.size()) return "is not within the code";
    if (program_.code[clause_.end - 1].op != DOp::End) return "does not end with End";
    arrive(clause_.begin, {});
    for (at_ = clause_.begin; at_ < clause_.end; at_++) {
      auto incoming = states_.find(at_);
      bool reached = incoming != states_.end();
      if (reached) {
        state_ = incoming->second;
        states_.erase(incoming);
      }
      if (Problem problem = instruction(reached)) {
        const DInstruction& code = program_.code[at_];
        bool known = static_cast<size_t>(code.op) < op_count();
        return "instruction " + std::to_string(at_ - clause_.begin) + " (" + (known ? disassemble(code) : "?") +
               "): " + *problem;
      }
    }
    return std::nullopt;
  }

 private:
  Problem instruction(bool reached) {
    const DInstruction& code = program_.code[at_];
    if (static_cast<size_t>(code.op) >= op_count()) return "is no instruction";
    std::string_view operands = row_of(code.op).operands;
    const int64_t values[] = {code.a, code.b, code.c, code.imm};
    for (size_t i = 0; i < 4; i++)
      if (Problem problem = reading(operands[i], values[i], reached)) return problem;
    if (Problem problem = table_operand(code, operands[3])) return problem;
    if (!reached) return std::nullopt;
    if (Problem problem = effect(code)) return problem;
    for (size_t i = 0; i < 3; i++) {
      if (operands[i] == 'd') state_.integers.set(static_cast<size_t>(values[i]));
      if (operands[i] == 't') state_.texts.set(static_cast<size_t>(values[i]));
    }
    return flow(code);
  }

  /// Registers exist, and those that are read have been written.
  Problem reading(char letter, int64_t value, bool reached) const {
    switch (letter) {
      case '-': return value == 0 ? Problem{} : "has an operand that it does not want";
      case 'd':
        return value < clause_.integer_registers && value < kDIntegerRegisters ? Problem{} : "has no such register";
      case 't': return value < clause_.text_registers && value < kDTextRegisters ? Problem{} : "has no such register";
      case 'o':
        if (value == -1 || value == kNoRegister) return std::nullopt;
        [[fallthrough]];
      case 'r':
        if (value < 0 || value >= clause_.integer_registers || value >= kDIntegerRegisters)
          return "has no such register";
        return !reached || state_.integers.test(static_cast<size_t>(value)) ? Problem{}
                                                                            : "reads a register that was not written";
      case 's':
        if (value >= clause_.text_registers || value >= kDTextRegisters) return "has no such register";
        return !reached || state_.texts.test(static_cast<size_t>(value)) ? Problem{}
                                                                         : "reads a register that was not written";
      default: return std::nullopt;
    }
  }

  static Problem require(bool holds, const char* otherwise) { return holds ? Problem{} : Problem{otherwise}; }

  Problem table_operand(const DInstruction& code, char letter) const {
    if (row_of(code.op).operands[2] == 'S' && code.c > static_cast<uint8_t>(DSubject::Descriptor))
      return "has no such subject";
    auto index = static_cast<uint32_t>(code.imm);
    switch (letter) {
      case 'j': return require(code.imm > 0 && index < clause_.end - at_, "jumps out of its clause or back");
      case 'k': return require(index < program_.constants.size(), "has no such constant");
      case 'x': return require(index < program_.texts.size(), "has no such text");
      case 'A': return require(index < program_.aggregations.size(), "has no such aggregation");
      case 'q': return require(index < program_.actions.size(), "has no such action");
      case 'p': return require(index < program_.program_variables.size(), "has no such variable of the program");
      case 'n': return require(index < kDArguments, "has no such argument");
      case 'K': return require(index < kDKeys, "has no such key");
      case 'w':
      case 'z': return require(is_width(code.imm, false), "has no such width");
      case 'y': return require(is_width(code.imm, true), "has no such width");
      case 'B': return require(code.imm >= 2 && code.imm <= 36, "has no such base");
      default: return typed_operand(code, letter);
    }
  }

  /// Rows of a table that have types.
  Problem typed_operand(const DInstruction& code, char letter) const {
    auto index = static_cast<uint32_t>(code.imm);
    bool text = row_of(code.op).operands[0] == 't' || row_of(code.op).operands[0] == 's';
    bool memory = code.op == DOp::AddressThread || code.op == DOp::AddressElement;
    DShape::Kind shape = memory ? DShape::Kind::Bytes : text ? DShape::Kind::Text : DShape::Kind::Integer;
    auto has_row = [&](const auto& rows) { return index < rows.size() && (rows[index].type == "string") == text; };
    switch (letter) {
      case 'g': return variable(index, DScope::Global, shape, false);
      case 'v': return variable(index, DScope::Thread, shape, false);
      case 'l': return variable(index, DScope::Clause, shape, false);
      case 'e': return variable(index, DScope::Global, shape, true);
      case 'u':
      case 'U': return require(has_row(builtins()), "has no such variable");
      case 'm':
      case 'M': return require(has_row(translated_members()), "has no such member");
      default: return std::nullopt;
    }
  }

  Problem variable(uint32_t index, DScope scope, DShape::Kind shape, bool array) const {
    if (index >= program_.variables.size()) return "has no such variable";
    const DVariable& variable = program_.variables[index];
    if (variable.scope != scope || variable.keys.empty() == array) return "has a variable of another kind";
    return variable.shape.kind == shape ? Problem{} : "has a variable of another type";
  }

  /// The effect of an instruction on keys and records.
  Problem effect(const DInstruction& code) {
    auto index = static_cast<uint32_t>(code.imm);
    switch (code.op) {
      case DOp::Key: return key(index, DShape::Kind::Integer);
      case DOp::KeyText: return key(index, DShape::Kind::Text);
      case DOp::KeyBytes: return key(key_number(code), DShape::Kind::Bytes, key_bytes(code));
      case DOp::KeyUserStack: return key(index, DShape::Kind::UserStack);
      case DOp::KeyKernelStack: return key(index, DShape::Kind::KernelStack);
      case DOp::KeyAddress: return key(index, DShape::Kind::UserAddress);
      case DOp::KeyKernelAddress: return key(index, DShape::Kind::KernelAddress);
      case DOp::LoadElement:
      case DOp::StoreElement:
      case DOp::LoadElementText:
      case DOp::StoreElementText:
      case DOp::AddressElement: return tuple(program_.variables[index].keys);
      case DOp::Aggregate: return tuple(program_.aggregations[index].keys);
      case DOp::Record:
        if (Problem problem = record_ends()) return problem;
        open_record(index, 0);
        return std::nullopt;
      case DOp::PutInteger: return item(DShape::Kind::Integer);
      case DOp::PutText: return item(DShape::Kind::Text);
      case DOp::PutBytes: return item(DShape::Kind::Bytes);
      case DOp::PutUserStack: return item(DShape::Kind::UserStack);
      case DOp::PutKernelStack: return item(DShape::Kind::KernelStack);
      case DOp::PutAddress: return item(DShape::Kind::UserAddress);
      case DOp::PutKernelAddress: return item(DShape::Kind::KernelAddress);
      case DOp::End: return record_ends();
      default: return std::nullopt;
    }
  }

  Problem key(uint32_t index, DShape::Kind kind, uint32_t bytes = 0) {
    if (index != 0 && index != state_.key_count) return "keys are not set one after another";
    state_.keys[index] = kind;
    state_.key_sizes[index] = bytes;
    state_.key_count = index + 1;
    return std::nullopt;
  }

  /// All symbols are kept alike: a process and an address.
  static bool same_kind(DShape::Kind put, const DShape& wanted) {
    if (wanted.kind == DShape::Kind::CallArgument) return put == DShape::Kind::Bytes;
    if (!wanted.is_address()) return put == wanted.kind;
    return put == (wanted.is_kernel_address() ? DShape::Kind::KernelAddress : DShape::Kind::UserAddress);
  }

  Problem tuple(const std::vector<DShape>& wanted) const {
    if (wanted.empty()) return std::nullopt;
    if (state_.key_count != wanted.size()) return "other keys are set than it wants";
    for (size_t i = 0; i < wanted.size(); i++)
      if (!same_kind(state_.keys[i], wanted[i]) ||
          (wanted[i].kind == DShape::Kind::Bytes && state_.key_sizes[i] != wanted[i].bytes))
        return "other keys are set than it wants";
    return std::nullopt;
  }

  Problem item(DShape::Kind kind) {
    if (state_.action == UINT32_MAX) return "no record is open";
    const auto& items = program_.actions[state_.action].items;
    if (state_.items >= items.size() || !same_kind(kind, items[state_.items])) return "is no item of its action";
    open_record(state_.action, state_.items + 1);
    return std::nullopt;
  }

  /// With all its items a record is complete, and nothing more is known of it.
  void open_record(uint32_t action, uint32_t items) {
    bool complete = items == program_.actions[action].items.size();
    state_.action = complete ? UINT32_MAX : action;
    state_.items = complete ? 0 : items;
  }

  Problem record_ends() const { return state_.action == UINT32_MAX ? Problem{} : Problem{"a record lacks items"}; }

  Problem flow(const DInstruction& code) {
    if (code.op == DOp::End) return std::nullopt;
    if (row_of(code.op).operands[3] == 'j')
      if (Problem problem = arrive(at_ + static_cast<uint32_t>(code.imm), state_)) return problem;
    return code.op == DOp::Jump ? std::nullopt : arrive(at_ + 1, state_);
  }

  Problem arrive(uint32_t where, const State& with) {
    if (where >= clause_.end) return "runs out of its clause";
    auto [known, fresh] = states_.try_emplace(where, with);
    if (fresh) return std::nullopt;
    State& merged = known->second;
    if (merged.action != with.action || merged.items != with.items) return "records differ by the way that leads here";
    if (merged.key_count != with.key_count || merged.keys != with.keys || merged.key_sizes != with.key_sizes)
      merged.key_count = 0;
    merged.integers &= with.integers;
    merged.texts &= with.texts;
    return std::nullopt;
  }

  const DProgram& program_;
  const DClause& clause_;
  uint32_t at_ = 0;
  State state_;
  std::map<uint32_t, State> states_;  ///< at places ahead
};

Problem check_shapes(const std::vector<DShape>& shapes) {
  for (const DShape& shape : shapes) {
    if (shape.kind > DShape::Kind::KernelModule) return "has a shape that is none";
    bool width = shape.bytes == 1 || shape.bytes == 2 || shape.bytes == 4 || shape.bytes == 8;
    if (shape.kind == DShape::Kind::Integer && !width) return "has an integer of no width";
    if (shape.kind == DShape::Kind::Bytes && shape.bytes > kDMostGlobalBytes) return "has a key that is too large";
  }
  return std::nullopt;
}

/// Actions name aggregations that exist, and have the items that their texts take.
Problem check_action(const DProgram& program, const DAction& action) {
  if (Problem problem = check_shapes(action.items)) return problem;
  if (action.kind == DAction::Kind::Print && action.printed_type >= program.printed_types.size())
    return "has no such type";
  for (uint32_t aggregation : action.aggregations)
    if (aggregation >= program.aggregations.size()) return "has no such aggregation";
  bool wants_one = action.kind >= DAction::Kind::Clear && action.kind <= DAction::Kind::Denormalize;
  if ((wants_one || action.kind == DAction::Kind::Printa) && action.aggregations.empty()) return "has no aggregation";
  return std::nullopt;
}

/// Powers up to the highest magnitude fit in 64 bits.
bool has_sane_magnitudes(const DAggregate& a) {
  if (a.factor < 2 || a.low < 0 || a.high < a.low || a.high > 62 || a.step < 1) return false;
  double top = 1;
  for (int i = 0; i <= a.high; i++) top *= a.factor;
  return top < 9.2e18;
}

Problem check_aggregation(const DAggregation& aggregation) {
  const DAggregate& a = aggregation.aggregate;
  if (a.function > DAggregate::Function::Llquantize) return "has no such function";
  if (aggregation.keys.size() > kDKeys) return "has too many keys";
  if (Problem problem = check_shapes(aggregation.keys)) return problem;
  if (a.function == DAggregate::Function::Lquantize && (a.step <= 0 || a.high < a.low)) return "has impossible steps";
  if (a.function == DAggregate::Function::Llquantize && !has_sane_magnitudes(a)) return "has impossible steps";
  return words_of(a) <= 65537 ? Problem{} : Problem{"has too many steps"};
}

}  // namespace

std::expected<void, std::string> verify(const DProgram& program) {
  auto wrong = [](const char* what, size_t index, const std::string& why) {
    return std::unexpected(std::string(what) + ' ' + std::to_string(index) + ": " + why);
  };
  for (size_t i = 0; i < program.aggregations.size(); i++)
    if (Problem problem = check_aggregation(program.aggregations[i])) return wrong("aggregation", i, *problem);
  for (size_t i = 0; i < program.variables.size(); i++)
    if (program.variables[i].keys.size() > kDKeys) return wrong("variable", i, "has too many keys");
    else if (Problem problem = check_shapes(program.variables[i].keys)) return wrong("variable", i, *problem);
  for (size_t i = 0; i < program.printed_types.size(); i++)
    if (!is_sound(program.printed_types, i)) return wrong("type", i, "has a member of a type that is none");
  if (program.global_bytes > kDMostGlobalBytes || program.clause_bytes > kDMostClauseBytes)
    return std::unexpected("has variables that take too much memory");
  for (size_t i = 0; i < program.actions.size(); i++)
    if (Problem problem = check_action(program, program.actions[i])) return wrong("action", i, *problem);
  for (size_t i = 0; i < program.clauses.size(); i++)
    if (Problem problem = ClauseCheck(program, program.clauses[i]).check()) return wrong("clause", i, *problem);
  return {};
}

}  // namespace strut

#include "kassist/dtrace/late_values.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "dlang/language/builtin.hpp"

namespace strut {
namespace {

template <typename Map, typename Key>
DLateValue found_in(const Map& map, const Key& key) {
  auto at = map.find(key);
  return at == map.end() ? DLateValue::None : at->second;
}

/// The kernel finds the caller on top of the stack.
bool is_at_entries_and_returns(const DClause& clause) {
  return std::ranges::all_of(clause.probes, [](const ProbeDescription& probe) {
    return probe.provider.starts_with("pid") && (probe.name == "entry" || probe.name == "return");
  });
}

bool is_jump(DOp op) { return op == DOp::Jump || op == DOp::JumpZero || op == DOp::JumpNotZero; }

/// The registers of integers that an instruction reads, and the one that it writes.
struct Uses {
  std::vector<int64_t> read;
  int64_t written = -1;

  explicit Uses(const DInstruction& i) {
    std::string_view operands = row_of(i.op).operands;
    const int64_t values[] = {i.a, i.b, i.c, i.imm};
    for (size_t k = 0; k < operands.size(); k++) {
      bool is_none = operands[k] == 'o' && values[k] == (k == 3 ? -1 : kNoRegister);
      if (operands[k] == 'r' || (operands[k] == 'o' && !is_none)) read.push_back(values[k]);
      if (operands[k] == 'd') written = values[k];
    }
  }
  bool reads(int64_t number) const { return std::ranges::find(read, number) != read.end(); }
};

/// Whether the value that an instruction reads goes into a record, a key or an aggregation, and nowhere else.
bool may_take(const DInstruction& i, int64_t number) {
  switch (i.op) {
    case DOp::PutInteger:
    case DOp::PutAddress:
    case DOp::Key:
    case DOp::KeyAddress: return true;
    case DOp::Aggregate: return i.b == number && i.a != number;
    default: return false;
  }
}

/// Follows values through one clause.
class Following {
 public:
  Following(const DProgram& program, const DClause& clause, DLateValues& into)
      : program_(program), clause_(clause), into_(into) {}

  /// The variable that is used otherwise; nullopt: none.
  std::optional<DBuiltin> run() {
    for (uint32_t at = clause_.begin; at < clause_.end; at++) {
      DLateValue late = late_value_of(clause_, code(at));
      if (late == DLateValue::None) continue;
      for (uint32_t reader : readers_of(at)) {
        auto [known, is_new] = into_.takers.emplace(reader, late);
        if (!may_take(code(reader), code(at).a) || known->second != late) return static_cast<DBuiltin>(code(at).imm);
        asked_ = static_cast<DBuiltin>(code(at).imm);
      }
    }
    return is_mixed() ? asked_ : std::nullopt;
  }

  /// After run(): to which items and keys they belong.
  void name_places() {
    uint32_t action = 0, item = 0;
    std::map<uint32_t, DLateValue> keys;
    for (uint32_t at = clause_.begin; at < clause_.end; at++) {
      const DInstruction& i = code(at);
      std::string_view name = row_of(i.op).name;
      DLateValue late = into_.taken_by(at);
      if (i.op == DOp::Record) action = static_cast<uint32_t>(i.imm), item = 0;
      if (name.starts_with("Put")) {
        if (late != DLateValue::None) into_.items[{action, item}] = late;
        item++;
      } else if (i.op == DOp::Aggregate) {
        for (auto [key, of_key] : keys) into_.keys[{at, key}] = of_key;
        if (late != DLateValue::None || !keys.empty()) into_.aggregations.insert(static_cast<uint32_t>(i.imm));
        keys.clear();
      } else if (name.starts_with("Key")) {
        if (key_number(i) == 0) keys.clear();
        if (late != DLateValue::None) keys[key_number(i)] = late;
      }
    }
  }

  /// A key of an array is looked up in the kernel.
  std::optional<DBuiltin> key_of_array() const {
    bool has_late_key = false;
    for (uint32_t at = clause_.begin; at < clause_.end; at++) {
      const DInstruction& i = code(at);
      std::string_view name = row_of(i.op).name;
      if (name.starts_with("Key"))
        has_late_key = (key_number(i) != 0 && has_late_key) || into_.taken_by(at) != DLateValue::None;
      bool is_array = i.op == DOp::LoadElement || i.op == DOp::StoreElement || i.op == DOp::LoadElementText ||
                      i.op == DOp::StoreElementText || i.op == DOp::AddressElement;
      if (is_array && has_late_key) return asked_;
    }
    return std::nullopt;
  }

 private:
  const DInstruction& code(uint32_t at) const { return program_.code[at]; }

  /// The instructions that read the result of the one at `from`.
  std::set<uint32_t> readers_of(uint32_t from) const {
    std::set<uint32_t> readers, seen;
    int64_t number = code(from).a;
    std::vector<uint32_t> next{from + 1};
    while (!next.empty()) {
      uint32_t at = next.back();
      next.pop_back();
      if (at >= clause_.end || !seen.insert(at).second) continue;
      const DInstruction& i = code(at);
      Uses uses(i);
      if (uses.reads(number)) readers.insert(at);
      if (uses.written == number || i.op == DOp::End) continue;
      if (is_jump(i.op)) next.push_back(at + static_cast<uint32_t>(i.imm));
      if (i.op != DOp::Jump) next.push_back(at + 1);
    }
    return readers;
  }

  /// Whether the reader of such a value may get another one, as in `a ? ucaller : b`.
  bool is_mixed() const {
    for (uint32_t at = clause_.begin; at < clause_.end; at++) {
      if (asked_ == std::nullopt || Uses(code(at)).written < 0 || late_value_of(clause_, code(at)) != DLateValue::None)
        continue;
      for (uint32_t reader : readers_of(at))
        if (into_.takers.contains(reader) && takes(reader) == code(at).a) return true;
    }
    return false;
  }
  /// The register with the late value.
  int64_t takes(uint32_t at) const { return code(at).op == DOp::Aggregate ? code(at).b : code(at).a; }

  const DProgram& program_;
  const DClause& clause_;
  DLateValues& into_;
  std::optional<DBuiltin> asked_;
};

}  // namespace

DLateValue DLateValues::taken_by(uint32_t instruction) const { return found_in(takers, instruction); }
DLateValue DLateValues::item(uint32_t action, uint32_t item) const { return found_in(items, std::pair(action, item)); }
DLateValue DLateValues::key(uint32_t aggregate, uint32_t key) const {
  return found_in(keys, std::pair(aggregate, key));
}

DLateValue late_value_of(const DClause& clause, const DInstruction& instruction) {
  if (instruction.op != DOp::Builtin) return DLateValue::None;
  auto which = static_cast<DBuiltin>(instruction.imm);
  if (which == DBuiltin::Ustackdepth) return DLateValue::Depth;
  bool is_caller = which == DBuiltin::Ucaller && !is_at_entries_and_returns(clause);
  return is_caller ? DLateValue::Caller : DLateValue::None;
}

Result<DLateValues> late_values(const DProgram& program) {
  DLateValues values;
  for (const DClause& clause : program.clauses) {
    Following following(program, clause, values);
    std::optional<DBuiltin> otherwise = following.run();
    if (!otherwise) otherwise = following.key_of_array();
    if (otherwise)
      return fail({0, "run the program in the kernel", std::string(builtins()[static_cast<size_t>(*otherwise)].name),
                   "user stacks are unwound outside of the kernel: it can be printed, be a key of an aggregation or "
                   "its value, nothing else (line " +
                       std::to_string(clause.at.line) + ")",
                   "--backend=ptrace can"});
    following.name_places();
  }
  return values;
}

}  // namespace strut

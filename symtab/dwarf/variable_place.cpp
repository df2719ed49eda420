#include "symtab/dwarf/variable_place.hpp"

#include <cstring>
#include <optional>
#include <span>

namespace strut {
namespace {

constexpr uint8_t kGeneralRegisters = 17;  // with %rip
constexpr const char* kOptimizedOut = "it is optimized out there";

using Operations = std::span<const Dwarf_Op>;

/// A sum as location descriptions have them.
struct Sum {
  uint8_t number = VariablePlace::kNoRegister;
  int64_t offset = 0;
  bool is_file_address = false;
};
using Summed = std::expected<Sum, std::string>;

std::unexpected<std::string> no_place(std::string why) { return std::unexpected(std::move(why)); }

/// nullopt: the operation is none with a constant.
std::optional<int64_t> constant_of(const Dwarf_Op& operation) {
  switch (operation.atom) {
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu:
    case DW_OP_const1s:
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_consts: return static_cast<int64_t>(operation.number);
    default:
      if (operation.atom < DW_OP_lit0 || operation.atom > DW_OP_lit31) return std::nullopt;
      return operation.atom - DW_OP_lit0;
  }
}

/// Why a description with this operation has no place that strut could read; nullptr: it is another one.
const char* refusal_of(uint8_t operation) {
  switch (operation) {
    case DW_OP_piece:
    case DW_OP_bit_piece: return "it is in several pieces there";
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value: return "only its value at the function's entry is known there (DW_OP_entry_value)";
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address: return "each thread has one of its own, whose address strut does not know";
    case DW_OP_implicit_pointer:
    case DW_OP_GNU_implicit_pointer: return "the object that it points to is optimized out there";
    default: return nullptr;
  }
}

/// Evaluates descriptions that are sums of a register and constants.
class Evaluation {
 public:
  Evaluation(Dwarf_Attribute& attribute, const Die* function, const CallFrames& frames, uint64_t at)
      : attribute_(attribute), function_(function), frames_(frames), at_(at) {}

  bool uses_frame = false;

  std::expected<VariablePlace, std::string> place_by(Operations operations) {
    using enum VariablePlace::Kind;
    bool is_value = operations.back().atom == DW_OP_stack_value;
    auto sum = run(operations.first(operations.size() - (is_value ? 1 : 0)));
    if (!sum) return no_place(sum.error());
    if (is_value && sum->is_file_address) return no_place("its value is an address of the file");
    bool is_nowhere = !is_value && !sum->is_file_address && sum->number == VariablePlace::kNoRegister;
    if (is_nowhere) return no_place("its location is malformed");
    return VariablePlace{is_value ? Value : sum->is_file_address ? File : Memory, sum->number, sum->offset};
  }

 private:
  Summed run(Operations operations) {
    for (const Dwarf_Op& operation : operations)
      if (auto done = step(operation); !done) return no_place(done.error());
    if (stack_.size() != 1) return no_place("its place is computed in a way that strut does not know");
    return stack_[0];
  }

  std::expected<void, std::string> step(const Dwarf_Op& operation) {
    uint8_t atom = operation.atom;
    if (auto constant = constant_of(operation)) return push({VariablePlace::kNoRegister, *constant});
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
      return push_register(static_cast<uint64_t>(atom - DW_OP_breg0), static_cast<int64_t>(operation.number));
    switch (atom) {
      case DW_OP_bregx: return push_register(operation.number, static_cast<int64_t>(operation.number2));
      case DW_OP_addr: return push({VariablePlace::kNoRegister, static_cast<int64_t>(operation.number), true});
      case DW_OP_addrx:
      case DW_OP_GNU_addr_index: return push_indexed(operation);
      case DW_OP_call_frame_cfa: return push_frame();
      case DW_OP_fbreg: return push_frame_base(static_cast<int64_t>(operation.number));
      case DW_OP_plus_uconst: return add({VariablePlace::kNoRegister, static_cast<int64_t>(operation.number)}, false);
      case DW_OP_plus:
      case DW_OP_minus: return add_top(atom == DW_OP_minus);
      default: return no_place("its place is computed in a way that strut does not know");
    }
  }

  std::expected<void, std::string> push(Sum sum) {
    stack_.push_back(sum);
    return {};
  }

  std::expected<void, std::string> push_register(uint64_t number, int64_t offset) {
    if (number >= kGeneralRegisters) return no_place("its place is by a register that is no general one");
    return push({static_cast<uint8_t>(number), offset});
  }

  std::expected<void, std::string> push_indexed(const Dwarf_Op& operation) {
    Dwarf_Attribute found;
    Dwarf_Addr address = 0;
    if (::dwarf_getlocation_attr(&attribute_, &operation, &found) != 0 || ::dwarf_formaddr(&found, &address) != 0)
      return no_place("its address cannot be read");
    return push({VariablePlace::kNoRegister, static_cast<int64_t>(address), true});
  }

  std::expected<void, std::string> push_frame() {
    uses_frame = true;
    auto rules = frames_.at(at_);
    if (!rules) return no_place("the function's frame is not described there (.eh_frame)");
    if (!rules->cfa_expression.empty()) return no_place("the address of the function's frame is computed there");
    return push({rules->cfa_register, rules->cfa_offset});
  }

  std::expected<void, std::string> push_frame_base(int64_t offset) {
    uses_frame = true;
    Dwarf_Attribute base;
    Dwarf_Op* operations = nullptr;
    size_t count = 0;
    if (function_ == nullptr || !::dwarf_attr_integrate(&function_->entry, DW_AT_frame_base, &base) ||
        ::dwarf_getlocation_addr(&base, at_, &operations, &count, 1) != 1 || count != 1)
      return no_place("the base of the function's frame is not described there");
    const Dwarf_Op& only = operations[0];
    if (only.atom >= DW_OP_reg0 && only.atom < DW_OP_reg0 + kGeneralRegisters)
      return push({static_cast<uint8_t>(only.atom - DW_OP_reg0), offset});
    if (only.atom == DW_OP_fbreg) return no_place("the base of the function's frame is not described there");
    auto done = step(only);
    if (done) stack_.back().offset += offset;
    return done;
  }

  std::expected<void, std::string> add_top(bool is_negative) {
    if (stack_.size() < 2) return no_place("its location is malformed");
    Sum top = stack_.back();
    stack_.pop_back();
    return add(top, is_negative);
  }

  std::expected<void, std::string> add(Sum other, bool is_negative) {
    if (stack_.empty()) return no_place("its location is malformed");
    Sum& sum = stack_.back();
    bool has_two = sum.number != VariablePlace::kNoRegister && other.number != VariablePlace::kNoRegister;
    if (has_two || (is_negative && other.number != VariablePlace::kNoRegister))
      return no_place("its place is computed from two registers");
    if (other.number != VariablePlace::kNoRegister) sum.number = other.number;
    sum.is_file_address |= other.is_file_address;
    sum.offset = static_cast<int64_t>(static_cast<uint64_t>(sum.offset) +
                                      static_cast<uint64_t>(is_negative ? -other.offset : other.offset));
    return {};
  }

  Dwarf_Attribute& attribute_;
  const Die* function_;
  const CallFrames& frames_;
  uint64_t at_;
  std::vector<Sum> stack_;
};

std::expected<VariablePlace, std::string> in_register(uint64_t number) {
  if (number < kGeneralRegisters) return VariablePlace{VariablePlace::Kind::Register, static_cast<uint8_t>(number)};
  constexpr uint64_t kFirstVector = 17, kLastVector = 32;  // %xmm0 to %xmm15
  if (number < kFirstVector || number > kLastVector) return no_place("it is in a register that strut does not read");
  return no_place("it is in %xmm" + std::to_string(number - kFirstVector) + ", which strut does not read");
}

std::expected<VariablePlace, std::string> constant_place(const Die& variable) {
  Dwarf_Attribute found;
  Dwarf_Sword value = 0;
  if (::dwarf_formsdata(::dwarf_attr_integrate(&variable.entry, DW_AT_const_value, &found), &value) != 0)
    return no_place("it is a constant that strut does not read");
  return VariablePlace{VariablePlace::Kind::Value, VariablePlace::kNoRegister, value};
}

std::expected<VariablePlace, std::string> implicit_value(Dwarf_Attribute& attribute, const Dwarf_Op& operation) {
  Dwarf_Block block{};
  VariablePlace place{VariablePlace::Kind::Value};
  if (::dwarf_getlocation_implicit_value(&attribute, &operation, &block) != 0 || block.length > sizeof place.offset)
    return no_place("it is a constant that strut does not read");
  std::memcpy(&place.offset, block.data, block.length);
  return place;
}

/// The one that is about `at`; empty: it is optimized out there.
std::expected<Operations, std::string> operations_at(Dwarf_Attribute& attribute, uint64_t at) {
  Dwarf_Op* operations = nullptr;
  size_t length = 0;
  int count = ::dwarf_getlocation_addr(&attribute, at, &operations, &length, 1);
  if (count < 0) return no_place("its location cannot be read");
  if (count == 0 || length == 0) return no_place(kOptimizedOut);
  Operations all(operations, length);
  for (const Dwarf_Op& operation : all)
    if (const char* why = refusal_of(operation.atom)) return no_place(why);
  return all;
}

/// A description for each range of addresses, and not one for all.
bool is_list(Dwarf_Attribute& attribute) {
  unsigned form = ::dwarf_whatform(&attribute);
  return form == DW_FORM_sec_offset || form == DW_FORM_loclistx || form == DW_FORM_data4 || form == DW_FORM_data8;
}

}  // namespace

std::expected<DescribedPlace, std::string> described_place(const Die& variable, const Die* function,
                                                           const CallFrames& frames, uint64_t file_address) {
  auto described = [](std::expected<VariablePlace, std::string> place) -> std::expected<DescribedPlace, std::string> {
    if (!place) return no_place(place.error());
    return DescribedPlace{*place, false};
  };
  Dwarf_Attribute attribute;
  if (!::dwarf_attr_integrate(&variable.entry, DW_AT_location, &attribute)) {
    Dwarf_Attribute constant;
    bool is_constant = ::dwarf_attr_integrate(&variable.entry, DW_AT_const_value, &constant) != nullptr;
    return is_constant ? described(constant_place(variable)) : no_place(kOptimizedOut);
  }
  auto operations = operations_at(attribute, file_address);
  if (!operations) return no_place(operations.error());
  const Dwarf_Op& first = operations->front();
  if (first.atom == DW_OP_implicit_value) return described(implicit_value(attribute, first));
  if (first.atom >= DW_OP_reg0 && first.atom <= DW_OP_reg31)
    return described(in_register(static_cast<uint64_t>(first.atom - DW_OP_reg0)));
  if (first.atom == DW_OP_regx) return described(in_register(first.number));
  Evaluation evaluation(attribute, function, frames, file_address);
  auto place = evaluation.place_by(*operations);
  if (!place) return no_place(place.error());
  return DescribedPlace{*place, evaluation.uses_frame && !is_list(attribute)};
}

}  // namespace strut

#include "x86/instruction_labels.hpp"

#include <algorithm>
#include <initializer_list>

#include "x86/repeated.hpp"

namespace strut {
namespace {

constexpr std::string_view kUnnamed = "unnamed";

bool is_one_of(const Instruction& i, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, mnemonic_of(i)) != names.end();
}

bool is_call(const Instruction& i) {
  return i.flow == Flow::Call || i.flow == Flow::CallIndirect || is_one_of(i, {"lcall"});
}
bool is_return(const Instruction& i) { return i.flow == Flow::Return || is_one_of(i, {"retf", "retfq"}); }
bool is_jump(const Instruction& i) {
  return i.flow == Flow::Jump || i.flow == Flow::JumpIndirect || is_one_of(i, {"ljmp"});
}
bool is_loop(const Instruction& i) {
  return i.operation == Operation::Loop || i.operation == Operation::LoopIfEqual ||
         i.operation == Operation::LoopIfNotEqual;
}
/// jrcxz and jecxz among them, as in the manual (SDM, volume 2, "Jcc").
bool is_conditional_jump(const Instruction& i) { return i.flow == Flow::JumpIf && !is_loop(i); }
bool is_labelled_branch(const Instruction& i) {
  return is_call(i) || is_return(i) || is_jump(i) || is_conditional_jump(i) || is_loop(i);
}

/// xchg with memory locks it without a prefix (SDM, volume 2, "XCHG").
bool is_locked(const Instruction& i) {
  bool is_exchange = i.is_legacy(OpcodeMap::One, 0x86) || i.is_legacy(OpcodeMap::One, 0x87);
  return i.lock || (is_exchange && i.has_memory);
}
bool is_exchange(const Instruction& i) { return is_one_of(i, {"xchg", "cmpxchg", "cmpxchg8b", "cmpxchg16b", "xadd"}); }

/// F2 and F3 before other instructions are parts of their opcodes.
bool is_repeated(const Instruction& i) { return repetition_of(i) != kNoCondition; }

bool has_condition(const Instruction& i, uint8_t opcodes) {
  return i.encoding == Encoding::Legacy && i.map == OpcodeMap::Two && i.opcode >> 4 == opcodes;
}

bool is_system_call(const Instruction& i) { return i.operation == Operation::SystemCall; }
bool is_interrupt(const Instruction& i) { return i.flow == Flow::Trap; }
bool is_division(const Instruction& i) { return is_one_of(i, {"div", "idiv"}); }
bool is_fence(const Instruction& i) { return is_one_of(i, {"mfence", "lfence", "sfence"}); }
bool is_prefetch(const Instruction& i) { return mnemonic_of(i).starts_with("prefetch"); }
bool is_vector(const Instruction& i) { return i.has_vector || is_one_of(i, {"vzeroupper", "vzeroall", "emms"}); }
bool is_x87(const Instruction& i) {
  return i.encoding == Encoding::Legacy && i.map == OpcodeMap::One && i.opcode >> 3 == 0xd8 >> 3;
}

constexpr InstructionClass kClasses[] = {
    {"call", is_call},
    {"ret", is_return},
    {"jmp", is_jump},
    {"jcc", is_conditional_jump},
    {"loop", is_loop},
    {"branch", is_labelled_branch},
    {"cmovcc", is_conditional_move},
    {"setcc", is_conditional_set},
    {"lock", is_locked},
    {"xchg", is_exchange},
    {"rep", is_repeated},
    {"string", is_string},
    {"syscall", is_system_call},
    {"int", is_interrupt},
    {"div", is_division},
    {"fence", is_fence},
    {"prefetch", is_prefetch},
    {"vector", is_vector},
    {"x87", is_x87},
};
static_assert(std::size(kClasses) + 1 <= InstructionLabels::kMaxLabels);

}  // namespace

bool is_conditional_move(const Instruction& i) { return has_condition(i, 4); }
bool is_conditional_set(const Instruction& i) { return has_condition(i, 9); }

std::span<const InstructionClass> instruction_classes() { return kClasses; }

std::string_view shown_mnemonic(const Instruction& i) {
  std::string_view known = mnemonic_of(i);
  return known.empty() ? kUnnamed : known;
}

InstructionLabels labels_of(const Instruction& i) {
  InstructionLabels labels;
  std::string_view mnemonic = shown_mnemonic(i);
  bool is_new = true;
  for (const InstructionClass& one : kClasses) {
    if (!one.has(i)) continue;
    labels.add(one.name);
    if (one.name == mnemonic) is_new = false;
  }
  if (is_new) labels.add(mnemonic);
  return labels;
}

bool is_instruction_label(std::string_view name) {
  return std::ranges::find(kClasses, name, &InstructionClass::name) != std::end(kClasses) || name == kUnnamed ||
         is_mnemonic(name);
}

}  // namespace strut

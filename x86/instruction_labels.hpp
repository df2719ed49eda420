// The names by which instructions of a kind are asked for: classes of instructions, and mnemonics.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "x86/instruction.hpp"

namespace strut {

/// All names of one instruction, of static life: its classes, in the order of the table of classes, then its mnemonic,
/// unless a class is called so.
class InstructionLabels {
 public:
  /// Room for all classes and the mnemonic; x86/instruction_labels.cpp asserts it.
  static constexpr size_t kMaxLabels = 20;

  void add(std::string_view label) { labels_[count_++] = label; }
  const std::string_view* begin() const { return labels_.data(); }
  const std::string_view* end() const { return labels_.data() + count_; }

 private:
  std::array<std::string_view, kMaxLabels> labels_;
  size_t count_ = 0;
};
InstructionLabels labels_of(const Instruction& instruction);

/// The mnemonic; "unnamed" for an instruction that the installed Capstone does not know.
std::string_view shown_mnemonic(const Instruction& instruction);

/// cmovcc and setcc; the condition is in the low four bits of their opcodes, as a jcc's.
bool is_conditional_move(const Instruction& instruction);
bool is_conditional_set(const Instruction& instruction);

struct InstructionClass {
  std::string_view name;
  bool (*has)(const Instruction&);
};
std::span<const InstructionClass> instruction_classes();

/// True for a class, a mnemonic, and "unnamed".
bool is_instruction_label(std::string_view name);

}  // namespace strut

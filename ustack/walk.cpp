#include "ustack/walk.hpp"

#include <iterator>

#include "symtab/elf/plt.hpp"

namespace strut {

namespace {

/// A frame that is not described is not larger than this.
constexpr uint64_t kMaxGuessedBytes = 1 << 20;

/// The numbers of x86-64 for those of i386: eax ecx edx ebx esp ebp esi edi eip.
constexpr uint8_t kOfI386[] = {0, 2, 1, 3, 7, 6, 4, 5, 16};

UserRegisters numbered_for(const FrameAbi& abi, const UserRegisters& registers) {
  if (&abi != &kAbiI386) return registers;
  UserRegisters renumbered{};
  for (size_t i = 0; i < std::size(kOfI386); i++) renumbered[i] = registers[kOfI386[i]] & abi.mask();
  return renumbered;
}

}  // namespace

Walk::Walk(const CodeMap& code, const UserRegisters& registers, Memory& memory)
    : code_(code), abi_(code.abi()), registers_(numbered_for(abi_, registers)), words_(memory) {}

const FrameFacts* Walk::facts() {
  if (facts_) return facts_;
  range_ = code_.at(pc() - static_cast<uint64_t>(returns_here_));
  if (range_ && range_->module) facts_ = &range_->module->at(pc() - range_->bias, returns_here_);
  return facts_;
}

StackFrame Walk::frame() {
  StackFrame frame{Addr{pc()}};
  frame.sp = sp();
  frame.is_return = returns_here_;
  frame.guessed = guessed_;
  if (const FrameFacts* known = facts()) {
    frame.module = range_->module->path();
    frame.symbol = known->symbol;
    frame.offset = known->offset;
    frame.file_offset = known->file_offset;
    frame.source = known->source;
    frame.line = known->line;
  }
  return frame;
}

bool Walk::step() {
  uint64_t old_pc = pc(), old_sp = sp();
  const FrameFacts* known = facts();
  if (known && known->has_rules) {
    if (known->rules.outermost || !by_rules(known->rules)) return false;
    returns_here_ = !known->rules.signal_frame;
    guessed_ = false;
  } else if (!by_guess()) {
    return false;
  }
  facts_ = nullptr;
  bool moved = sp() != old_sp || pc() != old_pc;
  return moved && pc() != 0;
}

bool Walk::by_rules(const CallerRules& rules) {
  const UserRegisters registers = registers_;
  FrameValues callee{abi_, registers};
  if (rules.cfa_expression.empty()) {
    if (unknown_ >> rules.cfa_register & 1) return false;
    callee.cfa = (registers[rules.cfa_register] + static_cast<uint64_t>(rules.cfa_offset)) & abi_.mask();
  } else {
    auto computed = evaluate(rules.cfa_expression, callee, words_);
    if (!computed) return false;
    callee.cfa = *computed;
  }
  sp() = callee.cfa;
  for (const CallerRules::Change& change : rules.changes) {
    auto value = value_of(change.rule, callee);
    if (!value && change.number == abi_.instruction_pointer) {
      starved_ = change.rule.by == CallerRule::By::Saved;
      return false;
    }
    if (value) registers_[change.number] = *value;
    unknown_ = value ? unknown_ & ~(1u << change.number) : unknown_ | 1u << change.number;
  }
  return true;
}

std::optional<uint64_t> Walk::value_of(const CallerRule& rule, const FrameValues& callee) {
  using By = CallerRule::By;
  uint64_t place = callee.cfa + static_cast<uint64_t>(rule.offset), word;
  switch (rule.by) {
    case By::Value: return place & abi_.mask();
    case By::Register: {
      auto number = static_cast<uint64_t>(rule.offset);
      return number <= abi_.instruction_pointer ? std::optional(callee.registers[number]) : std::nullopt;
    }
    case By::ValueOf: return evaluate(rule.expression, callee, words_);
    case By::Undefined: return std::nullopt;
    case By::SavedAt: {
      auto at = evaluate(rule.expression, callee, words_);
      if (!at) return std::nullopt;
      place = *at;
      break;
    }
    case By::Saved: break;
  }
  return read_word(place, word) ? std::optional(word) : std::nullopt;
}

/// Stubs of a PLT, which lld does not describe, push the dynamic linker's arguments: the relocation's number and the
/// module.
uint64_t Walk::most_pushed() {
  const ModuleFile* file = range_ && range_->module ? range_->module->file().get() : nullptr;
  return file && is_among_stubs(file->elf(), pc() - range_->bias) ? 2 : 0;
}

/// Code that nothing describes: it may have no frame yet, or one with a frame pointer.
bool Walk::by_guess() {
  uint64_t word = abi_.word_bytes, base = registers_[abi_.frame_pointer];
  for (uint64_t pushed = 0; !returns_here_ && pushed <= most_pushed(); pushed++)
    if (guess(sp() + pushed * word, false)) return true;
  bool plausible =
      !(unknown_ >> abi_.frame_pointer & 1) && base >= sp() && base - sp() < kMaxGuessedBytes && base % word == 0;
  return plausible && guess(base + word, true);
}

bool Walk::guess(uint64_t return_at, bool saves_frame_pointer) {
  uint64_t return_address, saved = 0;
  if (!read_word(return_at, return_address) || !is_return_address(return_address)) return false;
  if (saves_frame_pointer && !read_word(return_at - abi_.word_bytes, saved)) return false;
  pc() = return_address;
  sp() = return_at + abi_.word_bytes;
  if (saves_frame_pointer) registers_[abi_.frame_pointer] = saved;
  returns_here_ = guessed_ = true;
  return true;
}

/// The preceding instruction is a call (Intel SDM, CALL: E8, or FF with 2 in its ModRM byte). Code without a file
/// cannot be read.
bool Walk::is_return_address(uint64_t address) const {
  constexpr std::byte kRelative{0xe8}, kIndirect{0xff};
  const CodeRange* range = code_.at(address - 1);
  if (!range) return false;
  if (!range->module || !range->module->file()) return true;
  const ElfFile& file = range->module->file()->elf();
  uint64_t at = address - range->bias;
  auto byte = [&](uint64_t before) {
    std::span<const std::byte> bytes = at < before ? std::span<const std::byte>{} : file.at_address(at - before);
    return bytes.empty() ? std::byte{0} : bytes[0];
  };
  if (byte(5) == kRelative) return true;
  for (uint64_t before = 2; before <= 7; before++)
    if (byte(before) == kIndirect && (byte(before - 1) & std::byte{0x38}) == std::byte{0x10}) return true;
  return false;
}

}  // namespace strut

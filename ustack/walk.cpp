#include "ustack/walk.hpp"

#include <algorithm>

#include "symtab/plt.hpp"

namespace strut {

namespace {

constexpr uint64_t kWordBytes = 8;
/// A frame that is not described is not larger than this.
constexpr uint64_t kMostGuessedBytes = 1 << 20;

}  // namespace

const FrameFacts* Walk::facts() {
  if (facts_) return facts_;
  uint64_t pc = registers_[kInstructionPointer];
  range_ = code_.at(pc - static_cast<uint64_t>(returns_here_));
  if (range_ && range_->module) facts_ = &range_->module->at(pc - range_->bias, returns_here_);
  return facts_;
}

StackFrame Walk::frame() {
  StackFrame frame{Addr{registers_[kInstructionPointer]}};
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
  uint64_t pc = registers_[kInstructionPointer], sp = registers_[kStackPointer];
  const FrameFacts* known = facts();
  if (known && known->has_rules) {
    if (known->rules.outermost || !by_rules(known->rules)) return false;
    returns_here_ = !known->rules.signal_frame;
    guessed_ = false;
  } else if (!by_guess()) {
    return false;
  }
  facts_ = nullptr;
  bool moved = registers_[kStackPointer] != sp || registers_[kInstructionPointer] != pc;
  return moved && registers_[kInstructionPointer] != 0;
}

bool Walk::by_rules(const CallerRules& rules) {
  UserRegisters callee = registers_;
  uint64_t cfa;
  if (rules.cfa_expression.empty()) {
    if (unknown_ >> rules.cfa_register & 1) return false;
    cfa = callee[rules.cfa_register] + static_cast<uint64_t>(rules.cfa_offset);
  } else {
    auto computed = evaluate(rules.cfa_expression, std::nullopt, callee, words_);
    if (!computed) return false;
    cfa = *computed;
  }
  registers_[kStackPointer] = cfa;
  for (const CallerRules::Change& change : rules.changes) {
    auto value = value_of(change.rule, cfa, callee);
    if (!value && change.number == kInstructionPointer) {
      starved_ = change.rule.by == CfiRule::By::Saved;
      return false;
    }
    if (value) registers_[change.number] = *value;
    unknown_ = value ? unknown_ & ~(1u << change.number) : unknown_ | 1u << change.number;
  }
  return true;
}

std::optional<uint64_t> Walk::value_of(const CfiRule& rule, uint64_t cfa, const UserRegisters& callee) {
  using By = CfiRule::By;
  uint64_t place = cfa + static_cast<uint64_t>(rule.offset), word;
  switch (rule.by) {
    case By::Value: return place;
    case By::Register: return callee[static_cast<size_t>(rule.offset)];
    case By::ValueOf: return evaluate(rule.expression, cfa, callee, words_);
    case By::Undefined:
    case By::Same: return std::nullopt;
    case By::SavedAt: {
      auto at = evaluate(rule.expression, cfa, callee, words_);
      if (!at) return std::nullopt;
      place = *at;
      break;
    }
    case By::Saved: break;
  }
  return words_.read_word(place, word) ? std::optional(word) : std::nullopt;
}

/// Stubs of a PLT, which lld does not describe, push what the dynamic linker is to be told: the relocation's number and
/// the module.
uint64_t Walk::most_pushed() const {
  const ModuleFile* file = range_ && range_->module ? range_->module->file().get() : nullptr;
  return file && is_among_stubs(file->elf(), registers_[kInstructionPointer] - range_->bias) ? 2 : 0;
}

/// Code that nothing describes: it may have no frame yet, or one with a frame pointer.
bool Walk::by_guess() {
  uint64_t sp = registers_[kStackPointer], base = registers_[kFramePointer];
  for (uint64_t pushed = 0; !returns_here_ && pushed <= most_pushed(); pushed++)
    if (guess(sp + pushed * kWordBytes, false)) return true;
  bool plausible =
      !(unknown_ >> kFramePointer & 1) && base >= sp && base - sp < kMostGuessedBytes && base % kWordBytes == 0;
  return plausible && guess(base + kWordBytes, true);
}

bool Walk::guess(uint64_t return_at, bool saves_frame_pointer) {
  uint64_t pc, saved = 0;
  if (!words_.read_word(return_at, pc) || !is_return_address(pc)) return false;
  if (saves_frame_pointer && !words_.read_word(return_at - kWordBytes, saved)) return false;
  registers_[kInstructionPointer] = pc;
  registers_[kStackPointer] = return_at + kWordBytes;
  if (saves_frame_pointer) registers_[kFramePointer] = saved;
  returns_here_ = guessed_ = true;
  return true;
}

/// What stands before it is a call (Intel SDM, CALL: E8, or FF with 2 in its ModRM byte). Code that no file has cannot
/// be looked at.
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

#include "ustack/cfi_row.hpp"

#include <vector>

#include "symtab/byte_reader.hpp"

namespace strut {

namespace {

constexpr size_t kMostRemembered = 32;  // rows that DW_CFA_remember_state keeps

// DWARF 5, table 7.29.
// clang-format off: a table
enum Instruction : uint8_t {
  kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0,  // their operand is in the lower six bits
  kNop = 0x00, kSetLocation, kAdvance1, kAdvance2, kAdvance4, kOffsetExtended, kRestoreExtended, kUndefined, kSameValue,
  kRegister, kRememberState, kRestoreState, kDefineCfa, kDefineCfaRegister, kDefineCfaOffset, kDefineCfaExpression,
  kExpression, kOffsetExtendedSigned, kDefineCfaSigned, kDefineCfaOffsetSigned, kValueOffset, kValueOffsetSigned,
  kValueExpression,
  kGnuArgumentsSize = 0x2e, kGnuNegativeOffsetExtended = 0x2f,
};
// clang-format on

/// Runs an entry's instructions up to an address.
class Rows {
 public:
  Rows(const FrameDescription& entry, uint64_t address) : entry_(entry), wanted_(address), at_(entry.start) {}

  std::optional<CfiRow> run() {
    row_.rules[kInstructionPointer].by = CfiRule::By::Undefined;
    if (!run(entry_.before)) return std::nullopt;
    initial_ = row_;
    if (!run(entry_.instructions)) return std::nullopt;
    row_.signal_frame = entry_.signal_frame;
    return row_;
  }

 private:
  bool run(std::span<const std::byte> instructions) {
    ByteReader cursor(instructions);
    passed_ = false;
    while (!cursor.at_end() && !passed_)
      if (!step(cursor)) return false;
    return cursor.ok();
  }

  /// False: an instruction that nobody knows.
  bool step(ByteReader& cursor) {
    uint8_t code = cursor.take<uint8_t>(), operand = code & 0x3f;
    switch (code & 0xc0) {
      case kAdvance: return advance(operand);
      case kOffset: return save(operand, scaled(cursor.take_uleb()));
      case kRestore: return restore(operand);
      default: break;
    }
    if (code <= kAdvance4) return move(code, cursor);
    if (code >= kDefineCfa && code <= kDefineCfaExpression) return define_cfa(code, cursor);
    if (code == kDefineCfaSigned || code == kDefineCfaOffsetSigned) return define_cfa(code, cursor);
    return set_rule(code, cursor);
  }

  bool move(uint8_t code, ByteReader& cursor) {
    switch (code) {
      case kNop: return true;
      case kAdvance1: return advance(cursor.take<uint8_t>());
      case kAdvance2: return advance(cursor.take<uint16_t>());
      case kAdvance4: return advance(cursor.take<uint32_t>());
      default: return false;  // set_loc: an encoded address, which no compiler writes for x86-64
    }
  }

  bool define_cfa(uint8_t code, ByteReader& cursor) {
    if (code == kDefineCfaExpression) {
      row_.cfa_expression = cursor.take_bytes(cursor.take_uleb());
      return cursor.ok();
    }
    if (code != kDefineCfaOffset && code != kDefineCfaOffsetSigned) row_.cfa_register = cursor.take_uleb();
    if (code == kDefineCfa || code == kDefineCfaOffset) row_.cfa_offset = static_cast<int64_t>(cursor.take_uleb());
    if (code == kDefineCfaSigned || code == kDefineCfaOffsetSigned)
      row_.cfa_offset = scaled(static_cast<uint64_t>(cursor.take_sleb()));
    row_.cfa_expression = {};
    return row_.cfa_register < kRuledRegisters;
  }

  bool set_rule(uint8_t code, ByteReader& cursor) {
    using By = CfiRule::By;
    if (code == kRememberState) return remember();
    if (code == kRestoreState) return recall();
    if (code == kGnuArgumentsSize) return cursor.take_uleb(), true;
    uint64_t number = cursor.take_uleb();
    switch (code) {
      case kOffsetExtended: return save(number, scaled(cursor.take_uleb()));
      case kRestoreExtended: return restore(number);
      case kUndefined: return set(number, {By::Undefined, 0, {}});
      case kSameValue: return set(number, {By::Same, 0, {}});
      case kRegister: return set_register(number, cursor.take_uleb());
      case kExpression: return set(number, {By::SavedAt, 0, cursor.take_bytes(cursor.take_uleb())});
      case kOffsetExtendedSigned: return save(number, scaled(static_cast<uint64_t>(cursor.take_sleb())));
      case kValueOffset: return set(number, {By::Value, scaled(cursor.take_uleb()), {}});
      case kValueOffsetSigned: return set(number, {By::Value, scaled(static_cast<uint64_t>(cursor.take_sleb())), {}});
      case kValueExpression: return set(number, {By::ValueOf, 0, cursor.take_bytes(cursor.take_uleb())});
      case kGnuNegativeOffsetExtended: return save(number, -scaled(cursor.take_uleb()));
      default: return false;
    }
  }

  int64_t scaled(uint64_t factored) const {
    return static_cast<int64_t>(factored * static_cast<uint64_t>(entry_.data_unit));  // unsigned: hostile ones overflow
  }

  bool advance(uint64_t units) {
    at_ += units * entry_.code_unit;
    passed_ = at_ > wanted_;
    return true;
  }

  /// Rules of vector and other registers are of no use here.
  bool set(uint64_t number, const CfiRule& rule) {
    if (number == entry_.return_register) number = kInstructionPointer;
    if (number < kRuledRegisters) row_.rules[number] = rule;
    return true;
  }
  bool save(uint64_t number, int64_t offset) { return set(number, {CfiRule::By::Saved, offset, {}}); }
  bool set_register(uint64_t number, uint64_t other) {
    return other < kRuledRegisters && set(number, {CfiRule::By::Register, static_cast<int64_t>(other), {}});
  }
  bool restore(uint64_t number) {
    if (number == entry_.return_register) number = kInstructionPointer;
    if (number < kRuledRegisters) row_.rules[number] = initial_.rules[number];
    return true;
  }
  bool remember() {
    if (remembered_.size() == kMostRemembered) return false;
    remembered_.push_back(row_);
    return true;
  }
  bool recall() {
    if (remembered_.empty()) return false;
    row_ = remembered_.back();
    remembered_.pop_back();
    return true;
  }

  const FrameDescription& entry_;
  uint64_t wanted_, at_;
  bool passed_ = false;  ///< what follows is of later addresses
  CfiRow row_, initial_;
  std::vector<CfiRow> remembered_;
};

}  // namespace

std::optional<CfiRow> cfi_row(const FrameDescription& entry, uint64_t address) { return Rows(entry, address).run(); }

}  // namespace strut

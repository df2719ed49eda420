#include "ustack/code_module.hpp"

namespace strut {

namespace {

/// Addresses that are remembered; programs have fewer call sites than this that ever make system calls.
constexpr size_t kMostKnown = 1 << 16;

CallerRules rules_of(const CfiRow& row) {
  CallerRules rules;
  rules.cfa_register = static_cast<uint8_t>(row.cfa_register);
  rules.cfa_offset = row.cfa_offset;
  rules.cfa_expression = row.cfa_expression;
  rules.signal_frame = row.signal_frame;
  rules.outermost = row.rules[kInstructionPointer].by == CfiRule::By::Undefined;
  for (uint8_t i = 0; i < kRuledRegisters; i++)
    if (row.rules[i].by != CfiRule::By::Same) rules.changes.push_back({i, row.rules[i]});
  return rules;
}

}  // namespace

CodeModule::CodeModule(std::string path, std::shared_ptr<const ModuleFile> file, FrameDetail detail)
    : path_(std::move(path)), file_(std::move(file)), detail_(detail) {
  if (file_ && file_->elf().is_64()) cfi_ = CfiSection(file_->elf());
}

const FrameFacts& CodeModule::at(uint64_t address, bool returns_here) {
  uint64_t key = address << 1 | static_cast<uint64_t>(returns_here);
  if (auto known = known_.find(key); known != known_.end()) return known->second;
  if (known_.size() >= kMostKnown) known_.clear();
  return known_.emplace(key, look_up(address, returns_here)).first->second;
}

FrameFacts CodeModule::look_up(uint64_t address, bool returns_here) const {
  FrameFacts facts;
  facts.file_offset = address;
  if (!file_) return facts;
  uint64_t instruction = address - static_cast<uint64_t>(returns_here);
  facts.file_offset = file_->elf().offset_of_address(address).value_or(address);
  if (auto symbol = file_->fullest_symbols().function_at(instruction)) {
    facts.symbol = symbol->symbol->name;
    facts.offset = address - symbol->symbol->address;
  }
  if (detail_ == FrameDetail::Lines) {
    if (auto place = file_->lines().at(instruction); place && place->line != 0) {
      facts.source = place->file;
      facts.line = place->line;
    }
  }
  auto entry = cfi_.find(instruction);
  auto row = entry ? cfi_row(*entry, instruction) : std::nullopt;
  if (!row) return facts;
  facts.has_rules = true;
  facts.rules = rules_of(*row);
  return facts;
}

}  // namespace strut

#include "ustack/code_module.hpp"

#include <utility>

#include <elf.h>

namespace strut {

namespace {

/// Addresses that are remembered; programs have fewer call sites than this that ever make system calls.
constexpr size_t kMaxKnown = 1 << 16;

}  // namespace

CodeModule::CodeModule(std::string path, std::shared_ptr<const ModuleFile> file, FrameDetail detail,
                       FileComplaint complaint)
    : path_(std::move(path)), file_(std::move(file)), detail_(detail), complaint_(std::move(complaint)) {
  if (file_) frames_.emplace(file_->elf());
}

const FrameAbi* CodeModule::abi() const {
  if (!file_) return nullptr;
  return file_->elf().machine() == EM_386 ? &kAbiI386 : &kAbiX86_64;
}

const FrameFacts& CodeModule::at(uint64_t address, bool returns_here) {
  uint64_t key = address << 1 | static_cast<uint64_t>(returns_here);
  if (auto known = known_.find(key); known != known_.end()) return known->second;
  if (known_.size() >= kMaxKnown) known_.clear();
  return known_.emplace(key, look_up(address, returns_here)).first->second;
}

void CodeModule::add_line(uint64_t instruction, FrameFacts& facts) {
  if (auto place = file_->lines().at(instruction); place && place->line != 0) {
    facts.source = place->file;
    facts.line = place->line;
  }
  if (complaint_ && !file_->unread_lines().empty())
    std::exchange(complaint_, {})(path_ + ": " + std::string(file_->unread_lines()));
}

FrameFacts CodeModule::look_up(uint64_t address, bool returns_here) {
  FrameFacts facts;
  facts.file_offset = address;
  if (!file_) return facts;
  uint64_t instruction = address - static_cast<uint64_t>(returns_here);
  facts.file_offset = file_->elf().offset_of_address(address).value_or(address);
  if (auto symbol = file_->fullest_symbols().function_at(instruction)) {
    facts.symbol = symbol->symbol->name;
    facts.offset = address - symbol->symbol->address;
  }
  if (detail_ == FrameDetail::Lines) add_line(instruction, facts);
  auto rules = frames_->at(instruction);
  facts.has_rules = rules.has_value();
  if (rules) facts.rules = *std::move(rules);
  return facts;
}

}  // namespace strut

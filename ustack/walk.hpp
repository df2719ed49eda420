// One walk from frame to frame over one stack.
#pragma once

#include "ustack/code_map.hpp"
#include "ustack/stack_words.hpp"

namespace strut {

class Walk {
 public:
  /// All must outlive this.
  Walk(const CodeMap& code, const UserRegisters& registers, Memory& memory);

  /// The frame where the walk stands.
  StackFrame frame();
  /// Goes to its caller. False: there is none, or it cannot be found.
  bool step();
  /// Whether the walk ended because the return address is in memory that cannot be read.
  bool starved() const { return starved_; }
  /// Whether the frame where the walk stands is said to have no caller.
  bool at_beginning() { return facts() && facts()->has_rules && facts()->rules.outermost; }

 private:
  const FrameFacts* facts();
  bool by_rules(const CallerRules& rules);
  std::optional<uint64_t> value_of(const CallerRule& rule, const FrameValues& callee);
  bool read_word(uint64_t at, uint64_t& word) { return words_.read_word(at & abi_.mask(), abi_.word_bytes, word); }
  uint64_t& pc() { return registers_[abi_.instruction_pointer]; }
  uint64_t& sp() { return registers_[abi_.stack_pointer]; }
  uint64_t most_pushed();
  bool by_guess();
  bool guess(uint64_t return_at, bool saves_frame_pointer);
  bool is_return_address(uint64_t address) const;

  const CodeMap& code_;
  const FrameAbi& abi_;
  UserRegisters registers_;  ///< by the numbers of abi_
  StackWords words_;
  uint32_t unknown_ = 0;       ///< a bit for each register with a lost value
  bool returns_here_ = false;  ///< the frame stands behind a call, not where it was interrupted
  bool guessed_ = false;
  bool starved_ = false;
  const CodeRange* range_ = nullptr;
  const FrameFacts* facts_ = nullptr;  ///< for the current frame, once requested
};

}  // namespace strut

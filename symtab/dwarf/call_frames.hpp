// Call frame information of one file: how the caller of a frame is found at an address. Read by libdw, of .eh_frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "symtab/dwarf/frame_expression.hpp"
#include "symtab/elf/elf_file.hpp"

namespace strut {

/// What a register was in the caller.
struct CallerRule {
  enum class By : uint8_t {
    Undefined,  ///< it is not known
    Saved,      ///< the word at CFA + offset
    Value,      ///< CFA + offset
    Register,   ///< what register `offset` is
    SavedAt,    ///< the word at what the expression gives
    ValueOf,    ///< what the expression gives
  };
  By by = By::Undefined;
  int64_t offset = 0;
  FrameExpression expression{};
};

/// Registers are numbered as DWARF does on the file's machine (psABI of x86-64, figure 3.36; of i386, figure 2.14).
struct CallerRules {
  struct Change {
    uint8_t number;
    CallerRule rule;
  };
  uint8_t cfa_register = 0;  ///< CFA is this register + cfa_offset …
  int64_t cfa_offset = 0;
  FrameExpression cfa_expression{};  ///< … or this, if it is not empty
  std::vector<Change> changes;       ///< registers that are not what they were; the stack pointer is the CFA
  bool outermost = false;            ///< there is no caller
  bool signal_frame = false;         ///< the caller was interrupted, it did not call
};

/// Not for several threads at once.
class CallFrames {
 public:
  /// The file must outlive this. Nothing is read of it before the first question.
  explicit CallFrames(const ElfFile& file);
  CallFrames(CallFrames&&) noexcept;
  ~CallFrames();

  /// nullopt: nothing describes the address, or what does makes no sense.
  std::optional<CallerRules> at(uint64_t address) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strut

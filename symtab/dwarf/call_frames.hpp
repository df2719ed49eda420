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

/// The caller's value of a register.
struct CallerRule {
  enum class By : uint8_t {
    Undefined,  ///< unknown
    Saved,      ///< the word at CFA + offset
    Value,      ///< CFA + offset
    Register,   ///< the value of register `offset`
    SavedAt,    ///< the word at the expression's address
    ValueOf,    ///< the expression's value
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
  std::vector<Change> changes;       ///< registers with other values; the stack pointer is the CFA
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

  /// nullopt: no entry has the address, or the entry is malformed.
  std::optional<CallerRules> at(uint64_t address) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strut

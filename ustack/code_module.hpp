// What is known of the code of one file, address by address, as far as walks have come by it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "symtab/module.hpp"
#include "ustack/cfi_row.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {

/// How to get from a frame to its caller, as little as is needed of a CfiRow.
struct CallerRules {
  struct Change {
    uint8_t number;
    CfiRule rule;
  };
  uint8_t cfa_register = kStackPointer;
  int64_t cfa_offset = 0;
  std::span<const std::byte> cfa_expression{};
  std::vector<Change> changes;  ///< registers that are not what they were
  bool outermost = false;       ///< there is no caller
  bool signal_frame = false;    ///< the caller was interrupted
};

/// A frame at one address. Views live as long as the module.
struct FrameFacts {
  std::string_view symbol;  ///< as StackFrame has it
  uint64_t offset = 0;
  uint64_t file_offset = 0;
  std::string_view source;
  uint32_t line = 0;
  bool has_rules = false;  ///< call frame information covers the address
  CallerRules rules;
};

/// Not for several threads at once.
class CodeModule {
 public:
  CodeModule(std::string path, std::shared_ptr<const ModuleFile> file, FrameDetail detail);
  CodeModule(const CodeModule&) = delete;

  const std::string& path() const { return path_; }
  const std::shared_ptr<const ModuleFile>& file() const { return file_; }

  /// Of an address of the file. `returns_here`: it is where a call will return to, so that the frame is that of the
  /// instruction before. Valid until the next call.
  const FrameFacts& at(uint64_t address, bool returns_here);

 private:
  FrameFacts look_up(uint64_t address, bool returns_here) const;

  std::string path_;
  std::shared_ptr<const ModuleFile> file_;
  const FrameDetail detail_;
  CfiSection cfi_;
  std::unordered_map<uint64_t, FrameFacts> known_;  ///< by address * 2 + returns_here
};

}  // namespace strut

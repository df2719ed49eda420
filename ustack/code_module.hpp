// The rules for the code of one file, address by address, as far as walks have needed them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symtab/dwarf/call_frames.hpp"
#include "symtab/process/module.hpp"
#include "ustack/cfi_unwinder.hpp"
#include "ustack/frame_abi.hpp"

namespace strut {

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
  CodeModule(std::string path, std::shared_ptr<const ModuleFile> file, FrameDetail detail, FileComplaint complaint);
  CodeModule(const CodeModule&) = delete;

  const std::string& path() const { return path_; }
  const std::shared_ptr<const ModuleFile>& file() const { return file_; }
  /// nullptr: it is not known.
  const FrameAbi* abi() const;

  /// For an address of the file. `returns_here`: it is a return address, so that the frame is that of the instruction
  /// before. Valid until the next call.
  const FrameFacts& at(uint64_t address, bool returns_here);

 private:
  FrameFacts look_up(uint64_t address, bool returns_here);
  void add_line(uint64_t instruction, FrameFacts& facts);

  std::string path_;
  std::shared_ptr<const ModuleFile> file_;
  const FrameDetail detail_;
  FileComplaint complaint_;  ///< empty: there is no use for one, or it was made
  std::optional<CallFrames> frames_;
  std::unordered_map<uint64_t, FrameFacts> known_;  ///< by address * 2 + returns_here
};

}  // namespace strut

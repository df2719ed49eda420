// Call frame information of one file: which entry describes an address (Linux Standard Base, "Exception Frames";
// DWARF 5, 6.4.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "symtab/elf_file.hpp"

namespace strut {

/// A frame description entry with what its common information entry adds. Views into the file.
struct FrameDescription {
  uint64_t start = 0, end = 0;  ///< addresses of the file: [start, end)
  uint64_t code_unit = 1;
  int64_t data_unit = 1;
  uint64_t return_register = 16;
  bool signal_frame = false;                ///< the augmentation 'S': its caller was interrupted, it did not call
  std::span<const std::byte> before;        ///< the instructions of the common entry,
  std::span<const std::byte> instructions;  ///< then those of this one
  uint64_t instructions_at = 0;             ///< the address of those in the file
};

/// Finds entries. Not a byte of the file is trusted.
class CfiSection {
 public:
  CfiSection() = default;
  /// Of .eh_frame, by the search table of .eh_frame_hdr where there is one, else by a table of its own. The file must
  /// outlive this.
  explicit CfiSection(const ElfFile& file);
  /// Over bytes at these addresses of a file; without a search table if `header` is empty.
  CfiSection(std::span<const std::byte> frames, uint64_t frames_at, std::span<const std::byte> header,
             uint64_t header_at);

  /// nullopt: none covers the address, or it is malformed.
  std::optional<FrameDescription> find(uint64_t address) const;

 private:
  /// A pointer in one of the encodings DW_EH_PE_*, as far as they are of use in a file.
  struct Common {
    FrameDescription common;
    uint8_t pointer_encoding = 0;
    bool augmented = false;
  };
  /// An entry by its place in .eh_frame.
  struct Listed {
    uint64_t start, end;
    size_t offset;
  };
  std::optional<size_t> by_header(uint64_t address) const;
  std::optional<size_t> by_list(uint64_t address) const;
  void list_all() const;
  std::optional<FrameDescription> entry_at(size_t offset) const;
  std::optional<Common> common_at(size_t offset) const;
  bool take_augmentation(std::string_view letters, class ByteReader& cursor, size_t base, Common& into) const;
  uint64_t pointer(class ByteReader& cursor, uint64_t cursor_at, uint8_t encoding) const;

  std::span<const std::byte> frames_, header_;
  uint64_t frames_at_ = 0, header_at_ = 0;
  uint32_t header_entries_ = 0;
  mutable bool listed_ = false;
  mutable std::vector<Listed> list_;  ///< ascending by start; where there is no search table
};

}  // namespace strut

// One ELF file: its headers, segments, sections and notes. No byte of it is trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace strut {

/// A PT_LOAD program header (elf(5)).
struct Segment {
  uint64_t address = 0;  ///< p_vaddr
  uint64_t memory_bytes = 0;
  uint64_t offset = 0;
  uint64_t file_bytes = 0;
  bool executable = false;
  bool writable = false;
};

/// A section header (elf(5)).
struct Section {
  std::string_view name;  ///< lives as long as the file
  uint32_t index = 0;
  uint32_t type = 0;   ///< SHT_
  uint64_t flags = 0;  ///< SHF_
  uint64_t address = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t entry_bytes = 0;
  uint32_t link = 0;
};

/// A note (elf(5), "Notes"); views into the file.
struct Note {
  std::string_view owner;
  uint32_t type = 0;
  std::span<const std::byte> content;
};

/// The bytes are mapped: only the needed ones are read. Move-only; views are valid as long as it lives.
class ElfFile {
 public:
  /// Errors: it cannot be opened; ENOEXEC: it is no ELF file, or its headers are cut or absurd ("why" has the part).
  static Result<ElfFile> open(const std::string& path);
  /// Over bytes that are kept by it: a vdso, a decompressed .gnu_debugdata. `name` is for messages.
  static Result<ElfFile> over(std::vector<std::byte> bytes, std::string name);

  ElfFile(ElfFile&&) noexcept;
  ElfFile& operator=(ElfFile&&) noexcept;
  ~ElfFile();

  const std::string& name() const;
  bool is_64() const;
  uint16_t machine() const;  ///< EM_X86_64, EM_386 …
  uint16_t type() const;     ///< ET_EXEC, ET_DYN, ET_REL, ET_CORE
  uint64_t entry() const;
  std::span<const std::byte> bytes() const;  ///< the whole file

  std::span<const Segment> segments() const;
  /// PT_DYNAMIC, if its bytes lie within the file.
  const std::optional<Segment>& dynamic() const;
  /// PT_GNU_EH_FRAME, if its bytes lie within the file.
  const std::optional<Segment>& frame_header() const;
  /// Sections that are within the file; headers of others are left out. For a file without any, those that segments
  /// describe.
  std::span<const Section> sections() const;
  const Section* section(std::string_view name) const;
  const Section* section(uint32_t index) const;
  /// The content of a section, decompressed if it is SHF_COMPRESSED; empty for SHT_NOBITS and where it cannot be read.
  std::span<const std::byte> contents(const Section& section) const;

  /// File bytes at a virtual address, to the end of its segment; empty if no segment has them.
  std::span<const std::byte> at_address(uint64_t address) const;
  /// The virtual address of a file offset, by the segments.
  std::optional<uint64_t> address_of_offset(uint64_t offset) const;
  /// The other way round.
  std::optional<uint64_t> offset_of_address(uint64_t address) const;

  /// All notes of PT_NOTE segments, or of SHT_NOTE sections where there are none.
  std::vector<Note> notes() const;
  /// The notes of one section, which need not be loaded (.note.stapsdt).
  std::vector<Note> notes_of(const Section& section) const;
  /// NT_GNU_BUILD_ID in lower-case hexadecimal; empty: none.
  std::string build_id() const;
  /// The string at an offset of a string table section; empty if it is not there.
  std::string_view string(const Section& strings, uint64_t offset) const;

  /// Parts of the file that are cut or contradict each other, as far as they were looked at: "section .symtab reaches
  /// beyond its end". All other parts of such a file can be read.
  std::span<const std::string> damage() const;

 private:
  struct State;
  explicit ElfFile(std::unique_ptr<State> state);
  static Result<ElfFile> begin(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Bytes in lower-case hexadecimal.
std::string hexadecimal(std::span<const std::byte> bytes);

}  // namespace strut

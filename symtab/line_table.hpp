// One unit's part of .debug_line: which source line each instruction comes from (DWARF 5, 6.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symtab/dwarf.hpp"
#include "symtab/range_map.hpp"
#include "symtab/source_line.hpp"

namespace strut {

class LineTable {
 public:
  /// Reads and runs the program that the unit's root names; what is cut or malformed ends it. `dwarf` must outlive
  /// this.
  LineTable(const Dwarf& dwarf, const DwarfUnit& unit);

  std::optional<SourceLine> at(uint64_t address) const;
  /// The path of a file by its number, as DW_AT_call_file has it; empty: there is none, or it is absurdly long. With
  /// the directory of the compilation in front where it is relative.
  std::string_view file(uint64_t number) const;

 private:
  struct Row {
    uint64_t address;
    uint32_t line, column, file;
  };
  struct FileEntry {
    AttributeValue name;
    uint64_t directory = 0;
    mutable std::optional<std::string> path;  ///< built when it is first asked for
  };
  struct Program;  ///< the header's fields that running it needs

  bool read_header(ByteReader& reader, Program& program);
  void read_old_files(ByteReader& reader);
  void read_files(ByteReader& reader);
  std::vector<FileEntry> take_entries(ByteReader& reader);
  void run(ByteReader& reader, const Program& program);
  void end_sequence(size_t first, uint64_t end);
  std::string_view text(const AttributeValue& value) const { return dwarf_.resolve(value, unit_).text; }
  std::string directory(uint64_t number) const;

  const Dwarf& dwarf_;
  DwarfUnit unit_;  ///< as .debug_line's header has it: sizes of offsets and addresses
  std::string_view compiled_in_;
  std::vector<AttributeValue> directories_;
  std::vector<FileEntry> files_;  ///< from number 0 on; before DWARF 5 numbers begin at 1 and the first is empty
  std::vector<Row> rows_;
  std::vector<std::pair<size_t, size_t>> sequences_;  ///< of rows_
  RangeMap by_address_;                               ///< to positions in sequences_
};

}  // namespace strut

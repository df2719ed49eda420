#include "symtab/line_table.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

/// Longer ones are no paths (limits.h, PATH_MAX).
constexpr size_t kLongestPath = 4096;

void append(std::string& path, std::string_view part) {
  if (part.starts_with('/')) path.clear();
  if (!path.empty() && !path.ends_with('/') && !part.empty()) path += '/';
  path += part.substr(0, kLongestPath + 1);
}

}  // namespace

struct LineTable::Program {
  uint8_t least_instruction = 1;
  int8_t line_base = 0;
  uint8_t line_range = 1;
  uint8_t opcode_base = 1;
  std::span<const std::byte> opcode_lengths;
};

LineTable::LineTable(const Dwarf& dwarf, const DwarfUnit& unit) : dwarf_(dwarf), unit_(unit) {
  std::optional<Die> root = dwarf.root_of(unit);
  AttributeValue at = root ? dwarf.attribute(*root, dwarf::kStmtList) : AttributeValue{};
  std::span<const std::byte> section = dwarf.part(Dwarf::Part::Lines);
  if (!at.is_number() || at.number >= section.size()) return;
  compiled_in_ = dwarf.attribute(*root, dwarf::kCompDir).text;
  ByteReader reader(section, at.number);
  Program program;
  if (!read_header(reader, program)) return;
  run(reader, program);
  for (size_t i = 0; i < sequences_.size(); i++) {
    auto [first, end] = sequences_[i];
    by_address_.add(rows_[first].address, rows_[end - 1].address, i);
  }
  by_address_.sort();
}

/// Leaves the reader at the program's first opcode, with the end of the program as its end. False: malformed.
bool LineTable::read_header(ByteReader& reader, Program& program) {
  uint64_t length = reader.take<uint32_t>();
  unit_.offset_bytes = length == 0xffffffff ? 8 : 4;
  if (unit_.offset_bytes == 8) length = reader.take<uint64_t>();
  reader = ByteReader(reader.take_bytes(length));
  unit_.version = reader.take<uint16_t>();
  if (unit_.version < 2 || unit_.version > 5) return false;
  if (unit_.version == 5) unit_.address_bytes = reader.take<uint8_t>(), reader.skip(1);
  uint64_t header_bytes = reader.take_number(unit_.offset_bytes);
  uint64_t begins = reader.at() + header_bytes;
  program.least_instruction = reader.take<uint8_t>();
  if (unit_.version >= 4) reader.skip(1);  // operations of an instruction: one but on VLIW machines
  reader.skip(1);                          // whether rows are statements at first
  program.line_base = reader.take<int8_t>();
  program.line_range = reader.take<uint8_t>();
  program.opcode_base = reader.take<uint8_t>();
  program.opcode_lengths = reader.take_bytes(program.opcode_base ? program.opcode_base - 1u : 0u);
  if (unit_.version < 5) read_old_files(reader);
  else read_files(reader);
  reader.seek(begins);
  return reader.ok() && program.line_range != 0 && header_bytes <= reader.at();
}

void LineTable::read_old_files(ByteReader& reader) {
  auto entry = [](std::string_view name) { return AttributeValue{AttributeValue::Kind::Text, 0, name, {}}; };
  directories_.push_back(entry(compiled_in_));
  for (std::string_view name; !(name = reader.take_string()).empty();) directories_.push_back(entry(name));
  files_.emplace_back();
  for (std::string_view name; !(name = reader.take_string()).empty();) {
    files_.push_back({entry(name), reader.take_uleb(), {}});
    reader.take_uleb();  // when it was changed
    reader.take_uleb();  // its size
  }
}

void LineTable::read_files(ByteReader& reader) {
  for (FileEntry& entry : take_entries(reader)) directories_.push_back(entry.name);
  files_ = take_entries(reader);
}

/// A list of directories or files of DWARF 5: which fields there are, in which forms, then the fields of each.
std::vector<LineTable::FileEntry> LineTable::take_entries(ByteReader& reader) {
  std::vector<AttributeSpec> fields(reader.take<uint8_t>());
  for (AttributeSpec& field : fields) {
    field.name = static_cast<uint16_t>(reader.take_uleb());
    field.form = static_cast<uint16_t>(reader.take_uleb());
  }
  std::vector<FileEntry> entries;
  uint64_t count = reader.take_uleb();
  for (uint64_t i = 0; i < count && reader.ok(); i++) {
    size_t before = reader.at();
    FileEntry entry;
    for (const AttributeSpec& field : fields) {
      AttributeValue value = dwarf_.take_value(reader, unit_, field);
      if (field.name == dwarf::kPath) entry.name = value;
      if (field.name == dwarf::kDirectoryIndex) entry.directory = value.number;
    }
    if (reader.at() == before) break;  // entries without a byte: any count of them
    entries.push_back(std::move(entry));
  }
  return entries;
}

void LineTable::run(ByteReader& reader, const Program& program) {
  Row row{0, 1, 0, 1};
  size_t first = 0;
  auto advance = [&](uint64_t by) { row.address += by * program.least_instruction; };
  auto extended = [&] {
    uint64_t bytes = reader.take_uleb();
    size_t end = reader.at() + std::min<uint64_t>(bytes, reader.left());
    auto opcode = bytes ? reader.take<uint8_t>() : uint8_t{0};
    if (opcode == dwarf::kSetAddress) row.address = reader.take_number(std::min<uint64_t>(bytes - 1, 8));
    if (opcode == dwarf::kEndSequence) {
      rows_.push_back(row);
      end_sequence(first, row.address);
      first = rows_.size();
      row = {0, 1, 0, 1};
    }
    reader.seek(end);
  };
  while (!reader.at_end()) {
    auto opcode = reader.take<uint8_t>();
    if (opcode >= program.opcode_base) {
      auto adjusted = static_cast<uint8_t>(opcode - program.opcode_base);
      advance(adjusted / program.line_range);
      row.line += static_cast<uint32_t>(program.line_base + adjusted % program.line_range);
      rows_.push_back(row);
      continue;
    }
    switch (opcode) {
      case dwarf::kExtended: extended(); break;
      case dwarf::kCopy: rows_.push_back(row); break;
      case dwarf::kAdvancePc: advance(reader.take_uleb()); break;
      case dwarf::kAdvanceLine: row.line += static_cast<uint32_t>(reader.take_sleb()); break;
      case dwarf::kSetFile: row.file = static_cast<uint32_t>(reader.take_uleb()); break;
      case dwarf::kSetColumn: row.column = static_cast<uint32_t>(reader.take_uleb()); break;
      case dwarf::kNegateStmt:
      case dwarf::kSetBasicBlock: break;
      case dwarf::kConstAddPc: advance(static_cast<uint8_t>(255 - program.opcode_base) / program.line_range); break;
      case dwarf::kFixedAdvancePc: row.address += reader.take<uint16_t>(); break;
      default:  // the header says how many arguments one has that we do not know
        for (auto left = static_cast<uint8_t>(program.opcode_lengths[opcode - 1u]); left > 0; left--)
          reader.take_uleb();
    }
  }
  rows_.resize(first);  // a sequence that does not end
}

/// Rows [first, end of rows_) are a sequence whose last row is behind its code. Those of code that the linker left out
/// begin at 0.
void LineTable::end_sequence(size_t first, uint64_t end) {
  auto rows = std::ranges::subrange(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end());
  if (!std::ranges::is_sorted(rows, {}, &Row::address)) std::ranges::stable_sort(rows, {}, &Row::address);
  if (rows.front().address == 0 || rows.front().address >= end) rows_.resize(first);
  else sequences_.push_back({first, rows_.size()});
}

std::optional<SourceLine> LineTable::at(uint64_t address) const {
  const RangeMap::Range* range = by_address_.find(address);
  if (!range) return std::nullopt;
  auto [first, end] = sequences_[range->id];
  auto begin = rows_.begin();
  auto above = std::ranges::upper_bound(begin + static_cast<std::ptrdiff_t>(first),
                                        begin + static_cast<std::ptrdiff_t>(end), address, {}, &Row::address);
  const Row& row = *std::prev(above);
  return SourceLine{file(row.file), row.line, row.column};
}

std::string LineTable::directory(uint64_t number) const {
  std::string path(compiled_in_.substr(0, kLongestPath + 1));
  // In DWARF 5 the first one is that of the compilation.
  if (number < directories_.size()) append(path, text(directories_[number]));
  return path;
}

std::string_view LineTable::file(uint64_t number) const {
  if (number >= files_.size()) return {};
  const FileEntry& entry = files_[number];
  if (entry.path) return *entry.path;
  std::string_view name = text(entry.name);
  entry.path.emplace();
  if (name.empty()) return {};
  std::string path = directory(entry.directory);
  append(path, name);
  if (path.size() <= kLongestPath) *entry.path = std::move(path);
  return *entry.path;
}

}  // namespace strut

#include "symtab/dwarf/line_program_check.hpp"

#include <algorithm>
#include <vector>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

constexpr uint64_t kMaxTableBytes = uint64_t{4} << 20, kMaxPathBytes = uint64_t{128} << 20;
constexpr std::string_view kLongTable = "its line table is longer than 4 MB",
                           kLongPaths = "the paths in its line table are longer than 128 MB",
                           kUnknownForm = "its line table has a form that no compiler writes";
/// DW_LNE_define_file with the shortest name: an opcode within a program that adds a file.
constexpr uint64_t kDefinedFileBytes = 7;

/// The lengths of the paths of one table (DWARF 5, 6.2.4; before, section 6.2.4 of DWARF 4).
class Paths {
 public:
  Paths(const DwarfFile& file, uint64_t made_in) : file_(file), directories_{made_in}, made_in_(made_in) {}

  /// As line_table_obstacle().
  std::string_view obstacle(ByteReader reader, uint8_t offset_bytes);

 private:
  void take_old(ByteReader& reader);
  void take(ByteReader& reader);
  template <typename Add>
  void take_entries(ByteReader& reader, Add add);
  uint64_t take_value(ByteReader& reader, uint64_t form);
  uint64_t length_at(std::string_view section, uint64_t offset) const;
  uint64_t directory(uint64_t number) const { return number < directories_.size() ? directories_[number] : 0; }
  void add_file(uint64_t name, uint64_t in) { total_ += name + directory(in); }
  bool is_too_much() const { return total_ > kMaxPathBytes || unknown_; }

  const DwarfFile& file_;
  std::vector<uint64_t> directories_;
  uint64_t made_in_, total_ = 0;
  uint8_t offset_bytes_ = 4;
  bool unknown_ = false;  ///< a form that no compiler writes
};

std::string_view Paths::obstacle(ByteReader reader, uint8_t offset_bytes) {
  offset_bytes_ = offset_bytes;
  auto version = reader.take<uint16_t>();
  if (version >= 5) reader.skip(2);  // sizes of addresses and of segment selectors
  reader.skip(offset_bytes);
  reader.skip(version >= 4 ? 5 : 4);  // sizes of instructions, and how opcodes count
  auto opcode_base = reader.take<uint8_t>();
  reader.skip(opcode_base == 0 ? 0 : opcode_base - 1u);
  if (version < 5) take_old(reader);
  else take(reader);
  uint64_t longest = std::ranges::max(directories_);
  total_ += reader.left() / kDefinedFileBytes * longest;
  if (unknown_) return kUnknownForm;
  return is_too_much() ? kLongPaths : std::string_view();
}

void Paths::take_old(ByteReader& reader) {
  for (uint64_t length; (length = reader.take_string().size()) != 0;) directories_.push_back(length + made_in_);
  for (uint64_t length; !is_too_much() && (length = reader.take_string().size()) != 0;) {
    add_file(length, reader.take_uleb());
    reader.take_uleb();  // when it was changed
    reader.take_uleb();  // the size
  }
}

void Paths::take(ByteReader& reader) {
  directories_.clear();
  take_entries(reader, [&](uint64_t path, uint64_t) { directories_.push_back(path + made_in_); });
  if (directories_.empty()) directories_.push_back(0);
  take_entries(reader, [&](uint64_t path, uint64_t directory) { add_file(path, directory); });
}

/// The formats of the fields of an entry, then the entries.
template <typename Add>
void Paths::take_entries(ByteReader& reader, Add add) {
  std::vector<std::pair<uint64_t, uint64_t>> fields(reader.take<uint8_t>());
  for (auto& [content, form] : fields) content = reader.take_uleb(), form = reader.take_uleb();
  uint64_t count = reader.take_uleb();
  for (uint64_t i = 0; i < count && reader.ok() && !is_too_much(); i++) {
    size_t before = reader.at();
    uint64_t path = 0, directory = 0;
    for (auto [content, form] : fields) {
      uint64_t value = take_value(reader, form);
      if (content == DW_LNCT_path) path = value;
      if (content == DW_LNCT_directory_index) directory = value;
    }
    add(path, directory);
    if (reader.at() == before) unknown_ = true;  // entries without a byte: any count of them
  }
}

/// A string's value is its length.
uint64_t Paths::take_value(ByteReader& reader, uint64_t form) {
  switch (form) {
    case DW_FORM_string: return reader.take_string().size();
    case DW_FORM_line_strp: return length_at(".debug_line_str", reader.take_number(offset_bytes_));
    case DW_FORM_strp: return length_at(".debug_str", reader.take_number(offset_bytes_));
    case DW_FORM_udata: return reader.take_uleb();
    case DW_FORM_data1: return reader.take_number(1);
    case DW_FORM_data2: return reader.take_number(2);
    case DW_FORM_data4: return reader.take_number(4);
    case DW_FORM_data8: return reader.take_number(8);
    case DW_FORM_data16: return reader.skip(16), 0;
    case DW_FORM_block: return reader.skip(reader.take_uleb()), 0;
    default: unknown_ = true; return 0;
  }
}

uint64_t Paths::length_at(std::string_view section, uint64_t offset) const {
  return ByteReader(file_.section(section), offset).take_string().size();
}

}  // namespace

std::string_view line_table_obstacle(const Die& root) {
  std::span<const std::byte> section = root.file->section(".debug_line");
  std::optional<uint64_t> at = root.number(DW_AT_stmt_list);
  if (!at || *at >= section.size()) return {};  // libdw finds none
  ByteReader reader(section, *at);
  uint64_t length = reader.take<uint32_t>();
  uint8_t offset_bytes = length == 0xffffffff ? 8 : 4;
  if (offset_bytes == 8) length = reader.take<uint64_t>();
  if (!reader.ok() || length > reader.left()) return {};  // libdw reads none that is cut
  if (length > kMaxTableBytes) return kLongTable;
  return Paths(*root.file, root.text(DW_AT_comp_dir).size())
      .obstacle(ByteReader(reader.take_bytes(length)), offset_bytes);
}

}  // namespace strut

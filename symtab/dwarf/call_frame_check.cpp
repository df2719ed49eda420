#include "symtab/dwarf/call_frame_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symtab/elf/byte_reader.hpp"

namespace strut {
namespace {

/// Machines number a few hundred at most.
constexpr uint64_t kMaxRegisters = 1024;
constexpr size_t kMaxRemembered = 256;

/// The operands of each call frame instruction (DWARF 5, table 7.29; DW_CFA_GNU_*): r a register, u an unsigned and s a
/// signed LEB128, b a block, digits bytes. nullptr: libdw knows none, and stops there.
constexpr std::array<const char*, 0x40> operands_by_code() {
  std::array<const char*, 0x40> operands{};
  operands[DW_CFA_nop] = operands[DW_CFA_remember_state] = operands[DW_CFA_restore_state] = "";
  operands[DW_CFA_advance_loc1] = "1";
  operands[DW_CFA_advance_loc2] = "2";
  operands[DW_CFA_advance_loc4] = "4";
  operands[DW_CFA_MIPS_advance_loc8] = "8";
  operands[DW_CFA_offset_extended] = operands[DW_CFA_val_offset] = operands[DW_CFA_def_cfa] = "ru";
  operands[DW_CFA_offset_extended_sf] = operands[DW_CFA_val_offset_sf] = operands[DW_CFA_def_cfa_sf] = "rs";
  operands[DW_CFA_GNU_negative_offset_extended] = "ru";
  operands[DW_CFA_restore_extended] = operands[DW_CFA_undefined] = operands[DW_CFA_same_value] = "r";
  operands[DW_CFA_register] = "rr";
  operands[DW_CFA_def_cfa_register] = "r";
  operands[DW_CFA_def_cfa_offset] = operands[DW_CFA_GNU_args_size] = "u";
  operands[DW_CFA_def_cfa_offset_sf] = "s";
  operands[DW_CFA_def_cfa_expression] = "b";
  operands[DW_CFA_expression] = operands[DW_CFA_val_expression] = "rb";
  return operands;
}
constexpr auto kOperands = operands_by_code();

/// False: a register that there cannot be.
bool take_operands(ByteReader& instructions, const char* operands) {
  for (; *operands != 0; operands++) {
    if (*operands == 'r' && instructions.take_uleb() >= kMaxRegisters) return false;
    else if (*operands == 'u') instructions.take_uleb();
    else if (*operands == 's') instructions.take_sleb();
    else if (*operands == 'b') instructions.skip(instructions.take_uleb());
    else if (*operands != 'r') instructions.skip(static_cast<uint64_t>(*operands - '0'));
  }
  return true;
}

/// False: they name such a register, or remember too much.
bool are_bounded(std::span<const std::byte> bytes) {
  ByteReader instructions(bytes);
  for (size_t remembered = 0; !instructions.at_end() && instructions.ok();) {
    uint8_t code = instructions.take<uint8_t>();
    uint8_t high = code & 0xc0;  // the operand is in the lower six bits, but for the second one of DW_CFA_offset
    if (high == DW_CFA_offset) instructions.take_uleb();
    if (high != 0) continue;
    if (code == DW_CFA_remember_state && ++remembered > kMaxRemembered) return false;
    const char* operands = kOperands[code];
    if (!operands) return code != DW_CFA_set_loc;  // an encoded address: no compiler writes it for x86
    if (!take_operands(instructions, operands)) return false;
  }
  return true;
}

std::span<const std::byte> between(const uint8_t* begin, const uint8_t* end) {
  return begin < end ? std::as_bytes(std::span(begin, end)) : std::span<const std::byte>{};
}

/// The parts that an entry of a code range takes from its common entry.
struct Common {
  uint64_t offset = 0;
  uint8_t pointer_encoding = DW_EH_PE_absptr;
  bool augmented = false;
};

/// Takes a pointer in an encoding DW_EH_PE_*.
void take_pointer(ByteReader& reader, uint8_t encoding, uint64_t word_bytes) {
  switch (encoding & 0x0f) {
    case DW_EH_PE_uleb128: reader.take_uleb(); break;
    case DW_EH_PE_sleb128: reader.take_sleb(); break;
    case DW_EH_PE_udata2:
    case DW_EH_PE_sdata2: reader.skip(2); break;
    case DW_EH_PE_udata4:
    case DW_EH_PE_sdata4: reader.skip(4); break;
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: reader.skip(8); break;
    default: reader.skip(word_bytes); break;
  }
}

/// All entries, as libdw reads them.
class Entries {
 public:
  explicit Entries(const CallFrameBytes& bytes)
      : bytes_(bytes), word_bytes_(bytes.ident[EI_CLASS] == ELFCLASS64 ? 8 : 4) {}

  /// False: one of them is not bounded.
  bool read();
  bool has(uint64_t offset) const { return std::ranges::binary_search(offsets_, offset); }

 private:
  bool take_common(uint64_t offset, const Dwarf_CIE& entry);
  bool take_described(const Dwarf_FDE& entry) const;

  const CallFrameBytes& bytes_;
  const uint64_t word_bytes_;
  std::vector<uint64_t> offsets_;  ///< ascending
  std::vector<Common> commons_;    ///< ascending by offset
};

bool Entries::read() {
  Elf_Data data{};
  data.d_buf = const_cast<unsigned char*>(bytes_.frames.data());
  data.d_size = bytes_.frames.size();
  data.d_version = EV_CURRENT;
  Dwarf_Off next = 0;
  Dwarf_CFI_Entry entry;
  for (Dwarf_Off at = 0; dwarf_next_cfi(bytes_.ident.data(), &data, true, at, &next, &entry) == 0; at = next) {
    offsets_.push_back(at);
    if (!(dwarf_cfi_cie_p(&entry) ? take_common(at, entry.cie) : take_described(entry.fde))) return false;
  }
  return true;
}

bool Entries::take_common(uint64_t offset, const Dwarf_CIE& entry) {
  if (entry.return_address_register >= kMaxRegisters) return false;
  Common common{offset};
  std::string_view letters = entry.augmentation;
  common.augmented = letters.starts_with('z');
  ByteReader fields(between(entry.augmentation_data, entry.augmentation_data + entry.augmentation_data_size));
  for (char letter : letters) {
    if (letter == 'R') common.pointer_encoding = fields.take<uint8_t>();
    else if (letter == 'L') fields.skip(1);
    else if (letter == 'P') take_pointer(fields, fields.take<uint8_t>(), word_bytes_);
  }
  commons_.push_back(common);
  return are_bounded(between(entry.initial_instructions, entry.initial_instructions_end));
}

bool Entries::take_described(const Dwarf_FDE& entry) const {
  auto common = std::ranges::lower_bound(commons_, entry.CIE_pointer, {}, &Common::offset);
  if (common == commons_.end() || common->offset != entry.CIE_pointer) return false;
  std::span<const std::byte> bytes = between(entry.start, entry.end);
  ByteReader reader(bytes);
  take_pointer(reader, common->pointer_encoding, word_bytes_);  // where the code begins,
  take_pointer(reader, common->pointer_encoding, word_bytes_);  // and how much of it there is
  if (common->augmented) reader.skip(reader.take_uleb());
  return are_bounded(bytes.subspan(reader.at()));
}

/// For .eh_frame_hdr (Linux Standard Base), in the one form that libdw searches.
bool leads_to_entries(const CallFrameBytes& bytes, const Entries& entries) {
  constexpr uint8_t kSorted = DW_EH_PE_datarel | DW_EH_PE_sdata4;
  ByteReader header(std::as_bytes(bytes.header));
  header.skip(1);
  uint8_t frames_encoding = header.take<uint8_t>(), count_encoding = header.take<uint8_t>(),
          table_encoding = header.take<uint8_t>();
  if (count_encoding == DW_EH_PE_omit || table_encoding == DW_EH_PE_omit) return true;
  if (count_encoding != DW_EH_PE_udata4 || table_encoding != kSorted) return false;
  take_pointer(header, frames_encoding, 8);
  for (auto count = header.take<uint32_t>(); count > 0; count--) {
    header.skip(4);
    uint64_t address = bytes.header_address + static_cast<uint64_t>(int64_t{header.take<int32_t>()});
    if (!header.ok() || !entries.has(address - bytes.frames_address)) return false;
  }
  return true;
}

}  // namespace

bool call_frames_are_bounded(const CallFrameBytes& bytes) {
  Entries entries(bytes);
  return entries.read() && (bytes.header.empty() || leads_to_entries(bytes, entries));
}

}  // namespace strut

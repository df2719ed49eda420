#include "symtab/dwarf/die.hpp"

#include <cstring>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

std::string_view Die::text(unsigned attribute) const {
  Dwarf_Attribute found;
  const char* text = ::dwarf_formstring(::dwarf_attr(&entry, attribute, &found));
  return text ? text : std::string_view();
}

std::optional<uint64_t> Die::number(unsigned attribute) const {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (::dwarf_formudata(::dwarf_attr(&entry, attribute, &found), &value) != 0) return std::nullopt;
  return value;
}

std::span<const std::byte> Die::block(unsigned attribute) const {
  Dwarf_Attribute found;
  Dwarf_Block block;
  if (::dwarf_formblock(::dwarf_attr(&entry, attribute, &found), &block) != 0) return {};
  return {reinterpret_cast<const std::byte*>(block.data), block.length};
}

std::optional<Die> Die::follow(unsigned attribute) const {
  Dwarf_Attribute found;
  if (!::dwarf_attr(&entry, attribute, &found)) return std::nullopt;
  Die to{file, {}};
  if (::dwarf_formref_die(&found, &to.entry)) {
    if (file->supplementary() && ::dwarf_cu_getdwarf(to.entry.cu) != file->handle()) to.file = file->supplementary();
    return to.tag() != DW_TAG_invalid ? std::optional(to) : std::nullopt;
  }
  if (::dwarf_whatform(&found) != DW_FORM_ref_sig8 || !file->types_elsewhere) return std::nullopt;
  uint64_t signature = 0;
  std::memcpy(&signature, found.valp, sizeof signature);
  return file->types_elsewhere(signature);
}

Die Die::root() const {
  Die root{file, {}};
  ::dwarf_cu_die(entry.cu, &root.entry, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  return root;
}

uint8_t Die::address_bytes() const {
  uint8_t bytes = 8;
  ::dwarf_cu_info(entry.cu, nullptr, nullptr, nullptr, nullptr, nullptr, &bytes, nullptr);
  return bytes;
}

std::optional<Die> die_at(const DwarfFile& file, void* entry) {
  Die die{&file, {}};
  return ::dwarf_die_addr_die(file.handle(), entry, &die.entry) ? std::optional(die) : std::nullopt;
}

/// Where the list of a split unit's entry begins, which libdw does not know without the skeleton. nullopt: it has none.
std::optional<ptrdiff_t> Die::split_ranges_at() const {
  Dwarf_Attribute found;
  if (!::dwarf_attr(&entry, DW_AT_ranges, &found)) return std::nullopt;
  Dwarf_Word offset = 0;
  if (::dwarf_whatform(&found) != DW_FORM_rnglistx) {
    if (::dwarf_formudata(&found, &offset) != 0) return std::nullopt;
    Dwarf_Half version = 0;
    ::dwarf_cu_info(entry.cu, &version, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return static_cast<ptrdiff_t>(offset + (version < 5 ? file->bases->old_ranges : 0));
  }
  uint8_t offset_bytes = 4;
  ::dwarf_cu_info(entry.cu, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &offset_bytes);
  std::span<const std::byte> info = file->section(".debug_info"), lists = file->section(".debug_rnglists");
  ByteReader index(info, static_cast<size_t>(reinterpret_cast<const std::byte*>(found.valp) - info.data()));
  uint64_t base = offset_bytes == 8 ? 20 : 12;  // behind the section's header (DWARF 5, 7.28)
  uint64_t at = index.take_uleb() * offset_bytes;
  ByteReader reader(lists, at < lists.size() ? base + at : lists.size());
  return static_cast<ptrdiff_t>(base + reader.take_number(offset_bytes));
}

std::vector<AddressRange> Die::ranges(uint64_t& budget) const {
  std::vector<AddressRange> ranges;
  Dwarf_Addr base = 0;
  AddressRange range;
  ptrdiff_t next = 0;
  bool is_relative = false;  // the first list of the section: libdw takes its offset for "from the beginning"
  if (std::optional<ptrdiff_t> at = file->bases ? split_ranges_at() : std::nullopt) {
    next = *at;
    base = file->bases->low_pc;
    is_relative = next == 0;
  }
  while (budget > 0 && (next = ::dwarf_ranges(&entry, next, &base, &range.low, &range.high)) > 0) {
    if (is_relative && base == 0) {
      base = file->bases->low_pc;
      range = {range.low + base, range.high + base};
    }
    is_relative = false;
    ranges.push_back(range);
    budget--;
  }
  return ranges;
}

/// To the entry that comes next in the order of the file. False: there is none below the one that the walk began with.
bool Die::step(int& depth, Descend descend) {
  Die next = *this;
  if (descend == Descend::Into && ::dwarf_child(&entry, &next.entry) == 0) {
    depth++;
    *this = next;
    return true;
  }
  if (depth == 0) return false;
  switch (::dwarf_siblingof(&entry, &next.entry)) {
    case 0: *this = next; return true;
    case 1: break;
    default: return false;
  }
  // Behind the last of its siblings stands a zero for each list that ends there.
  const auto* zero = static_cast<const std::byte*>(next.entry.addr);
  std::span<const std::byte> info = file->section(".debug_info"), types = file->section(".debug_types");
  const std::byte* end =
      zero >= info.data() && zero < info.data() + info.size() ? info.data() + info.size() : types.data() + types.size();
  if (!zero) return false;
  for (; zero < end && *zero == std::byte{0}; zero++)
    if (--depth == 0) return false;
  if (zero >= end) return false;
  *this = at(const_cast<std::byte*>(zero));
  return true;
}

}  // namespace strut

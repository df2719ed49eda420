// How values lie in .debug_info (DWARF 5, 7.5.6), and where those that are kept elsewhere are found.
#include "symtab/dwarf.hpp"
#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

using Kind = AttributeValue::Kind;

/// Forms of a fixed number of bytes, or of `kOffset`: as many as an offset of the unit has.
constexpr uint8_t kOffset = 0xff, kAddressBytes = 0xfe, kUleb = 0xfd;
struct PlainForm {
  uint16_t form;
  uint8_t bytes;
  Kind kind;
};
// clang-format off: a table
constexpr PlainForm kPlainForms[] = {
    {dwarf::kAddr, kAddressBytes, Kind::Address}, {dwarf::kData1, 1, Kind::Number},          {dwarf::kData2, 2, Kind::Number},
    {dwarf::kData4, 4, Kind::Number},             {dwarf::kData8, 8, Kind::Number},          {dwarf::kFlag, 1, Kind::Number},
    {dwarf::kUdata, kUleb, Kind::Number},         {dwarf::kStrp, kOffset, Kind::StringAt},   {dwarf::kLineStrp, kOffset, Kind::LineStringAt},
    {dwarf::kRef1, 1, Kind::Reference},           {dwarf::kRef2, 2, Kind::Reference},        {dwarf::kRef4, 4, Kind::Reference},
    {dwarf::kRef8, 8, Kind::Reference},           {dwarf::kRefUdata, kUleb, Kind::Reference}, {dwarf::kSecOffset, kOffset, Kind::Number},
    {dwarf::kStrx, kUleb, Kind::StringIndex},     {dwarf::kStrx1, 1, Kind::StringIndex},     {dwarf::kStrx2, 2, Kind::StringIndex},
    {dwarf::kStrx3, 3, Kind::StringIndex},        {dwarf::kStrx4, 4, Kind::StringIndex},     {dwarf::kAddrx, kUleb, Kind::AddressIndex},
    {dwarf::kAddrx1, 1, Kind::AddressIndex},      {dwarf::kAddrx2, 2, Kind::AddressIndex},   {dwarf::kAddrx3, 3, Kind::AddressIndex},
    {dwarf::kAddrx4, 4, Kind::AddressIndex},      {dwarf::kRefSup4, 4, Kind::AltReference},  {dwarf::kRefSup8, 8, Kind::AltReference},
    {dwarf::kStrpSup, kOffset, Kind::AltStringAt}, {dwarf::kGnuRefAlt, kOffset, Kind::AltReference},
    {dwarf::kGnuStrpAlt, kOffset, Kind::AltStringAt}, {dwarf::kLoclistx, kUleb, Kind::Number}, {dwarf::kRnglistx, kUleb, Kind::RangeIndex},
    {dwarf::kGnuAddrIndex, kUleb, Kind::AddressIndex}, {dwarf::kGnuStrIndex, kUleb, Kind::StringIndex},
    {dwarf::kRefSig8, 8, Kind::Signature},            {dwarf::kData16, 16, Kind::None},
};
// clang-format on

/// The row of a form; by a table over the codes that DWARF itself has, because every attribute comes by here.
const PlainForm* plain_form(uint16_t form) {
  constexpr size_t kCodes = 0x30;
  static constexpr auto kRows = [] {
    std::array<uint8_t, kCodes> rows{};
    for (size_t i = 0; i < std::size(kPlainForms); i++)
      if (kPlainForms[i].form < kCodes) rows[kPlainForms[i].form] = static_cast<uint8_t>(i + 1);
    return rows;
  }();
  if (form < kCodes) return kRows[form] ? &kPlainForms[kRows[form] - 1] : nullptr;
  auto row = std::ranges::find(kPlainForms, form, &PlainForm::form);
  return row == std::end(kPlainForms) ? nullptr : row;
}

AttributeValue take_plain(ByteReader& reader, const DwarfUnit& unit, const PlainForm& row) {
  AttributeValue value;
  value.kind = row.kind;
  if (row.bytes == kUleb) value.number = reader.take_uleb();
  else if (row.bytes == kOffset) value.number = reader.take_number(unit.offset_bytes);
  else if (row.bytes == kAddressBytes) value.number = reader.take_number(unit.address_bytes);
  else if (row.bytes > 8) reader.skip(row.bytes);
  else value.number = reader.take_number(row.bytes);
  if (row.kind == Kind::Reference) value.number += unit.offset;  // of the unit, made one of the section
  return value;
}

AttributeValue block_of(ByteReader& reader, uint64_t bytes) {
  AttributeValue value;
  value.kind = Kind::Block;
  value.block = reader.take_bytes(bytes);
  return value;
}

AttributeValue number(Kind kind, uint64_t is) { return {kind, is, {}, {}}; }

}  // namespace

AttributeValue Dwarf::take_value(ByteReader& reader, const DwarfUnit& unit, const AttributeSpec& spec) const {
  uint16_t form = spec.form;
  while (form == dwarf::kIndirect && reader.ok()) form = static_cast<uint16_t>(reader.take_uleb());
  if (const PlainForm* row = plain_form(form)) return take_plain(reader, unit, *row);
  switch (form) {
    case dwarf::kString: return {Kind::Text, 0, reader.take_string(), {}};
    case dwarf::kSdata: return number(Kind::Signed, static_cast<uint64_t>(reader.take_sleb()));
    case dwarf::kFlagPresent: return number(Kind::Number, 1);
    case dwarf::kImplicitConst: return number(Kind::Signed, static_cast<uint64_t>(spec.constant));
    // The size of an address in DWARF 2, of an offset since.
    case dwarf::kRefAddr:
      return number(Kind::Reference, reader.take_number(unit.version == 2 ? unit.address_bytes : unit.offset_bytes));
    case dwarf::kBlock1: return block_of(reader, reader.take<uint8_t>());
    case dwarf::kBlock2: return block_of(reader, reader.take<uint16_t>());
    case dwarf::kBlock4: return block_of(reader, reader.take<uint32_t>());
    case dwarf::kBlock:
    case dwarf::kExprloc: return block_of(reader, reader.take_uleb());
    default: reader.skip(reader.left() + 1);  // of unknown length: the rest of the unit cannot be read
  }
  return {};
}

std::string_view Dwarf::string_at(Part strings, uint64_t offset) const {
  std::span<const std::byte> bytes = part(strings);
  return offset < bytes.size() ? ByteReader(bytes, offset).take_string() : std::string_view();
}

uint64_t Dwarf::address_by_index(const DwarfUnit& unit, uint64_t index) const {
  std::span<const std::byte> bytes = part(Part::Addresses);
  if (index >= bytes.size()) return 0;
  return ByteReader(bytes, bases_of(unit).addresses + index * unit.address_bytes).take_number(unit.address_bytes);
}

AttributeValue Dwarf::resolve(AttributeValue value, const DwarfUnit& unit) const {
  auto text = [](std::string_view text) { return AttributeValue{Kind::Text, 0, text, {}}; };
  switch (value.kind) {
    case Kind::StringAt: return text(string_at(Part::Strings, value.number));
    case Kind::LineStringAt: return text(string_at(Part::LineStrings, value.number));
    case Kind::AltStringAt:
      return text(supplementary_ ? supplementary_->string_at(Part::Strings, value.number) : std::string_view());
    case Kind::AddressIndex: return number(Kind::Address, address_by_index(unit, value.number));
    case Kind::StringIndex: {
      std::span<const std::byte> offsets = part(Part::StringOffsets);
      if (value.number >= offsets.size()) return text({});
      uint64_t at = bases_of(unit).strings + value.number * unit.offset_bytes;
      return text(string_at(Part::Strings, ByteReader(offsets, at).take_number(unit.offset_bytes)));
    }
    default: return value;
  }
}

}  // namespace strut

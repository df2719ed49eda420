#include "symtab/dwarf_abbreviations.hpp"

#include <algorithm>

#include "symtab/byte_reader.hpp"
#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

AttributeSpec take_spec(ByteReader& reader) {
  AttributeSpec spec;
  spec.name = static_cast<uint16_t>(reader.take_uleb());
  spec.form = static_cast<uint16_t>(reader.take_uleb());
  if (spec.form == dwarf::kImplicitConst) spec.constant = reader.take_sleb();
  return spec;
}

}  // namespace

Abbreviations::Abbreviations(std::span<const std::byte> section, uint64_t at, uint64_t& budget) {
  if (at >= section.size()) return;
  ByteReader reader(section.subspan(at, std::min<uint64_t>(section.size() - at, budget)));
  while (uint64_t code = reader.take_uleb()) {
    Abbreviation entry{code, static_cast<uint16_t>(reader.take_uleb()), reader.take<uint8_t>() != 0,
                       static_cast<uint32_t>(specs_.size()), 0};
    for (AttributeSpec spec; spec = take_spec(reader), reader.ok() && (spec.name != 0 || spec.form != 0);)
      specs_.push_back(spec);
    if (!reader.ok()) break;
    entry.count = static_cast<uint32_t>(specs_.size()) - entry.first;
    entries_.push_back(entry);
  }
  budget -= std::min<uint64_t>(budget, reader.at());
  std::ranges::stable_sort(entries_, {}, &Abbreviation::code);
}

const Abbreviation* Abbreviations::find(uint64_t code) const {
  // Compilers number them from one.
  if (code - 1 < entries_.size() && entries_[code - 1].code == code) return &entries_[code - 1];
  auto found = std::ranges::lower_bound(entries_, code, {}, &Abbreviation::code);
  return found != entries_.end() && found->code == code ? &*found : nullptr;
}

}  // namespace strut

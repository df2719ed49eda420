// .debug_abbrev: which attributes the entries of a unit have, and in which forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strut {

struct AttributeSpec {
  uint16_t name = 0;     ///< dwarf::Attribute
  uint16_t form = 0;     ///< dwarf::Form
  int64_t constant = 0;  ///< of DW_FORM_implicit_const
};

struct Abbreviation {
  uint64_t code = 0;
  uint16_t tag = 0;  ///< dwarf::Tag
  bool has_children = false;
  uint32_t first = 0, count = 0;  ///< of its attributes
};

/// The abbreviations of one unit (DWARF 5, 7.5.3).
class Abbreviations {
 public:
  Abbreviations() = default;
  /// Reads the table at an offset of .debug_abbrev. `budget`: of bytes; what it uses is taken off, and none are read
  /// beyond it: tables that overlap would otherwise cost their product.
  Abbreviations(std::span<const std::byte> section, uint64_t at, uint64_t& budget);

  /// nullptr: no entry has this code.
  const Abbreviation* find(uint64_t code) const;
  std::span<const AttributeSpec> attributes(const Abbreviation& of) const {
    return std::span(specs_).subspan(of.first, of.count);
  }

 private:
  std::vector<Abbreviation> entries_;  ///< ascending by code
  std::vector<AttributeSpec> specs_;
};

}  // namespace strut

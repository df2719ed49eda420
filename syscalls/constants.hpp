// Named numbers: one set per enumeration or flag word of the kernel's interface.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace strut {

/// One name. With a mask the entry stands for a field of several bits: it matches where (bits & mask) == value,
/// and takes the mask's bits out of the word (O_ACCMODE, MAP_TYPE, CSIGNAL). Without one it is a plain value
/// (enumeration) or the bits that must all be set (flags).
struct Constant {
  uint64_t value;
  const char* name;
  uint64_t mask = 0;
};

enum class Naming : uint8_t {
  Enumeration,  ///< exactly one name, found by value
  Flags,        ///< names joined by '|', in table order
};

/// How a set's numbers look where names are not wanted (-X raw, unknown values).
enum class NumberBase : uint8_t { Hex, Decimal, Unsigned, Octal };

/// A table of names. Entries of flags stand in the order in which they are printed, fields with masks first.
struct ConstantSet {
  Naming naming;
  const char* unknown;  ///< "O_???": the comment of a number without a name; nullptr: no comment
  std::span<const Constant> entries;
  NumberBase base = NumberBase::Hex;
  /// Enumerations with entries in ascending order of value are searched by bisection.
  bool sorted = false;
  /// A word without any bit set is written as its name alone; where it has none, or names are not wanted (-X raw), not
  /// at all: c_iflag=, statx(…, |0x100, …).
  bool blank_zero = false;

  /// The name of exactly this value, nullptr if there is none (enumerations; the zero of flags).
  const char* name_of(uint64_t value) const;
  /// The entry of this name, nullptr if there is none.
  const Constant* find(std::string_view name) const;
};

/// True if entries ascend strictly by value: lets a set be marked sorted at compile time.
constexpr bool ascending(std::span<const Constant> entries) {
  for (size_t i = 1; i < entries.size(); i++)
    if (entries[i].value <= entries[i - 1].value) return false;
  return true;
}

constexpr ConstantSet enumeration(const char* unknown, std::span<const Constant> entries,
                                  NumberBase base = NumberBase::Hex) {
  return {Naming::Enumeration, unknown, entries, base, ascending(entries)};
}
constexpr ConstantSet flag_set(const char* unknown, std::span<const Constant> entries,
                               NumberBase base = NumberBase::Hex) {
  return {Naming::Flags, unknown, entries, base, false};
}

}  // namespace strut

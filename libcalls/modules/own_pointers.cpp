#include "libcalls/modules/own_pointers.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "symtab/elf/address_words.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

namespace {

template <typename T>
T value_at(std::span<const std::byte> bytes, size_t at) {
  T value{};
  if (bytes.size() >= sizeof value && at <= bytes.size() - sizeof value)
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void add_packed(const ElfFile& file, std::vector<uint64_t>& to) {
  for (uint64_t word : packed_relocations_of(file)) to.push_back(value_at<uint64_t>(file.at_address(word), 0));
}

/// The addresses that code at an address may compute, by place.
template <typename Take>
void each_computed(uint64_t address, std::span<const std::byte> code, Take take) {
  constexpr std::byte kLea{0x8d}, kWithoutRegister{0xc7}, kByRip{5};
  constexpr size_t kBytes = 6;
  for (size_t at = 0; at + kBytes <= code.size(); at++)
    if (code[at] == kLea && (code[at + 1] & kWithoutRegister) == kByRip)
      take(address + at, address + at + kBytes + static_cast<uint64_t>(int64_t{value_at<int32_t>(code, at + 2)}));
}

/// nullptr: none has the address.
const CodeRange* around(std::span<const CodeRange> ascending, uint64_t address) {
  auto behind = std::ranges::upper_bound(ascending, address, {}, &CodeRange::begin);
  return behind != ascending.begin() && std::prev(behind)->contains(address) ? &*std::prev(behind) : nullptr;
}

}  // namespace

OwnPointers::OwnPointers(const ElfFile& file, std::span<const CodeRange> choosers) {
  for (const AddressWord& word : address_words_of(file)) addresses_.push_back(word.address);
  add_packed(file, addresses_);
  std::vector<CodeRange> ascending(choosers.begin(), choosers.end());
  std::ranges::sort(ascending, {}, &CodeRange::begin);
  auto take = [&](uint64_t at, uint64_t address) {
    if (const CodeRange* chooser = around(ascending, at)) choices_.push_back({chooser->begin, address});
    else addresses_.push_back(address);
  };
  for (const Segment& segment : file.segments())
    if (segment.executable) each_computed(segment.address, file.at_address(segment.address), take);
  std::ranges::sort(addresses_);
  size_t known = addresses_.size();  // a choice is no pointer to a chooser
  for (const Choice& choice : choices_)
    if (std::binary_search(addresses_.begin(), addresses_.begin() + static_cast<ptrdiff_t>(known), choice.chooser))
      addresses_.push_back(choice.address);
  std::ranges::sort(addresses_);
}

bool OwnPointers::to(uint64_t address) const { return std::ranges::binary_search(addresses_, address); }

std::vector<uint64_t> OwnPointers::chosen_by(uint64_t address) const {
  std::vector<uint64_t> choosers;
  for (const Choice& choice : choices_)
    if (choice.address == address) choosers.push_back(choice.chooser);
  return choosers;
}

}  // namespace strut

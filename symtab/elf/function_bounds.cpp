#include "symtab/elf/function_bounds.hpp"

#include <map>
#include <set>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

/// How an address is written: DW_EH_PE_ of the Linux Standard Base, "DWARF Exception Header Encoding".
constexpr uint8_t kOmit = 0xff, kFormMask = 0x0f, kFromHere = 0x10, kApplicationMask = 0x70;
enum EncodedForm : uint8_t { kWord = 0, kUleb = 1, kU2 = 2, kU4 = 3, kU8 = 4, kSleb = 9, kS2 = 10, kS4 = 11, kS8 = 12 };

/// The meaning of a range's number.
enum Kind : uint64_t { kPlain, kSignalFrame };

/// One description or the part that several share, between its length and its end.
struct Entry {
  uint64_t at = 0;     ///< offset in the section
  uint64_t id_at = 0;  ///< for the word after the length
  uint64_t end = 0;
  uint64_t id = 0;  ///< 0: common; else how far before id_at the common entry begins
};

class FrameSection {
 public:
  FrameSection(std::span<const std::byte> bytes, uint64_t address, bool is_64)
      : bytes_(bytes), address_(address), is_64_(is_64) {}

  void read(RangeMap& ranges) {
    ByteReader reader(bytes_);
    while (std::optional<Entry> entry = take_entry(reader)) {
      if (entry->id != 0) add(*entry, ranges);
      reader.seek(entry->end);
    }
  }

 private:
  /// nullopt: the terminator, the end, or an entry that is cut.
  static std::optional<Entry> take_entry(ByteReader& reader) {
    Entry entry;
    entry.at = reader.at();
    uint64_t length = reader.take<uint32_t>();
    if (length == 0xffffffff) length = reader.take<uint64_t>();
    if (!reader.ok() || length < 4 || length > reader.left()) return std::nullopt;
    entry.id_at = reader.at();
    entry.end = entry.id_at + length;
    entry.id = reader.take<uint32_t>();
    return entry;
  }

  void add(const Entry& entry, RangeMap& ranges) {
    if (entry.id > entry.id_at) return;
    uint8_t encoding = encoding_of(entry.id_at - entry.id);
    if (encoding == kOmit) return;
    ByteReader reader(bytes_.first(entry.end), entry.id_at + 4);
    uint64_t here = address_ + reader.at();
    uint64_t begin = take_encoded(reader, encoding & kFormMask);
    if ((encoding & kApplicationMask) == kFromHere) begin += here;
    uint64_t bytes = take_encoded(reader, encoding & kFormMask);
    if (!is_64_) begin &= 0xffffffff, bytes &= 0xffffffff;
    uint64_t kind = signal_frames_.contains(entry.id_at - entry.id) ? kSignalFrame : kPlain;
    if (reader.ok() && begin != 0) ranges.add(begin, begin + bytes, kind);
  }

  /// How a common entry's descriptions write addresses: its augmentation says it behind 'R'.
  uint8_t encoding_of(uint64_t common) {
    auto [slot, is_new] = encodings_.try_emplace(common, kOmit);
    if (is_new) slot->second = read_encoding(common);
    return slot->second;
  }

  uint8_t read_encoding(uint64_t common) {
    ByteReader reader(bytes_, common);
    std::optional<Entry> entry = take_entry(reader);
    if (!entry || entry->id != 0) return kOmit;
    auto version = reader.take<uint8_t>();
    std::string_view augmentation = reader.take_string();
    reader.take_uleb();  // code and data alignment
    reader.take_sleb();
    if (version == 1) reader.skip(1);  // the return address's register
    else reader.take_uleb();
    if (!augmentation.starts_with('z')) return kWord;
    reader.take_uleb();  // bytes of the following data
    for (char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        if (augmentation.contains('S')) signal_frames_.insert(common);
        return reader.ok() ? reader.take<uint8_t>() : kOmit;
      }
      if (letter == 'P') take_encoded(reader, reader.take<uint8_t>() & kFormMask);
      else if (letter == 'L') reader.skip(1);
      else if (letter != 'S' && letter != 'B') return kWord;
    }
    return kWord;
  }

  uint64_t take_encoded(ByteReader& reader, uint8_t form) const {
    switch (form) {
      case kWord: return reader.take_number(is_64_ ? 8 : 4);
      case kUleb: return reader.take_uleb();
      case kU2: return reader.take<uint16_t>();
      case kU4: return reader.take<uint32_t>();
      case kU8:
      case kS8: return reader.take<uint64_t>();
      case kSleb: return static_cast<uint64_t>(reader.take_sleb());
      case kS2: return static_cast<uint64_t>(int64_t{reader.take<int16_t>()});
      case kS4: return static_cast<uint64_t>(int64_t{reader.take<int32_t>()});
      default: reader.skip(reader.left() + 1); return 0;
    }
  }

  std::span<const std::byte> bytes_;
  uint64_t address_;
  bool is_64_;
  std::map<uint64_t, uint8_t> encodings_;  ///< by a common entry's offset
  std::set<uint64_t> signal_frames_;       ///< offsets of common entries
};

}  // namespace

/// Linux Standard Base, ".eh_frame_hdr": a version, three encodings, the address of .eh_frame, the number of entries,
/// and pairs of addresses, ascending, in the one form that linkers write: 32 bits, from the section's beginning on.
bool FunctionBounds::is_listed(uint64_t begin) const {
  constexpr uint8_t kVersion = 1, kFromSection = 0x30;
  const Section* section = file_.section(".eh_frame_hdr");
  if (!section) return true;
  auto bytes = file_.contents(*section);
  ByteReader reader(bytes);
  auto version = reader.take<uint8_t>(), pointer = reader.take<uint8_t>(), counted = reader.take<uint8_t>(),
       paired = reader.take<uint8_t>();
  bool is_usual =
      version == kVersion && (pointer & kFormMask) == kS4 && counted == kU4 && paired == (kFromSection | kS4);
  reader.skip(sizeof(uint32_t));
  uint64_t count = reader.take<uint32_t>();
  constexpr uint64_t kPair = 2 * sizeof(int32_t);
  if (!is_usual || !reader.ok() || count > reader.left() / kPair) return true;
  uint64_t low = 0, first = reader.at();
  auto begin_of = [&](uint64_t index) {
    return section->address + static_cast<uint64_t>(int64_t{ByteReader(bytes, first + index * kPair).take<int32_t>()});
  };
  while (low < count) {
    uint64_t middle = low + (count - low) / 2;
    if (begin_of(middle) == begin) return true;
    if (begin_of(middle) < begin) low = middle + 1;
    else count = middle;
  }
  return false;
}

const RangeMap& FunctionBounds::ranges() const {
  if (ranges_) return *ranges_;
  ranges_.emplace();
  if (const Section* section = file_.section(".eh_frame"))
    FrameSection(file_.contents(*section), section->address, file_.is_64()).read(*ranges_);
  ranges_->sort();
  return *ranges_;
}

std::optional<FunctionBounds::Bounds> FunctionBounds::at(uint64_t address) const {
  const RangeMap::Range* range = ranges().find(address);
  if (!range) return std::nullopt;
  return Bounds{range->low, range->high, range->id == kSignalFrame};
}

}  // namespace strut

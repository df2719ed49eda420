#include "ustack/cfi_section.hpp"

#include <algorithm>

#include "symtab/byte_reader.hpp"

namespace strut {

namespace {

// Linux Standard Base, "DWARF Exception Header Encoding".
constexpr uint8_t kOmitted = 0xff;
constexpr uint8_t kFormat = 0x0f, kRelation = 0x70, kIndirect = 0x80;
constexpr uint8_t kRelativeToHere = 0x10;

constexpr size_t kHeaderBytes = 12;      // of .eh_frame_hdr, in the form that every linker makes
constexpr size_t kHeaderEntryBytes = 8;  // two 32-bit offsets from the header
constexpr uint32_t kWideLength = 0xffffffff;
constexpr size_t kMostEntries = 4 << 20;
constexpr size_t kMostLetters = 16;  // of an augmentation

/// How many entries the search table has; 0: there is none of sorted pairs of 32-bit offsets.
uint32_t entries_of(std::span<const std::byte> header) {
  constexpr uint8_t kVersion = 1, kUnsigned4 = 0x03, kTable = 0x3b;
  if (header.size() < kHeaderBytes) return 0;
  ByteReader cursor(header);
  uint8_t version = cursor.take<uint8_t>();
  cursor.skip(1);
  uint8_t count_encoding = cursor.take<uint8_t>(), table_encoding = cursor.take<uint8_t>();
  if (version != kVersion || count_encoding != kUnsigned4 || table_encoding != kTable) return 0;
  cursor.skip(4);
  uint32_t count = cursor.take<uint32_t>();
  return count <= (header.size() - kHeaderBytes) / kHeaderEntryBytes ? count : 0;
}

int32_t header_offset(std::span<const std::byte> header, size_t entry, size_t which) {
  int32_t offset;
  std::memcpy(&offset, header.data() + kHeaderBytes + entry * kHeaderEntryBytes + which * 4, sizeof offset);
  return offset;
}

/// Length and contents of the entry at an offset; `contents` is empty if it is none, or the end.
struct Entry {
  std::span<const std::byte> contents;
  size_t contents_at = 0;  ///< offset of them
  size_t end = 0;          ///< offset of what follows
};
Entry read_entry(std::span<const std::byte> frames, size_t offset) {
  Entry entry;
  if (offset >= frames.size()) return entry;
  ByteReader cursor(frames.subspan(offset));
  uint64_t length = cursor.take<uint32_t>();
  if (length == kWideLength) length = cursor.take<uint64_t>();
  if (!cursor.ok() || length < 4 || length > cursor.left()) return entry;
  entry.contents_at = offset + cursor.at();
  entry.contents = cursor.take_bytes(length);
  entry.end = entry.contents_at + length;
  return entry;
}

}  // namespace

CfiSection::CfiSection(const ElfFile& file) {
  if (const Section* frames = file.section(".eh_frame")) {
    frames_ = file.contents(*frames);
    frames_at_ = frames->address;
  }
  if (const Section* header = file.section(".eh_frame_hdr")) {
    header_ = file.contents(*header);
    header_at_ = header->address;
  }
  header_entries_ = entries_of(header_);
}

CfiSection::CfiSection(std::span<const std::byte> frames, uint64_t frames_at, std::span<const std::byte> header,
                       uint64_t header_at)
    : frames_(frames),
      header_(header),
      frames_at_(frames_at),
      header_at_(header_at),
      header_entries_(entries_of(header)) {}

std::optional<FrameDescription> CfiSection::find(uint64_t address) const {
  auto offset = header_entries_ != 0 ? by_header(address) : by_list(address);
  if (!offset) return std::nullopt;
  auto found = entry_at(*offset);
  if (!found || address < found->start || address >= found->end) return std::nullopt;
  return found;
}

std::optional<size_t> CfiSection::by_header(uint64_t address) const {
  int64_t wanted = static_cast<int64_t>(address - header_at_);
  size_t low = 0, high = header_entries_;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (header_offset(header_, middle, 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return std::nullopt;
  return header_at_ + static_cast<uint64_t>(int64_t{header_offset(header_, low - 1, 1)}) - frames_at_;
}

std::optional<size_t> CfiSection::by_list(uint64_t address) const {
  list_all();
  auto above = std::ranges::upper_bound(list_, address, {}, &Listed::start);
  if (above == list_.begin()) return std::nullopt;
  return std::prev(above)->offset;
}

void CfiSection::list_all() const {
  if (listed_) return;
  listed_ = true;
  for (size_t offset = 0; list_.size() < kMostEntries;) {
    Entry entry = read_entry(frames_, offset);
    if (entry.contents.empty()) break;
    if (auto found = entry_at(offset)) list_.push_back({found->start, found->end, offset});
    offset = entry.end;
  }
  std::ranges::sort(list_, {}, &Listed::start);
}

std::optional<FrameDescription> CfiSection::entry_at(size_t offset) const {
  Entry entry = read_entry(frames_, offset);
  ByteReader cursor(entry.contents);
  uint32_t back = cursor.take<uint32_t>();  // to the common entry, from here; 0: it is a common entry
  if (entry.contents.empty() || back == 0 || back > entry.contents_at) return std::nullopt;
  auto common = common_at(entry.contents_at - back);
  if (!common) return std::nullopt;
  FrameDescription found = common->common;
  uint64_t here = frames_at_ + entry.contents_at;
  found.start = pointer(cursor, here, common->pointer_encoding);
  found.end = found.start + pointer(cursor, here, common->pointer_encoding & kFormat);
  if (common->augmented) cursor.skip(cursor.take_uleb());
  if (!cursor.ok()) return std::nullopt;
  found.instructions_at = here + cursor.at();
  found.instructions = cursor.take_bytes(cursor.left());
  return found;
}

std::optional<CfiSection::Common> CfiSection::common_at(size_t offset) const {
  Entry entry = read_entry(frames_, offset);
  ByteReader cursor(entry.contents);
  if (entry.contents.empty() || cursor.take<uint32_t>() != 0) return std::nullopt;
  uint8_t version = cursor.take<uint8_t>();
  if (version != 1 && version != 3 && version != 4) return std::nullopt;
  std::string_view letters = cursor.take_string();
  if (letters.size() > kMostLetters) return std::nullopt;
  if (version == 4) cursor.skip(2);  // sizes of addresses and of segment selectors
  Common found;
  found.common.code_unit = cursor.take_uleb();
  found.common.data_unit = cursor.take_sleb();
  found.common.return_register = version == 1 ? cursor.take<uint8_t>() : cursor.take_uleb();
  if (!cursor.ok() || !take_augmentation(letters, cursor, entry.contents_at, found)) return std::nullopt;
  found.common.before = cursor.take_bytes(cursor.left());
  return found;
}

/// Letters other than z, R, P, L, S and B say nothing here, and end what can be understood without the length behind z.
bool CfiSection::take_augmentation(std::string_view letters, ByteReader& cursor, size_t base, Common& into) const {
  if (letters.empty()) return true;
  if (letters[0] != 'z') return false;
  into.augmented = true;
  uint64_t length = cursor.take_uleb();
  size_t begins = cursor.at();
  std::span<const std::byte> bytes = cursor.take_bytes(length);
  if (!cursor.ok()) return false;
  ByteReader fields(bytes);
  for (char letter : letters.substr(1)) {
    if (letter == 'R') into.pointer_encoding = fields.take<uint8_t>();
    else if (letter == 'L') fields.skip(1);
    else if (letter == 'S') into.common.signal_frame = true;
    else if (letter == 'P') pointer(fields, frames_at_ + base + begins, fields.take<uint8_t>() & ~kIndirect);
    else if (letter != 'B') break;
  }
  return fields.ok();
}

/// `cursor_at`: the address of the cursor's first byte.
uint64_t CfiSection::pointer(ByteReader& cursor, uint64_t cursor_at, uint8_t encoding) const {
  if (encoding == kOmitted) return 0;
  uint64_t here = cursor_at + cursor.at(), value = 0;
  switch (encoding & kFormat) {
    case 0x00:
    case 0x04:
    case 0x0c: value = cursor.take<uint64_t>(); break;
    case 0x01: value = cursor.take_uleb(); break;
    case 0x02: value = cursor.take<uint16_t>(); break;
    case 0x03: value = cursor.take<uint32_t>(); break;
    case 0x09: value = static_cast<uint64_t>(cursor.take_sleb()); break;
    case 0x0a: value = static_cast<uint64_t>(int64_t{cursor.take<int16_t>()}); break;
    case 0x0b: value = static_cast<uint64_t>(int64_t{cursor.take<int32_t>()}); break;
    default: cursor.skip(cursor.left() + 1); return 0;
  }
  uint8_t relation = encoding & kRelation;
  if (relation == kRelativeToHere) value += here;
  else if (relation != 0 || (encoding & kIndirect))
    cursor.skip(cursor.left() + 1);  // nobody writes such addresses of code
  return value;
}

}  // namespace strut

#include "ustack/python_code.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace strut {

namespace {

constexpr size_t kMaxCharacters = 4096, kMaxTableBytes = 1 << 22;
constexpr uint64_t kInstructionBytes = 2;  // _Py_CODEUNIT

template <typename T>
std::optional<T> value_at(uint64_t address, Memory& memory) {
  T value{};
  bool read = memory.read(Addr{address}, std::as_writable_bytes(std::span(&value, 1))).bytes == sizeof value;
  return read ? std::optional(value) : std::nullopt;
}

/// The entries of a location table.
class Locations {
 public:
  explicit Locations(std::span<const std::byte> table) : rest_(table) {}

  struct Entry {
    int64_t instructions = 0, line_delta = 0;
    bool has_line = false;
  };
  /// nullopt: there are no more.
  std::optional<Entry> next() {
    constexpr unsigned kFirst = 0x80, kCodeShift = 3, kCodeMask = 15, kLengthMask = 7;
    if (rest_.empty()) return std::nullopt;
    unsigned head = take();
    if ((head & kFirst) == 0) return std::nullopt;
    Entry entry{(head & kLengthMask) + 1, 0, true};
    unsigned code = head >> kCodeShift & kCodeMask;
    if (code == kNone) entry.has_line = false;
    else if (code >= kNoColumns) entry.line_delta = take_signed();
    else if (code >= kOneLine) entry.line_delta = code - kOneLine;
    while (!rest_.empty() && (std::to_integer<unsigned>(rest_[0]) & kFirst) == 0) take();
    return entry;
  }

 private:
  static constexpr unsigned kOneLine = 10, kNoColumns = 13, kNone = 15;  // the codes below kOneLine stay on the line

  unsigned take() {
    auto byte = std::to_integer<unsigned>(rest_[0]);
    rest_ = rest_.subspan(1);
    return byte;
  }

  int64_t take_signed() {
    constexpr unsigned kMore = 0x40, kBits = 6, kMask = 0x3f, kMaxShift = 30;
    uint64_t value = 0;
    for (unsigned shift = 0; !rest_.empty() && shift <= kMaxShift; shift += kBits) {
      unsigned byte = take();
      value |= uint64_t{byte & kMask} << shift;
      if ((byte & kMore) == 0) break;
    }
    auto magnitude = static_cast<int64_t>(value >> 1);
    return (value & 1) != 0 ? -magnitude : magnitude;
  }

  std::span<const std::byte> rest_;
};

void put_utf8(std::string& text, uint32_t c) {
  constexpr uint32_t kOneByte = 0x80, kTwoBytes = 0x800, kThreeBytes = 0x10000;
  auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  auto rest = [&](unsigned shift) { put(0x80 | (c >> shift & 0x3f)); };
  if (c < kOneByte) return put(c);
  if (c < kTwoBytes) return put(0xc0 | c >> 6), rest(0);
  if (c < kThreeBytes) return put(0xe0 | c >> 12), rest(6), rest(0);
  put(0xf0 | (c >> 18 & 7)), rest(12), rest(6), rest(0);
}

/// For characters of this many bytes each.
std::string utf8_of(std::span<const std::byte> characters, size_t width) {
  std::string text;
  for (size_t at = 0; at + width <= characters.size(); at += width) {
    uint32_t c = 0;
    for (size_t i = 0; i < width; i++) c |= std::to_integer<uint32_t>(characters[at + i]) << (8 * i);
    put_utf8(text, c);
  }
  return text;
}

/// A str object in its compact form, which all names in code objects have. nullopt: it is none, or cannot be read.
std::optional<std::string> text_of(uint64_t address, const PythonLayout& layout, Memory& memory) {
  constexpr uint32_t kKindShift = 2, kKindMask = 7, kCompact = 0x20, kAscii = 0x40, kWidest = 4;
  auto length = value_at<uint64_t>(address + layout.text_length, memory);
  auto state = value_at<uint32_t>(address + layout.text_state, memory);
  if (!length || !state || (*state & kCompact) == 0) return std::nullopt;
  uint32_t width = *state >> kKindShift & kKindMask;
  if (width == 0 || width == 3 || width > kWidest) return std::nullopt;
  std::vector<std::byte> characters(std::min<uint64_t>(*length, kMaxCharacters) * width);
  uint64_t start = address + ((*state & kAscii) != 0 ? layout.ascii_start : layout.compact_start);
  if (memory.read(Addr{start}, characters).bytes != characters.size()) return std::nullopt;
  return utf8_of(characters, width);
}

/// Whether an object's type has the name "code".
bool is_code(uint64_t address, const PythonLayout& layout, Memory& memory) {
  constexpr std::string_view kName("code", 5);
  std::array<char, kName.size()> name{};
  auto type = value_at<uint64_t>(address + layout.type, memory);
  auto at = type ? value_at<uint64_t>(*type + layout.type_name, memory) : std::nullopt;
  return at && memory.read(Addr{*at}, std::as_writable_bytes(std::span(name))).bytes == name.size() &&
         std::string_view(name.data(), name.size()) == kName;
}

std::vector<std::byte> bytes_of(uint64_t address, const PythonLayout& layout, Memory& memory) {
  auto size = value_at<uint64_t>(address + layout.bytes_size, memory);
  std::vector<std::byte> bytes(size && *size <= kMaxTableBytes ? *size : 0);
  bytes.resize(memory.read(Addr{address + layout.bytes_start}, bytes).bytes);
  return bytes;
}

}  // namespace

uint32_t python_line(std::span<const std::byte> table, uint32_t first_line, int64_t instruction) {
  if (instruction < 0) return first_line;
  Locations locations(table);
  int64_t line = first_line, end = 0;
  while (auto entry = locations.next()) {
    line += entry->line_delta;
    end += entry->instructions;
    if (instruction < end) return entry->has_line && line > 0 ? static_cast<uint32_t>(line) : 0;
  }
  return 0;
}

uint32_t PythonCodes::line_of(const PythonCode& code, uint64_t instruction, Memory& memory) const {
  auto distance = static_cast<int64_t>(instruction - code.bytecode);
  return python_line(bytes_of(code.line_table, layout_, memory), code.first_line,
                     distance < 0 ? -1 : distance / static_cast<int64_t>(kInstructionBytes));
}

const PythonCode* PythonCodes::at(uint64_t address, Memory& memory) {
  auto [known, is_new] = known_.try_emplace(address);
  if (is_new) known->second = read(address, memory);
  return known->second ? &*known->second : nullptr;
}

std::optional<PythonCode> PythonCodes::read(uint64_t address, Memory& memory) const {
  auto word = [&](uint64_t offset) { return value_at<uint64_t>(address + offset, memory).value_or(0); };
  if (!is_code(address, layout_, memory)) return std::nullopt;
  auto file = text_of(word(layout_.file_name), layout_, memory), name = text_of(word(layout_.name), layout_, memory);
  if (!file || !name) return std::nullopt;
  auto first_line = value_at<uint32_t>(address + layout_.first_line, memory).value_or(0);
  return PythonCode{std::move(*file), std::move(*name), first_line, address + layout_.bytecode,
                    word(layout_.line_table)};
}

}  // namespace strut

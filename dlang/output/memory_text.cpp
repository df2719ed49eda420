// Text of values in memory: structures and arrays that trace() records, dumps.
#include <algorithm>
#include <charconv>
#include <optional>

#include "dlang/language/characters.hpp"
#include "dlang/output/format_text.hpp"

namespace strut {
namespace {

bool is_text_byte(char c) { return is_printable(c) || is_blank(c) || c == '\a' || c == '\b'; }

/// The text in an array of bytes, which zeros may follow; nullopt: it is none.
std::optional<std::string_view> text_in(std::string_view bytes) {
  std::string_view text = bytes.substr(0, bytes.find('\0'));
  bool is_text = !text.empty() && std::ranges::all_of(text, is_text_byte);
  return is_text && bytes.find_first_not_of('\0', text.size()) == std::string_view::npos ? std::optional(text)
                                                                                         : std::nullopt;
}

}  // namespace

void DFormatText::key(std::string& out, const DItem& item, Columns how) {
  if (item.shape.kind != DShape::Kind::Bytes) return plain(out, item, how);
  DItem value = item;
  value.shape = {DShape::Kind::Bytes};
  bytes(out, value, how);
}

void DFormatText::bytes(std::string& out, const DItem& array, Columns how) {
  std::string_view bytes = array.text;
  std::optional<int64_t> number = array.shape.bytes != 1 ? number_in(bytes) : std::nullopt;
  if (number)
    return plain(out,
                 {.shape = {DShape::Kind::Integer, static_cast<uint32_t>(bytes.size()), true},
                  .integer = static_cast<uint64_t>(*number)},
                 how);
  auto text = style_.raw_bytes ? std::nullopt : text_in(bytes);
  if (!text) return dump(out, bytes);
  plain(out, {.shape = {DShape::Kind::Text}, .text = *text}, how);
}

void DFormatText::dump(std::string& out, std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += "\n            ";
  for (char digit : std::string_view(kDigits, 16)) out += {' ', digit, ' '};
  out += " 0123456789abcdef\n";
  for (size_t from = 0; from < bytes.size(); from += 16) {
    std::string_view row = bytes.substr(from, 16);
    char offset[16];
    char* end = std::to_chars(offset, offset + sizeof offset, from, 16).ptr;
    padded_into(out, {offset, static_cast<size_t>(end - offset)}, 10, false);
    out += ": ";
    for (size_t i = 0; i < 16; i++) {
      auto byte = i < row.size() ? static_cast<unsigned char>(row[i]) : 0;
      if (i < row.size()) out += {kDigits[byte >> 4], kDigits[byte & 15], ' '};
      else out += "   ";
    }
    out += ' ';
    for (char c : row) out += is_printable(c) ? c : '.';
    out += '\n';
  }
}

}  // namespace strut

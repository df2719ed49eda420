#include "dlang/output/format_text.hpp"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "dlang/language/characters.hpp"
#include "dlang/output/printed_type.hpp"

namespace strut {
namespace {

/// The low bytes of a value, as many as its type has: %x of a negative int.
uint64_t unsigned_bits(const DItem& item) {
  if (item.shape.kind != DShape::Kind::Integer || item.shape.bytes >= 8) return item.integer;
  return item.integer & ((uint64_t{1} << (item.shape.bytes * 8)) - 1);
}

int base_of_letter(char letter) {
  return letter == 'o' ? 8 : letter == 'x' || letter == 'X' || letter == 'p' ? 16 : 10;
}

/// Sign, prefix, digits, put together as printf(3) does.
struct NumberParts {
  std::string_view sign;
  std::string_view prefix;
  std::string digits;
};

NumberParts parts_of(const DConversion& how, const DItem& item) {
  NumberParts parts;
  bool decimal = how.letter == 'd' || how.letter == 'i';
  bool is_signed = decimal && item.shape.is_signed;
  bool negative = is_signed && static_cast<int64_t>(item.integer) < 0;
  uint64_t value = negative ? -item.integer : is_signed ? item.integer : unsigned_bits(item);
  if (negative) parts.sign = "-";
  else if (decimal && how.plus) parts.sign = "+";
  else if (decimal && how.blank) parts.sign = " ";
  char digits[24];
  int base = base_of_letter(how.letter);
  char* end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  if (how.letter == 'X')
    std::transform(digits, end, digits, [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  parts.digits.assign(digits, end);
  if (how.precision == 0 && value == 0) parts.digits.clear();
  if (how.precision > static_cast<int>(parts.digits.size()))
    parts.digits.insert(0, static_cast<size_t>(how.precision) - parts.digits.size(), '0');
  if (how.alternate && base == 8 && !parts.digits.starts_with('0')) parts.digits.insert(0, 1, '0');
  if (how.alternate && base == 16 && value != 0) parts.prefix = how.letter == 'X' ? "0X" : "0x";
  return parts;
}

void escape_into(std::string& out, unsigned char byte) {
  static constexpr char kNamed[] = "\a\b\f\n\r\t\v\\\"", kLetters[] = "abfnrtv\\\"";
  auto digit = [byte](int shift) { return static_cast<char>('0' + (byte >> shift & 7)); };
  out += '\\';
  if (const char* named = byte == 0 ? nullptr : std::strchr(kNamed, byte)) out += kLetters[named - kNamed];
  else out += {digit(6), digit(3), digit(0)};
}

/// How many bytes at the beginning are one character of UTF-8 beyond ASCII and beyond the C1 controls; 0: they are
/// none.
size_t utf8_bytes(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t length = byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc2 ? 2 : 0;
  if (byte(0) >= 0xf5 || length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; i++)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return byte(0) == 0xc2 && byte(1) < 0xa0 ? 0 : length;
}

/// By bytes of the integer.
constexpr int kTraceWidths[] = {0, 3, 5, 0, 10, 0, 0, 0, 19};
constexpr int kKeyWidths[] = {0, 3, 5, 0, 8, 0, 0, 0, 16};
constexpr int kTextWidths[] = {0, 33, 50};  // by Columns

/// The conversion, without the text before it, with the width and the precision of `*` in it: the next items.
template <typename NextItem>
DConversion with_items(const DConversion& written, NextItem item) {
  DConversion how{.letter = written.letter,
                  .left = written.left,
                  .plus = written.plus,
                  .blank = written.blank,
                  .alternate = written.alternate,
                  .zero = written.zero,
                  .width = written.width,
                  .precision = written.precision};
  auto take_item = [&](bool is_item, int32_t& value) {
    auto given = is_item ? item() : std::nullopt;
    if (given)
      value = static_cast<int32_t>(std::clamp<int64_t>(static_cast<int64_t>(given->integer), -kMaxWidth, kMaxWidth));
  };
  take_item(written.width_is_item, how.width);
  take_item(written.precision_is_item, how.precision);
  if (how.width < 0 && written.width_is_item) {  // printf(3): a negative width is the flag - and its amount
    how.left = true;
    how.width = -how.width;
  }
  return how;
}

}  // namespace

void padded_into(std::string& out, std::string_view text, int width, bool left) {
  size_t padding = width > 0 && text.size() < static_cast<size_t>(width) ? static_cast<size_t>(width) - text.size() : 0;
  if (!left) out.append(padding, ' ');
  out += text;
  if (left) out.append(padding, ' ');
}

void decimal_into(std::string& out, int64_t value, int width) {
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  padded_into(out, {digits, static_cast<size_t>(end - digits)}, width, false);
}

std::string escaped_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (is_printable(c) && c != '\\' && c != '"') out += c;
    else escape_into(out, static_cast<unsigned char>(c));
  }
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto byte = static_cast<unsigned char>(text[0]);
    size_t taken = byte >= 0x80                                                  ? utf8_bytes(text)
                   : is_printable(text[0]) || text[0] == '\n' || text[0] == '\t' ? 1
                                                                                 : 0;
    if (taken == 0) escape_into(out, byte);
    out += text.substr(0, taken);
    text.remove_prefix(std::max<size_t>(taken, 1));
  }
  return out;
}

std::string time_text(int64_t ns, char letter) {
  time_t seconds = ns / 1'000'000'000 - (ns % 1'000'000'000 < 0 ? 1 : 0);
  tm parts{};
  char text[64];
  if (localtime_r(&seconds, &parts) == nullptr) return std::to_string(ns);
  size_t size = strftime(text, sizeof text, letter == 'Y' ? "%Y %b %e %T" : "%a, %d %b %Y %T %z", &parts);
  return {text, size};
}

std::string DFormatText::shown(std::string_view text) const {
  return style_.escape_controls ? without_controls(text) : std::string(text);
}

void DFormatText::integer(std::string& out, const DConversion& how, const DItem& item) {
  NumberParts parts = parts_of(how, item);
  size_t size = parts.sign.size() + parts.prefix.size() + parts.digits.size();
  size_t padding = how.width > 0 && size < static_cast<size_t>(how.width) ? static_cast<size_t>(how.width) - size : 0;
  bool zeros = how.zero && !how.left && how.precision < 0;
  if (!how.left && !zeros) out.append(padding, ' ');
  out += parts.sign;
  out += parts.prefix;
  if (zeros) out.append(padding, '0');
  out += parts.digits;
  if (how.left) out.append(padding, ' ');
}

void DFormatText::character(std::string& out, const DConversion& how, const DItem& item) {
  auto c = static_cast<char>(item.integer);
  std::string text(1, c);
  if (how.letter == 'C' && !is_printable(c)) text = escaped_text(text);
  padded_into(out, how.letter == 'c' ? shown(text) : text, how.width, how.left);
}

void DFormatText::characters(std::string& out, const DConversion& how, std::string_view text) {
  if (how.precision > 0) text = text.substr(0, static_cast<size_t>(how.precision));  // DTrace: %.0s is all of it
  if (how.letter == 'S') return padded_into(out, escaped_text(text), how.width, how.left);
  if (!style_.escape_controls) return padded_into(out, text, how.width, how.left);
  padded_into(out, without_controls(text), how.width, how.left);
}

void DFormatText::conversion(std::string& out, const DConversion& how, const DItem& item) {
  if (item.shape.is_stack()) return stack(out, item);
  if (item.shape.kind == DShape::Kind::CallArgument) {
    std::string text = symbolizer_.call_argument(item.text);
    if (how.precision >= 0) text.resize(std::min(text.size(), static_cast<size_t>(how.precision)));
    return padded_into(out, text, how.width, how.left);
  }
  if (item.shape.is_address() && how.letter != 'd' && how.letter != 'x' && how.letter != 'p')
    return padded_into(out, symbolizer_.name(item.process, item.integer, item.shape.kind), how.width, how.left);
  switch (how.letter) {
    case 'c':
    case 'C': return character(out, how, item);
    case 's':
    case 'S': return characters(out, how, item.text);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return padded_into(out, float_text(item.text, how.precision < 0 ? 6 : how.precision, how.letter), how.width,
                         how.left);
    case 'Y':
    case 'T': return padded_into(out, time_text(static_cast<int64_t>(item.integer), how.letter), how.width, how.left);
    default: return integer(out, how, item);
  }
}

void DFormatText::format(std::string& out, const DFormat& format, std::span<const DShape> shapes, DItemReader items) {
  size_t next = 0;
  auto item = [&]() -> std::optional<DItem> {
    return next < shapes.size() ? items.next(shapes[next++]) : std::nullopt;
  };
  for (const DConversion& written : format.conversions) {
    out += written.before;
    if (written.letter == '\0') return;
    if (!written.width_is_item && !written.precision_is_item) {
      if (auto given = item()) conversion(out, written, *given);
      continue;
    }
    DConversion how = with_items(written, item);
    if (auto given = item()) conversion(out, how, *given);
  }
}

void DFormatText::plain(std::string& out, const DItem& item, Columns how) {
  bool columns = how != Columns::None;
  int text_width = kTextWidths[static_cast<size_t>(how)];
  const int* widths = how == Columns::Key ? kKeyWidths : kTraceWidths;
  switch (item.shape.kind) {
    case DShape::Kind::Integer:
      if (columns) out += ' ';
      return decimal_into(out, static_cast<int64_t>(item.integer), columns ? widths[item.shape.bytes] : 0);
    case DShape::Kind::Text:
      if (columns) out += "  ";
      return padded_into(out, shown(item.text), text_width, true);
    case DShape::Kind::Bytes: return dump(out, item.text);
    case DShape::Kind::CallArgument:
      if (columns) out += "  ";
      out += symbolizer_.call_argument(item.text);
      return;
    case DShape::Kind::UserStack:
    case DShape::Kind::KernelStack: return stack(out, item);
    case DShape::Kind::None: return;
    default: break;
  }
  if (columns) out += "  ";
  padded_into(out, symbolizer_.name(item.process, item.integer, item.shape.kind), columns ? 50 : 0, true);
}

void DFormatText::stack(std::string& out, const DItem& item) {
  auto kind = item.shape.kind == DShape::Kind::UserStack ? DShape::Kind::UserAddress : DShape::Kind::KernelAddress;
  out += '\n';
  for (size_t i = 0; i < item.frame_count(); i++) {
    uint64_t frame = item.frame(i), address = address_of_frame(frame);
    bool returns = i != 0 && !is_interrupted_at(frame);
    out.append(style_.stack_indent, ' ');
    out += returns ? symbolizer_.name_of_return(item.process, address, kind)
                   : symbolizer_.name(item.process, address, kind);
    out += '\n';
  }
}

}  // namespace strut

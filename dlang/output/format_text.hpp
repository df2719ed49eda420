// The text of single values: printf's conversions, trace()'s columns, stacks, dumps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dlang/language/print_format.hpp"
#include "dlang/machine/record.hpp"
#include "dlang/output/text_style.hpp"

namespace strut {

/// Appends text to lines; the words of DTrace's formats.
class DFormatText {
 public:
  /// Both outlive this.
  DFormatText(DSymbolizer& symbolizer, const DTextStyle& style) : symbolizer_(symbolizer), style_(style) {}

  /// A whole format with the items that its conversions take; conversions without an item show nothing.
  void format(std::string& out, const DFormat& format, std::span<const DShape> shapes, DItemReader items);

  /// Formats one value by a conversion with known width and precision.
  void conversion(std::string& out, const DConversion& how, const DItem& item);

  /// DTrace's default widths: none, those of trace(), those of an aggregation's keys.
  enum class Columns : uint8_t { None, Trace, Key };
  /// As trace() and the keys of aggregations show it.
  void plain(std::string& out, const DItem& item, Columns columns);

  /// trace() of a structure or array: an integer if it has the size of one, text if it is text that zeros may follow,
  /// else a dump. An array of char, with a shape of 1 byte, is never an integer.
  void bytes(std::string& out, const DItem& item, Columns columns);

  /// A key of an aggregation: plain(), and of a structure or array bytes().
  void key(std::string& out, const DItem& item, Columns columns);

  /// The lines of a stack, each indented, behind a newline.
  void stack(std::string& out, const DItem& item);
  /// tracemem(): the bytes as a dump behind a newline.
  static void dump(std::string& out, std::string_view bytes);

 private:
  void integer(std::string& out, const DConversion& how, const DItem& item);
  void character(std::string& out, const DConversion& how, const DItem& item);
  void characters(std::string& out, const DConversion& how, std::string_view text);
  std::string shown(std::string_view text) const;

  DSymbolizer& symbolizer_;
  const DTextStyle& style_;
};

/// Text padded to a width: on the left, or with `left` on the right.
void padded_into(std::string& out, std::string_view text, int width, bool left);
/// A number in decimal, padded on the left.
void decimal_into(std::string& out, int64_t value, int width);

/// Bytes with unprintable ones as C escapes (%S).
std::string escaped_text(std::string_view text);
/// Escapes control characters only; newlines, tabs and UTF-8 stay.
std::string without_controls(std::string_view text);

/// Local time of nanoseconds since 1970: "2026 Nov 22 08:10:36" (%Y), or as mail has it (%T).
std::string time_text(int64_t ns, char letter);

}  // namespace strut

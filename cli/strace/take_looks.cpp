#include <climits>

#include "base/plain_text.hpp"
#include "cli/common/numbers.hpp"
#include "cli/strace/take.hpp"

namespace strut {

Taken take_columns(StraceParsing& p, std::string_view value) {
  auto number = parse_number(value, INT_MAX);
  if (!number) return invalid_argument(p, value);
  p.options.style.result_column = uint32_t(*number);
  return {};
}

Taken take_string_limit(StraceParsing& p, std::string_view value) {
  constexpr uint64_t kMost = (1u << 30) - 1;  // the limit of strace 7.2
  auto number = parse_number(value, kMost);
  if (!number) return invalid_argument(p, value);
  p.options.request.decode.max_string_bytes = *number;
  return {};
}

Taken take_colour(StraceParsing& p, std::string_view value) {
  if (same_ignoring_case(value, "auto")) p.options.colour = ColourWhen::Auto;
  else if (same_ignoring_case(value, "always")) p.options.colour = ColourWhen::Always;
  else if (same_ignoring_case(value, "never")) p.options.colour = ColourWhen::Never;
  else return invalid_argument(p, value);
  return {};
}

Taken take_hex_strings(StraceParsing& p, std::string_view value) {
  HexStrings& hex = p.options.style.hex_strings;
  p.hex.spelled = true;
  if (same_ignoring_case(value, "none")) hex = HexStrings::No;
  else if (same_ignoring_case(value, "non-ascii-chars")) hex = HexStrings::NonAsciiChars;
  else if (same_ignoring_case(value, "non-ascii")) hex = HexStrings::NonAscii;
  else if (same_ignoring_case(value, "all")) hex = HexStrings::All;
  else return invalid_argument(p, value);
  return {};
}

Taken take_names_as(StraceParsing& p, std::string_view value) {
  NamesAs& names = p.options.style.names;
  if (value == "raw") names = NamesAs::Raw;
  else if (value == "abbrev") names = NamesAs::Abbrev;
  else if (value == "verbose") names = NamesAs::Verbose;
  else return invalid_argument(p, value);
  return {};
}

namespace {
/// One of the comma-separated words of --timestamps: a format or a precision, with or without its prefix.
bool take_timestamp_word(StraceStyle& style, std::string_view word) {
  constexpr std::string_view kFormat = "format:", kPrecision = "precision:";
  bool format = word.starts_with(kFormat), precision = word.starts_with(kPrecision);
  if (format) word.remove_prefix(kFormat.size());
  if (precision) word.remove_prefix(kPrecision.size());
  if (!precision) {
    if (same_ignoring_case(word, "none")) return style.absolute_time = AbsoluteTime::No, true;
    if (same_ignoring_case(word, "time")) return style.absolute_time = AbsoluteTime::TimeOfDay, true;
    if (same_ignoring_case(word, "unix")) return style.absolute_time = AbsoluteTime::UnixTime, true;
  }
  auto digits = format ? std::nullopt : parse_precision(word);
  if (digits) style.absolute_precision = *digits;
  return digits.has_value();
}
}  // namespace

Taken take_timestamps(StraceParsing& p, std::string_view value) {
  StraceStyle& style = p.options.style;
  p.timestamps.spelled = true;
  if (style.absolute_time == AbsoluteTime::No) style.absolute_time = AbsoluteTime::TimeOfDay;
  CommaList words(value);
  while (auto word = words.next())
    if (!take_timestamp_word(style, *word)) return invalid_argument(p, value);
  return {};
}

namespace {
Taken take_precision(StraceParsing& p, Precision& precision, std::string_view value) {
  auto parsed = parse_precision(value);
  if (!parsed) return invalid_argument(p, value);
  precision = *parsed;
  return {};
}
}  // namespace

Taken take_relative_timestamps(StraceParsing& p, std::string_view value) {
  p.options.style.relative_time = true;
  return take_precision(p, p.options.style.relative_precision, value.empty() ? "us" : value);
}

Taken take_syscall_times(StraceParsing& p, std::string_view value) {
  p.options.style.call_time = true;
  return take_precision(p, p.options.style.call_precision, value.empty() ? "us" : value);
}

namespace {
/// One of the comma-separated words of --tips: an id or a format, with or without its prefix.
bool take_tips_word(StraceOptions& options, std::string_view word) {
  constexpr std::string_view kId = "id:", kFormat = "format:";
  bool id = word.starts_with(kId), format = word.starts_with(kFormat);
  if (id) word.remove_prefix(kId.size());
  if (format) word.remove_prefix(kFormat.size());
  if (!id) {
    if (same_ignoring_case(word, "none")) return options.tips = Tips::No, true;
    if (same_ignoring_case(word, "compact")) return options.tips = Tips::Compact, true;
    if (same_ignoring_case(word, "full")) return options.tips = Tips::Full, true;
  }
  if (format) return false;
  if (same_ignoring_case(word, "random")) return options.tip.reset(), true;
  auto number = parse_number(word, UINT_MAX);
  options.tip = number;
  return number.has_value();
}
}  // namespace

Taken take_tips(StraceParsing& p, std::string_view value) {
  p.options.tips = Tips::Compact;
  CommaList words(value);
  while (auto word = words.next())
    if (!take_tips_word(p.options, *word)) return invalid_argument(p, value);
  return {};
}

}  // namespace strut

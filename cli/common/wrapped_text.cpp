#include "cli/common/wrapped_text.hpp"

#include <algorithm>
#include <ranges>

namespace strut {
namespace {

/// UTF-8's continuation bytes take no column.
size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// One line of the source, every new line of it behind `indent` blanks. `column`: where the first begins.
std::string wrapped_line(std::string_view line, size_t indent, size_t columns) {
  std::string text;
  size_t column = indent;
  bool begins = true;
  for (auto part : std::views::split(line, ' ')) {
    std::string_view word(part.begin(), part.end());
    size_t width = columns_of(word);
    if (!begins && column + 1 + width > columns) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
      begins = true;
    }
    if (!begins) text += ' ';
    text += word;
    column += width + (begins ? 0 : 1);
    begins = false;
  }
  return text;
}

}  // namespace

std::string wrapped(std::string_view text, size_t columns) {
  std::string all;
  for (auto line : std::views::split(text, '\n'))
    all += wrapped_line(std::string_view(line.begin(), line.end()), 0, columns) + '\n';
  return text.empty() ? "" : all;
}

std::string hung(std::string label, std::string_view text, size_t indent, size_t columns) {
  size_t width = columns_of(label);
  if (width + 2 > indent) label += '\n' + std::string(indent, ' ');
  else label += std::string(indent - width, ' ');
  return label + wrapped_line(text, indent, columns) + '\n';
}

}  // namespace strut

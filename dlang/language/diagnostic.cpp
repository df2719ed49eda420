#include "dlang/language/diagnostic.hpp"

namespace strut {

std::string_view name_of(DTag tag) {
  static constexpr std::string_view kNames[] = {
#define TAG(name) "D_" #name,
#include "dlang/machine/error_tags.inc"
#undef TAG
  };
  return kNames[static_cast<size_t>(tag)];
}

namespace {

std::string line_of(const Diagnostic& diagnostic) { return "line " + std::to_string(diagnostic.at.line); }

std::string region_of(const Diagnostic& diagnostic) {
  switch (diagnostic.region) {
    case Diagnostic::Region::Predicate: return "in predicate: ";
    case Diagnostic::Region::Actions: return "in action list: ";
    default: return {};
  }
}

}  // namespace

std::string describe(const Diagnostic& diagnostic, TagDisplay tags, PlaceDisplay place) {
  if (diagnostic.tag == DTag::NONE) return diagnostic.message;
  std::string text;
  if (tags == TagDisplay::Shown) text = '[' + std::string(name_of(diagnostic.tag)) + "] ";
  if (!diagnostic.library.empty()) text += quoted_source(diagnostic.library, SIZE_MAX) + ", ";
  bool has_line = place == PlaceDisplay::Line || !diagnostic.library.empty();
  text += has_line ? line_of(diagnostic) + ": " : region_of(diagnostic);
  return text + diagnostic.message;
}

std::string advice(const Diagnostic& diagnostic, PlaceDisplay place) {
  std::string text = place == PlaceDisplay::Line ? "" : line_of(diagnostic) + ", ";
  text += "column " + std::to_string(diagnostic.at.column);
  return diagnostic.expected.empty() ? text : text + ": expected " + diagnostic.expected;
}

std::string quoted_source(std::string_view bytes, size_t most) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "\"";
  for (char c : bytes.substr(0, most)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else {
      text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text + (bytes.size() > most ? "\"..." : "\"");
}

std::string prototype_lines(std::string_view prototype, std::string_view argument) {
  return "\n\t prototype: " + std::string(prototype) + "\n\t  argument: " + std::string(argument);
}

void reject(DTag tag, DPosition at, std::string message, std::string expected) {
  throw DError{{tag, at, std::move(message), std::move(expected)}};
}

}  // namespace strut

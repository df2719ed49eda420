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

std::string describe(const Diagnostic& diagnostic, TagDisplay tags) {
  std::string text;
  if (tags == TagDisplay::Shown) text = '[' + std::string(name_of(diagnostic.tag)) + "] ";
  return text + "line " + std::to_string(diagnostic.at.line) + ": " + diagnostic.message;
}

std::string advice(const Diagnostic& diagnostic) {
  std::string text = "column " + std::to_string(diagnostic.at.column);
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

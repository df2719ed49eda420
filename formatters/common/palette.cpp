#include "formatters/common/palette.hpp"

#include <algorithm>
#include <optional>

namespace strut {

namespace {

/// strace(1), --color: "Recognized color keys", in the order of Ink.
constexpr std::string_view kKeys[] = {"syscall", "argname", "argval", "call", "const",
                                      "comment", "punct",   "retval", "error"};

std::optional<size_t> ink_of(std::string_view key) {
  const auto* found = std::find(std::begin(kKeys), std::end(kKeys), key);
  if (found == std::end(kKeys)) return std::nullopt;
  return static_cast<size_t>(found - std::begin(kKeys));
}

bool is_sgr(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789;") == std::string_view::npos;
}

}  // namespace

Palette parse_palette(std::string_view text) {
  Palette palette;
  while (!text.empty()) {
    std::string_view pair = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    auto ink = ink_of(pair.substr(0, equals));
    if (ink && is_sgr(pair.substr(equals + 1))) palette.sgr[*ink] = pair.substr(equals + 1);
  }
  return palette;
}

}  // namespace strut

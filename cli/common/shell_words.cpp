#include "cli/common/shell_words.hpp"

namespace strut {
namespace {

constexpr std::string_view kBlanks = " \t\n";

/// The text of a quoted string, starting after the opening quote; `at` moves past the closing one. False: there is
/// none.
bool take_quoted(std::string_view line, size_t& at, char quote, std::string& word) {
  for (; at < line.size(); at++) {
    if (line[at] == quote) return at++, true;
    bool escapes =
        quote == '"' && line[at] == '\\' && at + 1 < line.size() && std::string_view("\"\\$`\n").contains(line[at + 1]);
    if (escapes) at++;
    word += line[at];
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (size_t at = 0; at < line.size();) {
    char c = line[at++];
    if (kBlanks.contains(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'' || c == '"') {
      if (!take_quoted(line, at, c, words.back()))
        return fail({0, {}, std::string(line), std::string("a quote (") + c + ") does not end", {}});
    } else {
      if (c == '\\' && at < line.size()) c = line[at++];
      words.back() += c;
    }
  }
  return words;
}

}  // namespace strut

#include "pid-provider/probe_description.hpp"

#include <array>
#include <optional>

namespace strut {
namespace {

/// One element of a pattern against one character. `next` is where the pattern goes on, if it fits.
struct Fit {
  bool fits;
  size_t next;
};

/// The set that begins at pattern[at] == '['. nullopt: it has no end, and the bracket is an ordinary character.
std::optional<Fit> fit_set(std::string_view pattern, size_t at, char c) {
  size_t i = at + 1;
  bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (inverted) i++;
  bool found = false;
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    char low = pattern[i++];
    char high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      high = pattern[i + 1];
      i += 2;
    }
    if (low <= c && c <= high) found = true;
  }
  if (i >= pattern.size()) return std::nullopt;
  return Fit{found != inverted, i + 1};
}

Fit fit_one(std::string_view pattern, size_t at, char c) {
  if (pattern[at] == '?') return {true, at + 1};
  if (pattern[at] == '[')
    if (auto set = fit_set(pattern, at, c)) return *set;
  if (pattern[at] == '\\' && at + 1 < pattern.size()) at++;
  return {pattern[at] == c, at + 1};
}

bool field_matches(std::string_view pattern, std::string_view text) {
  return pattern.empty() || glob_matches(pattern, text);
}

}  // namespace

Result<ProbeDescription> parse_probe_description(std::string_view text, ProbeField last) {
  std::array<std::string_view, 4> fields;
  size_t count = 0;
  for (size_t from = 0;; count++) {
    size_t colon = text.find(':', from);
    if (count > static_cast<size_t>(last))
      return fail({.op = "probe description", .subject = std::string(text), .why = "it has too many fields"});
    fields[count] = text.substr(from, colon == std::string_view::npos ? colon : colon - from);
    if (colon == std::string_view::npos) break;
    from = colon + 1;
  }
  ProbeDescription description;
  std::array<std::string*, 4> into = {&description.provider, &description.module, &description.function,
                                      &description.name};
  for (size_t i = 0; i <= count; i++) *into[static_cast<size_t>(last) - count + i] = fields[i];
  return description;
}

// Only the last star is worth backtracking to: it can match all that an earlier one could.
bool glob_matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (p < pattern.size()) {
      if (Fit fit = fit_one(pattern, p, text[t]); fit.fits) {
        p = fit.next;
        t++;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    p = star;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') p++;
  return p == pattern.size();
}

bool is_glob(std::string_view field) { return field.find_first_of("*?[\\") != std::string_view::npos; }

bool matches(const ProbeDescription& description, const ProbeDescription& probe) {
  return field_matches(description.provider, probe.provider) && field_matches(description.module, probe.module) &&
         field_matches(description.function, probe.function) && field_matches(description.name, probe.name);
}

}  // namespace strut

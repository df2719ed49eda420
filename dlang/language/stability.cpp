#include "dlang/language/stability.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/plain_text.hpp"

namespace strut {
namespace {

using Level = DStability::Level;
using Class = DStability::Class;

constexpr std::string_view kLevels[] = {"Internal", "Private",  "Obsolete", "External",
                                        "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::string_view kClasses[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

constexpr DStability kStable{Level::Stable, Level::Stable, Class::Common};
constexpr DStability kEvolving{Level::Evolving, Level::Evolving, Class::Common};

/// Names with others than Stable/Stable/Common.
struct StabilityRow {
  std::string_view name;
  DStability stability;
};
constexpr StabilityRow kStabilityRows[] = {
    {"curthread", {Level::Stable, Level::Private, Class::Common}},
    {"getmajor", kEvolving},
    {"getminor", kEvolving},
    {"htonl", kEvolving},
    {"htonll", kEvolving},
    {"htons", kEvolving},
    {"ntohl", kEvolving},
    {"ntohll", kEvolving},
    {"ntohs", kEvolving},
};

std::optional<size_t> place_of(std::string_view word, std::span<const std::string_view> words) {
  auto at = std::ranges::find_if(words, [&](std::string_view known) { return same_ignoring_case(known, word); });
  return at == words.end() ? std::nullopt : std::optional(static_cast<size_t>(at - words.begin()));
}

/// Up to the next slash, which goes with it; nullopt: there is none.
std::string_view take_word(std::string_view& text) {
  size_t slash = std::min(text.find('/'), text.size());
  std::string_view word = text.substr(0, slash);
  text.remove_prefix(std::min(slash + 1, text.size()));
  return word;
}

}  // namespace

std::string_view name_of(Level level) { return kLevels[static_cast<size_t>(level)]; }
std::string_view name_of(Class dependency) { return kClasses[static_cast<size_t>(dependency)]; }

std::string spelling_of(const DStability& stability) {
  return std::string(name_of(stability.names)) + '/' + std::string(name_of(stability.semantics)) + '/' +
         std::string(name_of(stability.dependency));
}

std::optional<DStability> parse_stability(std::string_view text) {
  if (std::ranges::count(text, '/') != 2) return std::nullopt;
  auto names = place_of(take_word(text), kLevels), semantics = place_of(take_word(text), kLevels);
  auto dependency = place_of(take_word(text), kClasses);
  if (!names || !semantics || !dependency) return std::nullopt;
  return DStability{static_cast<Level>(*names), static_cast<Level>(*semantics), static_cast<Class>(*dependency)};
}

DStability least(const DStability& a, const DStability& b) {
  return {std::min(a.names, b.names), std::min(a.semantics, b.semantics), std::min(a.dependency, b.dependency)};
}

bool is_below(const DStability& stability, const DStability& least) {
  return stability.names < least.names || stability.semantics < least.semantics ||
         stability.dependency < least.dependency;
}

DStability stability_of(std::string_view name) {
  auto at = std::ranges::find(kStabilityRows, name, &StabilityRow::name);
  return at == std::end(kStabilityRows) ? kStable : at->stability;
}

}  // namespace strut

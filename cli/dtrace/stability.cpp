#include "cli/dtrace/stability.hpp"

#include <algorithm>
#include <iterator>

#include "pid-provider/probe_description.hpp"

namespace strut {
namespace {

/// From the least stable to the most stable.
enum class Level : uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
/// From the most dependent to the least.
enum class Class : uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };

constexpr std::string_view kLevels[] = {"Internal", "Private",  "Obsolete", "External",
                                        "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::string_view kClasses[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

struct Attributes {
  Level names = Level::Standard;
  Level semantics = Level::Standard;
  Class dependency = Class::Common;
};

constexpr Attributes kStandard{};
constexpr Attributes kStable{Level::Stable, Level::Stable, Class::Common};
constexpr Attributes kEvolving{Level::Evolving, Level::Evolving, Class::Common};
constexpr Attributes kEvolvingIsa{Level::Evolving, Level::Evolving, Class::Isa};
constexpr Attributes kUnstable{Level::Unstable, Level::Unstable, Class::Common};
constexpr Attributes kPrivate{Level::Private, Level::Private, Class::Unknown};

/// A provider's, from the table of its chapter in the Guide.
struct Row {
  std::string_view provider;
  Attributes itself, module, function, name, arguments;
};
constexpr Row kProviders[] = {
    {"dtrace", kStable, kPrivate, kPrivate, kStable, kStable},
    {"profile", kEvolving, kUnstable, kPrivate, kEvolving, kEvolving},
    {"syscall", kEvolving, kPrivate, kPrivate, kEvolving, kPrivate},
    {"proc", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"pid", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate},
};
constexpr Row kOther = {"", kPrivate, kPrivate, kPrivate, kPrivate, kPrivate};

const Row& row_of(std::string_view provider) {
  std::string_view name = provider.substr(0, provider.find_first_of("0123456789*"));
  auto at = std::ranges::find(kProviders, name, &Row::provider);
  return at == std::end(kProviders) ? kOther : *at;
}

Attributes least(const Attributes& a, const Attributes& b) {
  return {std::min(a.names, b.names), std::min(a.semantics, b.semantics), std::min(a.dependency, b.dependency)};
}

/// A field that a description names adds its own attributes to the provider's.
Attributes of_description(const Row& row, const ProbeDescription& description) {
  auto names = [](const std::string& field) { return !field.empty() && !is_glob(field); };
  Attributes attributes = row.itself;
  if (names(description.module)) attributes = least(attributes, row.module);
  if (names(description.function)) attributes = least(attributes, row.function);
  if (names(description.name)) attributes = least(attributes, row.name);
  return attributes;
}

std::string lines(std::string_view heading, const Attributes& attributes) {
  return "\n\t" + std::string(heading) +
         "\n\t\tIdentifier Names: " + std::string(kLevels[static_cast<size_t>(attributes.names)]) +
         "\n\t\tData Semantics:   " + std::string(kLevels[static_cast<size_t>(attributes.semantics)]) +
         "\n\t\tDependency Class: " + std::string(kClasses[static_cast<size_t>(attributes.dependency)]) + '\n';
}

}  // namespace

std::string probe_stability(const DProbe& probe) {
  const Row& row = row_of(probe.provider);
  ProbeDescription description{std::string(probe.provider), std::string(probe.module), std::string(probe.function),
                               std::string(probe.name)};
  return lines("Probe Description Attributes", of_description(row, description)) +
         lines("Argument Attributes", row.arguments);
}

std::string program_stability(std::string_view what, ProbeTable& table, const DProgram& program, uint32_t source) {
  Attributes descriptions = kStandard;
  for (const DClause& clause : program.clauses)
    for (const ProbeDescription& description : clause.probes)
      if (clause.source == source) {
        std::vector<uint32_t> ids = table.find(description);
        const std::string& provider = ids.empty() ? description.provider : table.at(ids.front()).provider;
        descriptions = least(descriptions, of_description(row_of(provider), description));
      }
  // All variables and functions that there are here have these.
  return "\nStability attributes for " + std::string(what) + ":\n" +
         lines("Minimum Probe Description Attributes", descriptions) + lines("Minimum Statement Attributes", kStable) +
         '\n';
}

}  // namespace strut

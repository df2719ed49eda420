#include "cli/dtrace/stability.hpp"

#include <algorithm>
#include <iterator>

#include "dlang/language/stability.hpp"
#include "pid-provider/probe_description.hpp"

namespace strut {
namespace {

using Attributes = DStability;
using Level = DStability::Level;
using Class = DStability::Class;

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
    {"sched", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"io", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"ip", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"tcp", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"udp", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa},
    {"pid", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate},
    {"instr", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate},
    {"watch", kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivate},
};
constexpr Row kOther = {"", kPrivate, kPrivate, kPrivate, kPrivate, kPrivate};

const Row& row_of(std::string_view provider) {
  std::string_view name = provider.substr(0, provider.find_first_of("0123456789*"));
  auto at = std::ranges::find(kProviders, name, &Row::provider);
  return at == std::end(kProviders) ? kOther : *at;
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
  return "\n\t" + std::string(heading) + "\n\t\tIdentifier Names: " + std::string(name_of(attributes.names)) +
         "\n\t\tData Semantics:   " + std::string(name_of(attributes.semantics)) +
         "\n\t\tDependency Class: " + std::string(name_of(attributes.dependency)) + '\n';
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
  Attributes statements = source < program.stabilities.size() ? program.stabilities[source] : kStable;
  return "\nStability attributes for " + std::string(what) + ":\n" +
         lines("Minimum Probe Description Attributes", descriptions) +
         lines("Minimum Statement Attributes", statements) + '\n';
}

}  // namespace strut

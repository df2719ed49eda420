#include "cli/dtrace/libraries.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "cli/dtrace/sources.hpp"
#include "dlang/language/ast.hpp"
#include "dlang/language/lexer.hpp"

namespace strut {
namespace {

namespace fs = std::filesystem;

/// By `#pragma D depends_on CLASS NAME`, wherever a line has it.
std::vector<DOption> dependencies_of(const std::string& text) {
  std::vector<DOption> dependencies;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (auto dependency = dependency_of(line)) dependencies.push_back(*std::move(dependency));
  return dependencies;
}

class Libraries {
 public:
  explicit Libraries(const DProbeTypes& probes) : probes_(probes) {}

  Result<void> read(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      std::string name = at->path().filename();
      if (!name.ends_with(".d") || at->is_directory(ignored) || found_.contains(name)) continue;
      DSource source;
      source.text = TRY(text_of_file(at->path()));
      source.library = at->path();
      std::vector<DOption> dependencies = dependencies_of(source.text);
      found_.emplace(std::move(name), Library{std::move(source), std::move(dependencies)});
    }
    if (error) return fail({error.value(), "failed to open library directory", folder, {}, {}});
    return {};
  }

  Result<std::vector<DSource>> in_order() && {
    for (auto& [name, library] : found_) TRY(place(name));
    return std::move(ordered_);
  }

 private:
  struct Library {
    DSource source;
    std::vector<DOption> dependencies;
    enum class State : uint8_t { Unseen, Open, Placed, LeftOut } state = State::Unseen;
  };

  /// Whether the library and all that it depends on are there.
  Result<bool> place(const std::string& name) {
    auto at = found_.find(name);
    if (at == found_.end()) return false;
    Library& library = at->second;
    using State = Library::State;
    if (library.state == State::Open) return fail_because("D libraries depend on each other: " + name);
    if (library.state != State::Unseen) return library.state == State::Placed;
    library.state = State::Open;
    bool has_all = true;
    for (const DOption& needed : library.dependencies)
      has_all &=
          needed.kind == DOption::Kind::Library ? TRY(place(needed.name)) : probes_.has(needed.kind, needed.name);
    library.state = has_all ? State::Placed : State::LeftOut;
    if (has_all) ordered_.push_back(std::move(library.source));
    return has_all;
  }

  const DProbeTypes& probes_;
  std::map<std::string, Library> found_;
  std::vector<DSource> ordered_;
};

}  // namespace

Result<std::vector<DSource>> d_libraries(const DSettings& settings, const DProbeTypes& probes) {
  Libraries libraries(probes);
  if (!settings.nolibs)
    for (const std::string& folder : settings.libdirs) TRY_VOID(libraries.read(folder));
  return std::move(libraries).in_order();
}

std::vector<DSource> provider_libraries(const ProbeTable& table, std::span<const DSource> sources,
                                        const DMacros& macros) {
  std::vector<ProbeDescription> descriptions;
  for (const DSource& source : sources)
    std::ranges::move(probe_descriptions_of(source, macros), std::back_inserter(descriptions));
  return table.libraries(descriptions);
}

}  // namespace strut

// The probes that providers have by themselves, with the ids that `-l` shows and firings have.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dtrace/providers/pid_variables.hpp"
#include "dtrace/providers/provider.hpp"
#include "dtrace/providers/usdt_types.hpp"

namespace strut {

/// Ids are dense from 1 and the same in every run of one strut, except those of probes requested by name; the pid
/// provider's follow (take_id).
class ProbeTable final : public DProbeTypes {
 public:
  /// `kernel`: types of the kernel's tracepoints, which outlive this; nullptr: there are none.
  explicit ProbeTable(BtfTypes* kernel = nullptr);

  /// Makes known what exists only if it is asked for by its provider, which is very much.
  void find_all();
  /// The ids of the probes that a description means, ascending. Those that exist only once they are asked for are made.
  std::vector<uint32_t> find(const ProbeDescription& description);
  /// `id` is one that find() gave, or of a probe that is always there.
  const OfferedProbe& at(uint32_t id) const { return *by_id_.at(id); }
  bool has(uint32_t id) const { return by_id_.contains(id); }
  /// An id for a probe that is stored elsewhere.
  uint32_t take_id() { return next_id_++; }

  /// Processes and commands whose statically defined probes and variables have types.
  void know_targets(std::vector<DTarget> targets) { targets_.know(std::move(targets)); }
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription& probes) const override;
  std::expected<DProgramVariableType, std::string> variable(const ProbeDescription& probes, std::string_view name,
                                                            DTypes& types) const override {
    return variables_.of(probes, name, types);
  }
  std::string condition(const ProbeDescription& probes) const override;
  /// Declarations in D for the probes that a program's descriptions may mean.
  std::vector<DSource> libraries(std::span<const ProbeDescription> descriptions) const;
  std::optional<std::vector<DArgumentType>> arguments_of(uint32_t id) const;

  /// The names closest to a field of a description that means nothing; empty: the others fields mean nothing, either.
  std::vector<std::string> close_names(const ProbeDescription& description, ProbeField field) const;
  /// All names that a field can have beside the others of a description; empty: none, or more than `most`.
  std::vector<std::string> names(const ProbeDescription& description, ProbeField field, size_t most) const;
  bool has_provider(std::string_view name) const;
  bool has(DOption::Kind kind, std::string_view name) const override;

 private:
  struct Known {
    OfferedProbe probe;
    const Provider* provider;
    uint32_t id;
  };
  void add(OfferedProbe probe, const Provider& provider);
  bool fits(const ProbeDescription& description, const Known& known) const;
  struct Asked {
    OfferedProbe probe;
    const Provider* provider;
    static void from(const Provider& provider, const ProbeDescription& description, std::vector<Asked>& all);
  };
  std::vector<Asked> asked(const ProbeDescription& description) const;
  std::vector<Asked> asked_of_each(ProbeDescription description) const;
  std::vector<Asked> meant_by(const ProbeDescription& probes) const;
  void add_new(std::vector<Asked> probes);
  std::vector<uint32_t> known_ids(const ProbeDescription& description) const;

  std::vector<std::unique_ptr<Provider>> providers_;
  std::deque<Known> known_;
  mutable TargetModules targets_;  ///< opens files when it is asked
  mutable UsdtTypes usdt_{targets_};
  mutable PidVariables variables_{targets_};
  std::map<uint32_t, const OfferedProbe*> by_id_;
  uint32_t next_id_ = 1;
};

}  // namespace strut

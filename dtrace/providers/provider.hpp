// The providers with probes that do not depend on processes: dtrace, syscall, proc, profile, rawtp, sdt,
// sched, io, ip, tcp, udp, vminfo.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dlang/language/btf_types.hpp"
#include "dlang/machine/engine.hpp"
#include "pid-provider/probe_description.hpp"

namespace strut {

/// A probe before any clause enabled it.
struct OfferedProbe {
  std::string provider, module, function, name;
  DTrigger trigger;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;
  /// The probes that are always there, in the order in which `-l` lists them.
  virtual std::vector<OfferedProbe> all() const = 0;
  /// The description in the words that its probes have.
  virtual ProbeDescription meant_by(const ProbeDescription& description) const { return description; }
  /// Probes that exist only because they are asked for: tick-7s, Solaris's spellings of calls, the kernel's
  /// tracepoints.
  virtual std::vector<OfferedProbe> asked_for([[maybe_unused]] const ProbeDescription& description) const { return {}; }
  /// The types of args[] of one of its probes; nullopt: it has none.
  virtual std::optional<std::vector<DArgumentType>> arguments([[maybe_unused]] const OfferedProbe& probe) const {
    return std::nullopt;
  }
  virtual bool has_conditions() const { return false; }
  /// An expression in D of one of its probes' arg0 …, which is not 0 where the probe fires; empty: it always does.
  virtual std::string condition([[maybe_unused]] const OfferedProbe& probe) const { return {}; }
  /// Declarations in D that types and conditions of the probes need which a description may mean. Static life.
  virtual std::string_view library_for([[maybe_unused]] const ProbeDescription& description) const { return {}; }
};

#define PROVIDER(name) std::unique_ptr<Provider> make_##name##_provider();
#define KERNEL_PROVIDER(name) std::unique_ptr<Provider> make_##name##_provider(BtfTypes& kernel);
#define PROCESS_PROVIDER(name)
#include "dtrace/providers/providers.inc"
#undef PROCESS_PROVIDER
#undef KERNEL_PROVIDER
#undef PROVIDER
/// With the process events of this name, which has static life.
std::unique_ptr<Provider> make_process_provider(std::string_view name);

/// Nanoseconds between two firings of "tick-10ms" or "profile-97", names with this `prefix`; nullopt: the name is
/// another one, or the time is shorter than 200 µs (DTrace Guide, "profile Provider").
std::optional<uint64_t> interval_of(std::string_view name, std::string_view prefix);

}  // namespace strut

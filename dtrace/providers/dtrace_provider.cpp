// The provider "dtrace": the beginning of a run, its end, faults of clauses.
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

class DtraceProvider final : public Provider {
 public:
  std::string_view name() const override { return "dtrace"; }
  std::vector<OfferedProbe> all() const override {
    return {{"dtrace", "", "", "BEGIN", {}}, {"dtrace", "", "", "END", {}}, {"dtrace", "", "", "ERROR", {}}};
  }
};

}  // namespace

std::unique_ptr<Provider> make_dtrace_provider() { return std::make_unique<DtraceProvider>(); }

}  // namespace strut

#include "cli/own_options.hpp"

namespace strut {

Result<void> take_own_option(OwnOptions& options, const ScannedOption& option) {
  std::string_view value = option.value.value_or("");
  Error error;
  if (option.id == kOwnStats) {
    error.why = "--stats needs the name of a file";
    if (value.empty()) return fail(error);
    options.stats_file = value;
    return {};
  }
  if (value == "auto")
    options.backend = BackendChoice::Auto;
  else if (value == "ptrace")
    options.backend = BackendChoice::Ptrace;
  else if (value == "kassist")
    options.backend = BackendChoice::Kassist;
  else {
    error.why = "invalid --backend argument: '" + std::string(value) + "': it is auto, ptrace or kassist";
    return fail(error);
  }
  return {};
}

}  // namespace strut

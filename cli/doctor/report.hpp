// What `strut doctor` has found, and its two forms.
#pragma once

#include <string>
#include <vector>

#include "base/finding.hpp"

namespace strut {

struct BackendReport {
  std::string name;
  std::vector<Finding> findings;
  /// True if nothing that the backend needs is missing.
  bool works() const;
};

struct DoctorReport {
  std::string system;  ///< "Linux 6.18.2 x86_64"
  std::vector<BackendReport> backends;
  /// True if a backend works.
  bool can_trace() const;
};

std::string doctor_text(const DoctorReport& report);
/// One JSON object in a line (docs/json.md).
std::string doctor_json(const DoctorReport& report);

}  // namespace strut

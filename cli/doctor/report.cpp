#include "cli/doctor/report.hpp"

#include <algorithm>

#include "cli/common/message.hpp"
#include "cli/personality.hpp"
#include "formatters/json/value.hpp"
#include "formatters/json/writer.hpp"

namespace strut {
namespace {

constexpr size_t kStateColumns = 8;

/// How a state is called in the text and in JSON.
struct StateWords {
  const char* text;
  const char* json;
};
StateWords words_for(Finding::State state) {
  switch (state) {
    case Finding::State::Works: return {"yes", "works"};
    case Finding::State::Limited: return {"limited", "limited"};
    case Finding::State::Missing: return {"NO", "missing"};
  }
  return {"?", "unknown"};
}

std::string line_of(const Finding& finding) {
  std::string state = words_for(finding.state).text;
  state.resize(std::max(state.size(), kStateColumns), ' ');
  std::string text = "  " + state + " " + printable(finding.feature);
  if (!finding.why.empty()) text += ": " + printable(finding.why);
  if (finding.advice.empty()) return text + "\n";
  return text + "\n  " + std::string(kStateColumns, ' ') + "   " + printable(finding.advice) + "\n";
}

void put(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  json.member("feature", finding.feature);
  json.member("state", words_for(finding.state).json);
  json.key("needed");
  json.boolean(finding.needed);
  if (!finding.why.empty()) json.member("why", finding.why);
  if (!finding.advice.empty()) json.member("advice", finding.advice);
  json.end_object();
}

void put(JsonWriter& json, const BackendReport& backend) {
  json.begin_object();
  json.member("backend", backend.name);
  json.key("works");
  json.boolean(backend.works());
  json.key("features");
  json.begin_array();
  for (const Finding& finding : backend.findings) put(json, finding);
  json.end_array();
  json.end_object();
}

}  // namespace

bool BackendReport::works() const {
  return std::ranges::all_of(
      findings, [](const Finding& finding) { return !finding.needed || finding.state == Finding::State::Works; });
}

bool DoctorReport::can_trace() const {
  return std::ranges::any_of(backends, [](const BackendReport& backend) { return backend.works(); });
}

std::string doctor_text(const DoctorReport& report) {
  std::string text = printable(report.system) + "\n";
  for (const BackendReport& backend : report.backends) {
    text += "\nbackend " + backend.name + ": " + (backend.works() ? "works" : "does not work") + "\n";
    for (const Finding& finding : backend.findings) text += line_of(finding);
  }
  return text;
}

std::string doctor_json(const DoctorReport& report) {
  TextBuffer text;
  JsonWriter json(text);
  json.begin_object();
  json.member("strut", kVersion);
  json.member("system", report.system);
  json.key("backends");
  json.begin_array();
  for (const BackendReport& backend : report.backends) put(json, backend);
  json.end_array();
  json.end_object();
  return std::string(text.view()) + "\n";
}

}  // namespace strut

// What `strut doctor` prints.
#include <doctest/doctest.h>

#include "cli/doctor/report.hpp"
#include "cli/personality.hpp"

namespace strut::test {
namespace {

DoctorReport report_with(Finding::State needed) {
  DoctorReport report{"Linux 6.1 x86_64", {}};
  report.backends.push_back({"ptrace", {{"trace a child", needed, true, "not \"permitted\"", "be root"}}});
  return report;
}

}  // namespace

TEST_CASE("doctor: a backend works unless something that it needs does not") {
  CHECK(report_with(Finding::State::Works).can_trace());
  CHECK_FALSE(report_with(Finding::State::Missing).can_trace());
  DoctorReport limited = report_with(Finding::State::Works);
  limited.backends[0].findings.push_back({"stacks", Finding::State::Missing, false, {}, {}});
  CHECK(limited.can_trace());
}

TEST_CASE("doctor: text has a line for each feature, and one for a remedy") {
  CHECK(doctor_text(report_with(Finding::State::Missing)) ==
        "Linux 6.1 x86_64\n\nbackend ptrace: does not work\n"
        "  NO       trace a child: not \"permitted\"\n"
        "             be root\n");
}

TEST_CASE("doctor: JSON is one object in a line") {
  CHECK(doctor_json(report_with(Finding::State::Missing)) ==
        std::string("{\"strut\":\"") + kVersion +
            "\",\"system\":\"Linux 6.1 x86_64\",\"backends\":[{\"backend\":\"ptrace\",\"works\":false,\"features\":["
            "{\"feature\":\"trace a child\",\"state\":\"missing\",\"needed\":true,\"why\":\"not \\\"permitted\\\"\","
            "\"advice\":\"be root\"}]}]}\n");
}

}  // namespace strut::test

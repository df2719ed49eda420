#include "kassist/functions/support.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/owned_fd.hpp"
#include "kassist/functions/programs.hpp"
#include "kassist/loader/file_size_limit.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "kassist/uprobes/uretprobes.hpp"

namespace strut {

namespace {

using State = Finding::State;

constexpr const char* kPtraceWorks = "--backend=ptrace traces functions by breakpoints";
constexpr const char* kProbes = "probes at functions (uprobes)";

Finding works(const char* feature, std::string remark = {}) {
  return {feature, State::Works, false, std::move(remark), {}};
}
Finding limited(const char* feature, const char* instead, const char* since) {
  return {feature, State::Limited, false, instead, since};
}
Finding missing(const char* feature, std::string why) {
  return {feature, State::Missing, false, std::move(why), kPtraceWorks};
}

/// In a file that no process maps, so that it is never hit.
Result<std::vector<RefusedUprobe>> arm_one(UprobeMechanism mechanism, Uprobes& uprobes) {
  constexpr size_t kPage = 4096;
  OwnedFd program = empty_uprobe_program(mechanism), file(::memfd_create("strut_doctor", MFD_CLOEXEC));
  if (!program) return fail({-program.number(), "bpf(BPF_PROG_LOAD)", {}, {}, {}});
  FileSizeLimitRaised limit;
  if (!file || ::ftruncate(file.number(), kPage) != 0) return fail({errno, "memfd_create", {}, {}, {}});
  return uprobes.arm(program.number(), mechanism,
                     {"/proc/self/fd/" + std::to_string(file.number()), {{0, 0}}, UprobeRequest::When::Executed, {}});
}

Finding check_probes(UprobeMechanism mechanism) {
  Uprobes uprobes;
  auto armed = arm_one(mechanism, uprobes);
  if (!armed) return missing(kProbes, describe(armed.error()));
  if (!armed->empty()) return missing(kProbes, std::strerror(armed->front().error));
  if (mechanism == UprobeMechanism::Multi) return works(kProbes);
  return limited(kProbes, "one by one, a tenth of a second each at the end", "thousands at once need Linux 6.6");
}

Finding check_sessions(UprobeMechanism mechanism) {
  constexpr const char* kFeature = "entry and return by one probe (sessions)";
  if (mechanism == UprobeMechanism::Multi && uprobe_sessions()) return works(kFeature);
  return limited(kFeature, "two are armed", "needs Linux 6.13");
}

Finding check_filters(UprobeMechanism mechanism) {
  constexpr const char* kFeature = "each process armed by itself";
  if (process_filters_work(mechanism)) return works(kFeature);
  return limited(kFeature, "who else has the same files mapped pays for the probes", "needs Linux 6.10");
}

Finding check_returns() {
  constexpr const char* kFeature = "returns by their return addresses";
  if (uretprobes_are_harmless()) return works(kFeature);
  return limited(kFeature,
                 "they are seen at the instructions that return: this kernel's way ends processes with seccomp filters",
                 "Linux before 6.11, or a newer one that seccomp knows of, has both");
}

Result<void> load(const TraceRequest& request) {
  Tuning tuning;
  FunctionPrograms functions = TRY(FunctionPrograms::open(request, {}));
  Programs programs = TRY(Programs::load(tuning, functions.types_wanted()));
  TRY_VOID(functions.load(tuning, programs));
  return functions.attach();
}

Finding check_programs() {
  constexpr const char* kFeature = "the programs for functions, loaded";
  TraceRequest request;
  uint64_t began = monotonic_ns();
  Result<void> loaded = load(request);
  if (!loaded) return missing(kFeature, describe(loaded.error()));
  char took[32];
  std::snprintf(took, sizeof took, "in %.1f ms", static_cast<double>(monotonic_ns() - began) / 1e6);
  return works(kFeature, took);
}

}  // namespace

std::vector<Finding> check_kassist_functions() {
  auto mechanism = uprobe_mechanism();
  if (!mechanism) return {missing(kProbes, describe(mechanism.error()))};
  if (auto obstacle = uprobe_obstacle()) return {missing(kProbes, obstacle->why)};
  Finding probes = check_probes(*mechanism);
  if (probes.state == State::Missing) return {probes};
  return {probes, check_sessions(*mechanism), check_filters(*mechanism), check_returns(), check_programs()};
}

}  // namespace strut

#include "cli/common/run_facts.hpp"

#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

Pid parent_of(Pid pid) {
  auto status = process_status(leader_of(pid));
  return status ? status->parent : Pid{};
}

}  // namespace

RunFacts facts_of(const Called& called, std::span<const std::string> words) {
  std::vector<std::string> argv{called.program};
  if (called.tool != called.program) argv.push_back(called.name);
  argv.insert(argv.end(), words.begin(), words.end());
  return {kVersion, called.name, std::move(argv), TracerProcess::known().pid, parent_of};
}

}  // namespace strut

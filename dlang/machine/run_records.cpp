// Steps: records.
#include "dlang/machine/run.hpp"

namespace strut {

void DSteps::Record(DRun& run, const DInstruction& i) { run.record.begin(static_cast<uint32_t>(i.imm)); }
void DSteps::PutInteger(DRun& run, const DInstruction& i) { run.record.integer(run.r[i.a]); }
void DSteps::PutText(DRun& run, const DInstruction& i) { run.record.text(run.t[i.a]); }
void DSteps::PutBytes(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.b];
  if (const std::byte* from = run.scratch_at(run.r[i.a], bytes))
    run.record.text({reinterpret_cast<const char*>(from), bytes});
}
void DSteps::PutUserStack(DRun& run, const DInstruction& i) {
  run.record.stack(run.process(), run.user_frames(run.r[i.a]));
}
void DSteps::PutKernelStack(DRun& run, const DInstruction& i) { run.record.stack(0, run.kernel_frames(run.r[i.a])); }
void DSteps::PutAddress(DRun& run, const DInstruction& i) { run.record.address(run.process(), run.r[i.a]); }
void DSteps::PutKernelAddress(DRun& run, const DInstruction& i) { run.record.address(0, run.r[i.a]); }

void DSteps::Speculation(DRun& run, const DInstruction& i) {
  bool is_free = run.speculations.size() < run.program.settings.nspec;
  if (is_free) run.speculations[++run.last_speculation] = DRun::Speculation::Open;
  else run.failed_speculations++;
  run.r[i.a] = is_free ? run.last_speculation : 0;
}
void DSteps::Speculate(DRun& run, const DInstruction& i) {
  auto at = run.speculations.find(run.r[i.b]);
  run.r[i.a] = at != run.speculations.end() && at->second == DRun::Speculation::Open;
}
void DSteps::EndSpeculation(DRun& run, const DInstruction& i) {
  auto at = run.speculations.find(run.r[i.b]);
  run.r[i.a] =
      at != run.speculations.end() && std::exchange(at->second, DRun::Speculation::Ended) == DRun::Speculation::Open;
}

void DSteps::Exit(DRun& run, const DInstruction& i) {
  run.exit_status = static_cast<int32_t>(run.r[i.a]);
  run.left = true;
}

}  // namespace strut

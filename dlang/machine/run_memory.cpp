// Steps: scratch memory, the target's memory.
#include <algorithm>

#include "dlang/machine/run.hpp"

namespace strut {
namespace {

/// How many bytes a register allows, at most `most`.
uint64_t bounded(DRun& run, int32_t reg, uint64_t most) {
  return reg < 0 ? most : std::min(run.r[static_cast<size_t>(reg)], most);
}

/// Copies target memory; false: the run has failed where it cannot be read.
bool read_target(DRun& run, uint64_t from, std::byte* to, uint64_t bytes) {
  if (bytes == 0) return true;
  ReadOutcome outcome = run.context->memory().read(Addr{from}, {to, bytes});
  if (outcome.bytes >= bytes) return true;
  run.fail(DFault::BadAddress, from + outcome.bytes);
  return false;
}

}  // namespace

void DSteps::Allocate(DRun& run, const DInstruction& i) {
  if (auto address = run.allocate(run.r[i.b])) run.r[i.a] = *address;
}

void DSteps::CopyIn(DRun& run, const DInstruction& i) {
  uint64_t from = run.r[i.b], bytes = run.r[i.c];
  auto address = run.allocate(bytes);
  if (!address || !read_target(run, from, run.scratch_at(*address, bytes), bytes)) return;
  run.r[i.a] = *address;
}

void DSteps::CopyInTo(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.b];
  if (std::byte* to = run.scratch_at(run.r[i.c], bytes)) read_target(run, run.r[i.a], to, bytes);
}

void DSteps::CopyInPart(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[static_cast<size_t>(i.imm)];
  std::byte* to = run.scratch_at(run.r[i.c], bytes);
  if (to == nullptr) return;
  run.r[i.a] =
      bytes == 0 ? 0 : std::min<uint64_t>(bytes, run.context->memory().read(Addr{run.r[i.b]}, {to, bytes}).bytes);
}

void DSteps::CopyInText(DRun& run, const DInstruction& i) {
  uint64_t from = run.r[i.b], most = bounded(run, i.imm, run.text_bytes - 1);
  char* to = run.place(i.a);
  size_t read = most == 0 ? 0 : run.context->memory().read_string(Addr{from}, {to, most}).bytes;
  size_t length = strnlen(to, read);
  // Neither the string's end nor the requested length was reached: the string runs into unreadable memory.
  if (length == read && read < most) return run.fail(DFault::BadAddress, from + read);
  run.t[i.a] = {to, length};
}

void DSteps::ScratchText(DRun& run, const DInstruction& i) {
  std::span<const std::byte> memory = run.memory_from(run.r[i.b]);
  if (memory.empty()) return run.fail(DFault::BadAddress, run.r[i.b]);
  uint64_t most = std::min<uint64_t>(bounded(run, i.imm, run.text_bytes - 1), memory.size());
  const char* from = reinterpret_cast<const char*>(memory.data());
  run.set_text(i.a, {from, strnlen(from, most)});
}

void DSteps::ScratchStore(DRun& run, const DInstruction& i) {
  uint64_t bytes = std::min<uint64_t>(run.t[i.b].size() + 1, run.r[static_cast<size_t>(i.imm)]);
  std::byte* to = run.scratch_at(run.r[i.a], bytes);
  if (to == nullptr || bytes == 0) return;
  std::memcpy(to, run.t[i.b].data(), std::min<uint64_t>(bytes, run.t[i.b].size()));
  if (bytes > run.t[i.b].size()) to[bytes - 1] = std::byte{0};
}

void DSteps::ScratchCopy(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.c];
  const std::byte* from = run.scratch_at(run.r[i.a], bytes);
  std::byte* to = from == nullptr ? nullptr : run.scratch_at(run.r[i.b], bytes);
  if (to != nullptr) std::memmove(to, from, bytes);
}

void DSteps::Load(DRun& run, const DInstruction& i) {
  auto bytes = static_cast<size_t>(i.imm & ~kSignedWidth);
  const std::byte* from = run.scratch_at(run.r[i.b], bytes);
  if (from == nullptr) return;
  run.r[i.a] = 0;
  std::memcpy(&run.r[i.a], from, bytes);
  if ((i.imm & kSignedWidth) == 0 || bytes == 8) return;
  auto shift = static_cast<int>(64 - bytes * 8);
  run.r[i.a] = static_cast<uint64_t>(static_cast<int64_t>(run.r[i.a] << shift) >> shift);
}

void DSteps::Store(DRun& run, const DInstruction& i) {
  auto bytes = static_cast<size_t>(i.imm & ~kSignedWidth);
  if (std::byte* to = run.scratch_at(run.r[i.a], bytes)) std::memcpy(to, &run.r[i.b], bytes);
}

// -- changes of the target -----------------------------------------------------------------------------------------

void DSteps::Raise(DRun& run, const DInstruction& i) {
  if (!run.context->raise(static_cast<int64_t>(run.r[i.a]))) run.fail(DFault::IllegalOperation);
}
void DSteps::Stop(DRun& run, const DInstruction&) {
  if (!run.context->stop()) run.fail(DFault::IllegalOperation);
}
void DSteps::Chill(DRun& run, const DInstruction& i) {
  if (run.r[i.a] > kLongestChill_ns || !run.context->chill(run.r[i.a])) run.fail(DFault::IllegalOperation);
}
void DSteps::CopyOut(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.c];
  const std::byte* from = run.scratch_at(run.r[i.a], bytes);
  if (from == nullptr || bytes == 0) return;
  if (!run.context->write_memory(Addr{run.r[i.b]}, {from, bytes})) run.fail(DFault::BadAddress, run.r[i.b]);
}
void DSteps::CopyOutText(DRun& run, const DInstruction& i) {
  std::string text(run.t[i.a]);
  uint64_t bytes = bounded(run, i.imm, text.size() + 1);  // with the NUL that std::string has
  if (bytes == 0) return;
  std::span<const std::byte> out(reinterpret_cast<const std::byte*>(text.c_str()), bytes);
  if (!run.context->write_memory(Addr{run.r[i.b]}, out)) run.fail(DFault::BadAddress, run.r[i.b]);
}

}  // namespace strut

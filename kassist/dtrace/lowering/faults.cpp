// Lowering: where an instruction's fault leads.
#include <algorithm>
#include <cstddef>
#include <set>

#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

/// The effect of an instruction that may be run a second time.
enum class RepeatEffect : uint8_t { None, Once, StoresMemory, Loads, Stores };

RepeatEffect repeat_effect_of(DOp op) {
  switch (op) {
    case DOp::Aggregate:
    case DOp::Speculation:
    case DOp::EndSpeculation:
    case DOp::Exit:
    case DOp::Raise:
    case DOp::Stop:
    case DOp::Chill:
    case DOp::CopyOut:
    case DOp::CopyOutText: return RepeatEffect::Once;
    case DOp::Store:
    case DOp::ScratchStore:
    case DOp::ScratchCopy:
    case DOp::CopyInTo: return RepeatEffect::StoresMemory;
    case DOp::LoadGlobal:
    case DOp::LoadGlobalText:
    case DOp::LoadThread:
    case DOp::LoadThreadText:
    case DOp::LoadElement:
    case DOp::LoadElementText: return RepeatEffect::Loads;
    case DOp::StoreGlobal:
    case DOp::StoreGlobalText:
    case DOp::StoreThread:
    case DOp::StoreThreadText:
    case DOp::StoreElement:
    case DOp::StoreElementText: return RepeatEffect::Stores;
    default: return RepeatEffect::None;
  }
}

}  // namespace

/// Whether the clause may be run once more from its beginning after a fault here: D_AGAIN, D_AGAIN_ALONE or 0. Its
/// effects by then may be repeated: nothing that adds up, nothing that depends on a variable that it has changed.
uint32_t DLowering::repeatable() const {
  std::set<int32_t> loaded, stored;
  for (uint32_t i = clause_.begin; i < clause_.begin + at_; i++) {
    const DInstruction& before = program_.code[i];
    switch (repeat_effect_of(before.op)) {
      case RepeatEffect::Once: return 0;
      case RepeatEffect::StoresMemory:
        if (program_.global_bytes != 0 || !maps_.memory.is_empty()) return 0;
        break;
      case RepeatEffect::Loads: loaded.insert(before.imm); break;
      case RepeatEffect::Stores: stored.insert(before.imm); break;
      case RepeatEffect::None: break;
    }
  }
  if (std::ranges::any_of(stored, [&](int32_t variable) { return loaded.contains(variable); })) return 0;
  bool has_locals =
      std::ranges::any_of(program_.variables, [](const DVariable& v) { return v.scope == DScope::Clause; });
  return has_locals ? D_AGAIN_ALONE : D_AGAIN;
}

void DLowering::fault_unless_zero() {
  faults_.push_back({out_.label(), at_ | repeatable()});
  out_.jump(BPF_JNE, 0, 0, faults_.back().label);
}

/// Strings that the instruction reads must be there.
void DLowering::fault_at_null(const DInstruction& i) {
  std::string_view operands = row_of(i.op).operands;
  const uint8_t values[] = {i.a, i.b, i.c};
  if (operands.find('s') == std::string_view::npos) return;
  faults_.push_back({out_.label(), at_});
  Label null = faults_.back().label;
  out_.store(BPF_DW, kRun, offsetof(d_run, fault_address), 0);
  out_.move(0, static_cast<int32_t>(DFault::BadAddress));
  for (size_t k = 0; k < std::size(values); k++) {
    if (operands[k] != 's') continue;
    out_.load(BPF_W, 1, kRun, offsetof(d_run, texts) + text_place(values[k]) + offsetof(d_text, state));
    out_.jump(BPF_JEQ, 1, D_NULL, null);
  }
}

/// An argument of a statically defined probe that could not be read is the address there. Others leave d_run::unread
/// as it is.
void DLowering::fault_at_unread(uint32_t number) {
  Label read = out_.label(), unread = out_.label();
  out_.load(BPF_W, 1, kRun, offsetof(d_run, kind));
  out_.jump(BPF_JNE, 1, D_OPERANDS, read);
  out_.load(BPF_W, 1, kRun, offsetof(d_run, unread));
  out_.alu(BPF_AND, 1, 1 << number);
  out_.jump(BPF_JEQ, 1, 0, read);
  out_.load(BPF_DW, 1, kRun, offsetof(d_run, args) + number * sizeof(uint64_t));
  out_.store(BPF_DW, kRun, offsetof(d_run, fault_address), Register{1});
  out_.move(0, static_cast<int32_t>(DFault::BadAddress));
  out_.jump(unread);
  faults_.push_back({unread, at_});
  out_.bind(read);
}

void DLowering::end_and_faults() {
  Label nothing = out_.label(), fault = out_.label();
  out_.bind(end_);
  out_.load(BPF_W, 1, kRun, offsetof(d_run, used));
  out_.jump(BPF_JEQ, 1, static_cast<int32_t>(sizeof(d_record)), nothing);
  out_.move(1, kRun);
  out_.move(2, static_cast<int32_t>(index_));
  out_.call("d_commit");
  out_.bind(nothing);
  out_.load(BPF_W, 0, kRun, offsetof(d_run, left));
  out_.leave();
  if (faults_.empty()) return out_.bind(fault);
  for (const Fault& one : faults_) {
    out_.bind(one.label);
    out_.move(3, static_cast<int32_t>(one.code));
    out_.jump(fault);
  }
  out_.bind(fault);
  out_.move(1, kRun);
  out_.move(2, static_cast<int32_t>(index_));
  out_.move(4, Register{0});
  out_.call("d_faulted");
  out_.load(BPF_W, 0, kRun, offsetof(d_run, left));
  out_.leave();
}

}  // namespace strut

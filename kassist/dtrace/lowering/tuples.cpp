// Lowering: tuples, the keys of arrays and aggregations.
#include <cstddef>

#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

bool ends_tuple(DOp op) {
  return op == DOp::Aggregate || op == DOp::LoadElement || op == DOp::StoreElement || op == DOp::LoadElementText ||
         op == DOp::StoreElementText || op == DOp::AddressElement;
}

}  // namespace

bool DLowering::tuple(const DInstruction& i) {
  switch (i.op) {
    case DOp::Key:
    case DOp::KeyText:
    case DOp::KeyBytes:
    case DOp::KeyUserStack:
    case DOp::KeyKernelStack:
    case DOp::KeyAddress:
    case DOp::KeyKernelAddress:
      if (key_number(i) == 0) begin_tuple();
      if (outside_) outside_key(i);
      else key(i);
      return true;
    case DOp::Aggregate: aggregate(i); return true;
    default: return false;
  }
}

/// Looks ahead: the use of the tuple follows its keys.
void DLowering::begin_tuple() {
  key_at_ = 0;
  bool wants_stack = false;
  uint32_t at = clause_.begin + at_;
  for (; at < clause_.end && !ends_tuple(program_.code[at].op); at++)
    wants_stack |= program_.code[at].op == DOp::KeyUserStack || maps_.late.taken_by(at) != DLateValue::None;
  bool is_taken = at < clause_.end && program_.code[at].op == DOp::Aggregate;
  outside_ = is_taken && maps_.tuples[static_cast<size_t>(program_.code[at].imm)].outside;
  if (outside_) begin_outside(wants_stack || maps_.late.taken_by(at) != DLateValue::None);
}

void DLowering::begin_outside(bool wants_stack) {
  out_.store(BPF_W, kRun, offsetof(d_run, key_bytes), 0);
  out_.store(BPF_W, kRun, offsetof(d_run, key_stack), wants_stack ? 1 : 0);
}

/// The current process's id in strut's pid namespace, in register 0.
void DLowering::own_process() {
  if (restriction().pid_namespace != 0) {
    out_.move(1, kRun);
    out_.call("d_own_process");
    return;
  }
  out_.helper(BPF_FUNC_get_current_pid_tgid);
  out_.alu(BPF_RSH, 0, 32);
}

void DLowering::key(const DInstruction& i) {
  size_t place = offsetof(d_run, keys) + key_at_;
  if (i.op == DOp::Key) {
    get(1, i.a);
    out_.store(BPF_DW, kRun, place, Register{1});
    key_at_ += 8;
  } else if (i.op == DOp::KeyText) {
    out_.move(1, kRun);
    out_.move(2, static_cast<int32_t>(text_place(i.a)));
    out_.move(3, static_cast<int32_t>(key_at_));
    out_.call("d_KeyText");
    key_at_ += maps_.text_cell();
  } else if (i.op == DOp::KeyBytes) {
    key_of_bytes(i);
    key_at_ += maps_.key_bytes({DShape::Kind::Bytes, key_bytes(i)});
  } else {
    out_.move(0, 0);
    if (i.op == DOp::KeyAddress) own_process();
    out_.store(BPF_DW, kRun, place, Register{0});
    get(1, i.a);
    out_.store(BPF_DW, kRun, place + 8, Register{1});
    key_at_ += 16;
  }
}

/// A value in memory, which may have gone meanwhile: a fault.
void DLowering::key_of_bytes(const DInstruction& i) {
  get(2, i.a);
  out_.move(1, kRun);
  out_.move(3, static_cast<int32_t>(key_bytes(i)));
  out_.move(4, static_cast<int32_t>(key_at_));
  out_.call(outside_ ? "d_outside_bytes" : "d_KeyBytes");
  fault_unless_zero();
}

void DLowering::outside_word(Register from) {
  out_.move(2, from);
  out_.move(1, kRun);
  out_.call("d_outside_word");
}

/// As a record has it.
void DLowering::outside_key(const DInstruction& i) {
  switch (i.op) {
    case DOp::KeyText:
      out_.move(1, kRun);
      out_.move(2, static_cast<int32_t>(text_place(i.a)));
      return out_.call("d_outside_text");
    case DOp::KeyBytes: return key_of_bytes(i);
    case DOp::KeyKernelStack:
      out_.move(1, kRun);
      get(2, i.b);
      return out_.call("d_outside_kernel_stack");
    case DOp::KeyUserStack: return outside_user_stack(i);
    case DOp::KeyAddress:
      own_process();
      outside_word(0);
      break;
    case DOp::KeyKernelAddress:
      out_.move(3, 0);
      outside_word(3);
      break;
    default: break;
  }
  get(3, i.a);
  outside_word(3);
}

void DLowering::outside_user_stack(const DInstruction& i) {
  own_process();
  outside_word(0);
  get(3, i.b);
  out_.alu(BPF_AND, 3, 0xffff);
  out_.number(4, D_STACK_WANTED);
  out_.alu(BPF_OR, 3, Register{4});
  outside_word(3);
}

}  // namespace strut

// Lowering: tuples and aggregations.
//
// An element of an aggregation is a place in memory that many CPUs add to at the same time, so each word is changed by
// atomic instructions, and nothing that is taken is lost. Two kinds of words differ from dlang/output/aggregate.hpp's:
// those of Min and Max hold the value XORed with the worst one there is, so that a new element's 0 is that one.
#include <cstddef>

#include "kassist/dtrace/aggregates.hpp"
#include "kassist/dtrace/lowering.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

constexpr DAssembler::Register kElement = 7, kValue = 8;
/// How often a Min or Max is tried again while others change it.
constexpr int32_t kTries = 32;
/// And how often it is looked whether another one has done with an element that only one may change at a time.
constexpr int32_t kTriesToLock = 64;

bool ends_tuple(DOp op) {
  return op == DOp::Aggregate || op == DOp::LoadElement || op == DOp::StoreElement || op == DOp::LoadElementText ||
         op == DOp::StoreElementText || op == DOp::AddressElement;
}

}  // namespace

Result<bool> DLowering::tuple(const DInstruction& i) {
  switch (i.op) {
    case DOp::Key:
    case DOp::KeyText:
    case DOp::KeyBytes:
    case DOp::KeyUserStack:
    case DOp::KeyKernelStack:
    case DOp::KeyAddress:
    case DOp::KeyKernelAddress:
      if (key_number(i) == 0) begin_tuple();
      if (outside_) TRY_VOID(outside_key(i));
      else TRY_VOID(key(i));
      return true;
    case DOp::Aggregate: TRY_VOID(aggregate(i)); return true;
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

Result<void> DLowering::key(const DInstruction& i) {
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
    if (i.op == DOp::KeyAddress) {
      own_process();
    }
    out_.store(BPF_DW, kRun, place, Register{0});
    get(1, i.a);
    out_.store(BPF_DW, kRun, place + 8, Register{1});
    key_at_ += 16;
  }
  return {};
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

/// As a record has it.
Result<void> DLowering::outside_key(const DInstruction& i) {
  auto put_word = [&](Register from) {
    out_.move(2, from);
    out_.move(1, kRun);
    out_.call("d_outside_word");
  };
  if (i.op == DOp::KeyText) {
    out_.move(1, kRun);
    out_.move(2, static_cast<int32_t>(text_place(i.a)));
    out_.call("d_outside_text");
    return {};
  }
  if (i.op == DOp::KeyBytes) return key_of_bytes(i), Result<void>{};
  if (i.op == DOp::KeyKernelStack) {
    out_.move(1, kRun);
    get(2, i.b);
    out_.call("d_outside_kernel_stack");
    return {};
  }
  if (i.op == DOp::KeyAddress || i.op == DOp::KeyUserStack) {
    own_process();
    put_word(0);
  } else if (i.op == DOp::KeyKernelAddress) {
    out_.move(3, 0);
    put_word(3);
  }
  get(3, i.op == DOp::KeyUserStack ? i.b : i.a);
  if (i.op == DOp::KeyUserStack) {
    out_.alu(BPF_AND, 3, 0xffff);
    out_.number(4, D_STACK_WANTED);
    out_.alu(BPF_OR, 3, Register{4});
  }
  put_word(3);
  return {};
}

// -- aggregations -----------------------------------------------------------------------------------------

Result<void> DLowering::aggregate(const DInstruction& i) {
  auto index = static_cast<uint32_t>(i.imm);
  if (maps_.tuples[index].outside) {
    if (program_.aggregations[index].keys.empty()) begin_outside(late() != DLateValue::None);
    out_.move(1, kRun);
    out_.move(2, i.imm);
    get(3, i.b);
    if (i.a == kNoRegister) out_.move(4, 1);
    else get(4, i.a);
    out_.move(5, static_cast<int32_t>(at_));
    out_.call("d_take_outside");
    return {};
  }
  Label nothing = out_.label();
  find_element(index, nothing);
  get(kValue, i.b);
  take(index, i);
  out_.bind(nothing);
  return {};
}

/// r7 is the element of the current keys, made if there is none; goes to `nothing` if there is no room.
void DLowering::find_element(uint32_t index, Label nothing) {
  int map = maps_.aggregations[index].number();
  if (program_.aggregations[index].keys.empty()) return out_.map_value(kElement, map, 0);
  Label found = out_.label();
  look_up(map, found);
  out_.map_value(3, library_.map(".rodata.zeros"), 0);
  make_element(map, found);
  count_drop(offsetof(d_control, aggregation_drops));
  out_.jump(nothing);
  out_.bind(found);
  out_.move(kElement, Register{0});
}

/// r7 takes r8. The last word says that there was something.
void DLowering::take(uint32_t index, const DInstruction& i) {
  const DAggregate& aggregate = program_.aggregations[index].aggregate;
  auto add = [&](size_t word, Register what) { out_.atomic(BPF_ADD, kElement, word * 8, what); };
  using Function = DAggregate::Function;
  size_t used = (kernel_words_of(program_, index) - 1) * 8;
  out_.move(1, 1);
  if (used <= INT16_MAX) out_.store(BPF_DW, kElement, used, Register{1});
  if (begins_anew(program_, index)) return take_in_round(index, aggregate.function == Function::Min);
  switch (aggregate.function) {
    case Function::Count: return add(0, 1);
    case Function::Sum: return add(0, kValue);
    case Function::Avg: add(0, 1); return add(1, kValue);
    case Function::Min: return take_extreme(true);
    case Function::Max: return take_extreme(false);
    case Function::Stddev:
      add(0, 1);
      add(1, kValue);
      return take_squares();
    default: return take_bucket(aggregate, i);
  }
}

void DLowering::take_extreme(bool least) {
  Label again = out_.label(), done = out_.label();
  out_.number(9, worst_of(least));
  out_.alu(BPF_XOR, 9, kValue);  // the value to keep
  out_.move(5, kTries);
  out_.bind(again);
  out_.load(BPF_DW, 0, kElement, 8);
  out_.number(2, worst_of(least));
  out_.alu(BPF_XOR, 2, Register{0});
  out_.jump(least ? BPF_JSLE : BPF_JSGE, 2, kValue, done);
  out_.move(3, Register{0});
  out_.atomic(BPF_CMPXCHG, kElement, 8, 9);
  out_.jump(BPF_JEQ, 0, Register{3}, done);
  out_.alu(BPF_SUB, 5, 1);
  out_.jump(BPF_JNE, 5, 0, again);
  count_drop(offsetof(d_control, aggregation_drops));
  out_.bind(done);
}

/// An extreme that begins anew: three words change together, so that only one CPU does it at a time. A CPU that finds
/// it locked again and again, because the holder was preempted, counts a drop.
void DLowering::take_in_round(uint32_t index, bool least) {
  constexpr size_t kRound = kRoundWord * 8, kNow = kRoundValue * 8, kBefore = kRoundBefore * 8, kLock = kRoundLock * 8;
  Label again = out_.label(), locked = out_.label(), compare = out_.label(), unlock = out_.label(), done = out_.label();
  out_.number(9, worst_of(least));
  out_.alu(BPF_XOR, 9, kValue);  // the value to keep
  out_.move(5, kTriesToLock);
  out_.bind(again);
  out_.move(0, 0);
  out_.move(1, 1);
  out_.atomic(BPF_CMPXCHG, kElement, kLock, 1);
  out_.jump(BPF_JEQ, 0, 0, locked);
  out_.alu(BPF_SUB, 5, 1);
  out_.jump(BPF_JNE, 5, 0, again);
  count_drop(offsetof(d_control, aggregation_drops));
  out_.jump(done);
  out_.bind(locked);
  out_.map_value(1, library_.map(".data.control"),
                 static_cast<uint32_t>(offsetof(d_control, rounds) + index * sizeof(uint64_t)));
  out_.load(BPF_DW, 1, 1, 0);
  out_.load(BPF_DW, 2, kElement, kRound);
  out_.jump(BPF_JEQ, 2, Register{1}, compare);
  out_.load(BPF_DW, 2, kElement, kNow);
  out_.store(BPF_DW, kElement, kBefore, Register{2});
  out_.store(BPF_DW, kElement, kNow, 0);
  out_.store(BPF_DW, kElement, kRound, Register{1});
  out_.bind(compare);
  out_.load(BPF_DW, 0, kElement, kNow);
  out_.number(2, worst_of(least));
  out_.alu(BPF_XOR, 2, Register{0});
  out_.jump(least ? BPF_JSLE : BPF_JSGE, 2, kValue, unlock);
  out_.store(BPF_DW, kElement, kNow, Register{9});
  out_.bind(unlock);
  out_.store(BPF_DW, kElement, kLock, 0);
  out_.bind(done);
}

/// 128 bits: the carry of the low half goes to the high one.
void DLowering::take_squares() {
  Label done = out_.label();
  out_.move(1, kRun);
  out_.move(2, kValue);
  out_.call("d_square");
  out_.load(BPF_DW, 1, kRun, offsetof(d_run, square));
  out_.load(BPF_DW, 3, kRun, offsetof(d_run, square) + 8);
  out_.move(2, Register{1});
  out_.atomic(BPF_ADD | BPF_FETCH, kElement, 16, 1);
  out_.alu(BPF_ADD, 1, Register{2});
  out_.jump(BPF_JGE, 1, Register{2}, done);
  out_.alu(BPF_ADD, 3, 1);
  out_.bind(done);
  out_.atomic(BPF_ADD, kElement, 24, 3);
}

/// r0, the bucket of an amount, becomes that of r8: before the middle if it is negative.
void DLowering::mirror(int32_t middle) {
  Label positive = out_.label();
  out_.jump(BPF_JSGE, kValue, 0, positive);
  out_.negate(0);
  out_.bind(positive);
  out_.alu(BPF_ADD, 0, middle);
}

void DLowering::take_bucket(const DAggregate& a, const DInstruction& i) {
  Label nowhere = out_.label();
  out_.move(1, kRun);
  out_.move(2, kValue);
  if (a.function == DAggregate::Function::Quantize) {
    out_.call("d_power_bucket");
  } else if (a.function == DAggregate::Function::Lquantize) {
    out_.move(3, a.low);
    out_.move(4, a.step);
    out_.move(5, static_cast<int32_t>(words_of(a) - 2));
    out_.call("d_linear_bucket");
  } else {
    Label positive = out_.label();
    out_.move(1, kValue);
    out_.jump(BPF_JSGE, 1, 0, positive);
    out_.negate(1);
    out_.jump(BPF_JSGE, 1, 0, positive);
    out_.number(1, INT64_MAX);
    out_.bind(positive);
    out_.store(BPF_DW, kRun, offsetof(d_run, value), Register{1});
    out_.move(1, kRun);
    out_.move(2, a.factor);
    out_.move(3, a.low);
    out_.move(4, a.high);
    out_.move(5, a.step);
    out_.call("d_log_bucket");
    mirror(static_cast<int32_t>(middle_bucket(a)));
  }
  out_.alu(BPF_LSH, 0, 32);
  out_.alu(BPF_RSH, 0, 32);
  out_.jump(BPF_JGE, 0, static_cast<int32_t>(words_of(a)), nowhere);
  out_.alu(BPF_LSH, 0, 3);
  out_.alu(BPF_ADD, kElement, Register{0});
  if (i.a == kNoRegister) out_.move(1, 1);
  else get(1, i.a);
  out_.atomic(BPF_ADD, kElement, 0, 1);
  out_.bind(nowhere);
}

}  // namespace strut

// Lowering: aggregations.
//
// An element of an aggregation is a place in memory that many CPUs add to at the same time, so each word is changed by
// atomic instructions, and nothing that is taken is lost. Two kinds of words differ from dlang/output/aggregate.hpp's:
// those of Min and Max hold the value XORed with the worst one there is, so that a new element's 0 is that one.
#include <cstddef>

#include "kassist/dtrace/aggregates.hpp"
#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

constexpr DAssembler::Register kElement = 7, kValue = 8;
/// How often a Min or Max is tried again while others change it.
constexpr int32_t kTries = 32;
/// And how often it is looked whether another one has done with an element that only one may change at a time.
constexpr int32_t kTriesToLock = 64;

}  // namespace

void DLowering::aggregate(const DInstruction& i) {
  auto index = static_cast<uint32_t>(i.imm);
  if (maps_.tuples[index].outside) {
    if (program_.aggregations[index].keys.empty()) begin_outside(late() != DLateValue::None);
    out_.move(1, kRun);
    out_.move(2, i.imm);
    get(3, i.b);
    if (i.a == kNoRegister) out_.move(4, 1);
    else get(4, i.a);
    out_.move(5, static_cast<int32_t>(at_));
    return out_.call("d_take_outside");
  }
  Label nothing = out_.label();
  find_element(index, nothing);
  get(kValue, i.b);
  take(index, i);
  out_.bind(nothing);
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

/// An extreme that begins anew: three words change together, so that only one CPU does it at a time.
void DLowering::take_in_round(uint32_t index, bool least) {
  Label locked = out_.label(), unlock = out_.label(), done = out_.label();
  out_.number(9, worst_of(least));
  out_.alu(BPF_XOR, 9, kValue);  // the value to keep
  lock_round(locked, done);
  out_.bind(locked);
  begin_round(index);
  out_.load(BPF_DW, 0, kElement, kRoundValue * 8);
  out_.number(2, worst_of(least));
  out_.alu(BPF_XOR, 2, Register{0});
  out_.jump(least ? BPF_JSLE : BPF_JSGE, 2, kValue, unlock);
  out_.store(BPF_DW, kElement, kRoundValue * 8, Register{9});
  out_.bind(unlock);
  out_.store(BPF_DW, kElement, kRoundLock * 8, 0);
  out_.bind(done);
}

/// A CPU that finds the element locked again and again, because the holder was preempted, counts a drop.
void DLowering::lock_round(Label locked, Label given_up) {
  Label again = out_.label();
  out_.move(5, kTriesToLock);
  out_.bind(again);
  out_.move(0, 0);
  out_.move(1, 1);
  out_.atomic(BPF_CMPXCHG, kElement, kRoundLock * 8, 1);
  out_.jump(BPF_JEQ, 0, 0, locked);
  out_.alu(BPF_SUB, 5, 1);
  out_.jump(BPF_JNE, 5, 0, again);
  count_drop(offsetof(d_control, aggregation_drops));
  out_.jump(given_up);
}

/// If the aggregation has begun a new round since the element's last value, that is the one of the round before.
void DLowering::begin_round(uint32_t index) {
  Label begun = out_.label();
  out_.map_value(1, library_.map(".data.control"),
                 static_cast<uint32_t>(offsetof(d_control, rounds) + index * sizeof(uint64_t)));
  out_.load(BPF_DW, 1, 1, 0);
  out_.load(BPF_DW, 2, kElement, kRoundWord * 8);
  out_.jump(BPF_JEQ, 2, Register{1}, begun);
  out_.load(BPF_DW, 2, kElement, kRoundValue * 8);
  out_.store(BPF_DW, kElement, kRoundBefore * 8, Register{2});
  out_.store(BPF_DW, kElement, kRoundValue * 8, 0);
  out_.store(BPF_DW, kElement, kRoundWord * 8, Register{1});
  out_.bind(begun);
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
  find_bucket(a);
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

/// r0 is the bucket of r8, in 32 bits.
void DLowering::find_bucket(const DAggregate& a) {
  if (a.function == DAggregate::Function::Llquantize) return find_log_bucket(a);
  out_.move(1, kRun);
  out_.move(2, kValue);
  if (a.function == DAggregate::Function::Quantize) return out_.call("d_power_bucket");
  out_.move(3, a.low);
  out_.move(4, a.step);
  out_.move(5, static_cast<int32_t>(words_of(a) - 2));
  out_.call("d_linear_bucket");
}

void DLowering::find_log_bucket(const DAggregate& a) {
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

}  // namespace strut

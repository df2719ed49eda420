#include "kassist/dtrace/lowering/lowering.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "dlang/language/builtin.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

/// Instructions that are one of BPF's, a = b op c.
struct AluRow {
  DOp op;
  uint8_t alu;
};
constexpr AluRow kAlu[] = {
    {DOp::Add, BPF_ADD},
    {DOp::Subtract, BPF_SUB},
    {DOp::Multiply, BPF_MUL},
    {DOp::And, BPF_AND},
    {DOp::Or, BPF_OR},
    {DOp::Xor, BPF_XOR},
    {DOp::ShiftLeft, BPF_LSH},
    {DOp::ShiftRightSigned, BPF_ARSH},
    {DOp::ShiftRightUnsigned, BPF_RSH},
};
/// a = b op c, 0 or 1.
constexpr AluRow kCompare[] = {
    {DOp::Equal, BPF_JEQ},        {DOp::NotEqual, BPF_JNE},
    {DOp::LessSigned, BPF_JSLT},  {DOp::LessEqualSigned, BPF_JSLE},
    {DOp::LessUnsigned, BPF_JLT}, {DOp::LessEqualUnsigned, BPF_JLE},
};

size_t integer_place(uint8_t number) { return offsetof(d_run, r) + size_t{number} * 8; }

}  // namespace

Result<DFunction> lower_clause(const DLoweringContext& context, uint32_t clause) {
  return DLowering(context, clause).lower();
}

std::unexpected<Error> DLowering::cannot(std::string construct, std::string why) const {
  if (why.empty()) why = "the kernel's part of a program cannot do it";
  return fail({0, "run the program in the kernel", std::move(construct),
               std::move(why) + " (line " + std::to_string(clause_.at.line) + ")", "--backend=ptrace can"});
}

Result<DFunction> DLowering::lower() {
  uint32_t count = clause_.end - clause_.begin;
  for (uint32_t i = 0; i < count; i++) labels_.push_back(out_.label());
  end_ = out_.label();
  find_run();
  out_.store(BPF_W, kRun, offsetof(d_run, used), static_cast<int32_t>(sizeof(d_record)));
  out_.store(BPF_W, kRun, offsetof(d_run, open), 0);
  out_.store(BPF_W, kRun, offsetof(d_run, wants_stack), 0);
  out_.store(BPF_W, kRun, offsetof(d_run, clause), static_cast<int32_t>(index_));
  for (at_ = 0; at_ < count; at_++) {
    out_.bind(labels_[at_]);
    TRY_VOID(instruction(program_.code[clause_.begin + at_]));
  }
  end_and_faults();
  if (!out_.finish()) return cannot("a clause", "it is too long");
  const DFunction* stands_in = library_.find("d_clause");
  CHECK_THAT(stands_in != nullptr);
  out_.function().type = stands_in->type;
  return std::move(out_.function());
}

/// Function arguments are memory of unknown kind to the verifier, and before 6.2 keys and values of maps may not lie in
/// that. So the clause looks up the run that it is given.
void DLowering::find_run() {
  constexpr Register kFrame{10};
  Label nothing = out_.label(), run = out_.label();
  out_.move(0, 0);
  out_.jump(BPF_JEQ, 1, 0, nothing);
  out_.load(BPF_W, 3, 1, offsetof(d_run, place));
  out_.move(2, kFrame);
  out_.alu(BPF_ADD, 2, -8);
  out_.store(BPF_W, 2, 0, Register{3});
  out_.map(1, library_.map("runs"));
  out_.helper(BPF_FUNC_map_lookup_elem);
  out_.jump(BPF_JNE, 0, 0, run);
  out_.bind(nothing);
  out_.leave();
  out_.bind(run);
  out_.move(kRun, Register{0});
}

// -- places ---------------------------------------------------------------------------------------------------------

void DLowering::get(Register to, uint8_t integer) { out_.load(BPF_DW, to, kRun, integer_place(integer)); }
void DLowering::set(uint8_t integer, Register from) { out_.store(BPF_DW, kRun, integer_place(integer), from); }
void DLowering::address(Register to, size_t offset) {
  out_.move(to, kRun);
  out_.alu(BPF_ADD, to, static_cast<int32_t>(offset));
}
void DLowering::text_address(Register to, uint8_t text) { address(to, offsetof(d_run, texts) + text_place(text)); }
void DLowering::copy_kernel(uint32_t bytes) {
  out_.move(2, static_cast<int32_t>(bytes));
  out_.helper(BPF_FUNC_probe_read_kernel);
}
void DLowering::count_drop(size_t offset_in_control) {
  out_.map_value(1, library_.map(".data.control"), static_cast<uint32_t>(offset_in_control));
  out_.move(2, 1);
  out_.atomic(BPF_ADD, 1, 0, 2);
}

// -- instructions ---------------------------------------------------------------------------------------------------

Result<void> DLowering::instruction(const DInstruction& i) {
  if (flow(i) || simple(i) || alu(i) || compare(i) || variable(i) || tuple(i)) return {};
  switch (i.op) {
    case DOp::TextJson: return cannot("json()");
    case DOp::Builtin:
    case DOp::BuiltinText: return builtin(i);
    case DOp::Member:
    case DOp::MemberText: return member(i);
    case DOp::PutInteger:
    case DOp::PutAddress:
      if (late() != DLateValue::None) out_.store(BPF_W, kRun, offsetof(d_run, wants_stack), 1);
      return call_by_row(i);
    default: return call_by_row(i);
  }
}

bool DLowering::flow(const DInstruction& i) {
  switch (i.op) {
    case DOp::End: out_.jump(end_); return true;
    case DOp::Jump: out_.jump(labels_[at_ + static_cast<uint32_t>(i.imm)]); return true;
    case DOp::JumpZero:
    case DOp::JumpNotZero:
      get(1, i.a);
      out_.jump(i.op == DOp::JumpZero ? BPF_JEQ : BPF_JNE, 1, 0, labels_[at_ + static_cast<uint32_t>(i.imm)]);
      return true;
    case DOp::Argument:
    case DOp::TypedArgument: argument(i); return true;
    default: return false;
  }
}

bool DLowering::simple(const DInstruction& i) {
  switch (i.op) {
    case DOp::Immediate: out_.move(1, i.imm); break;
    case DOp::Constant: out_.number(1, program_.constants[static_cast<size_t>(i.imm)]); break;
    case DOp::Copy: get(1, i.b); break;
    case DOp::Negate:
      get(1, i.b);
      out_.negate(1);
      break;
    case DOp::Complement:
      get(1, i.b);
      out_.alu(BPF_XOR, 1, -1);
      break;
    case DOp::SwapBytes:
      get(1, i.b);
      out_.swap(1);
      if (i.imm < 8) out_.alu(BPF_RSH, 1, 64 - i.imm * 8);
      break;
    case DOp::Extend: extend(i); break;
    default: return false;
  }
  set(i.a, 1);
  return true;
}

/// Register 1 gets the number, of its width.
void DLowering::extend(const DInstruction& i) {
  int32_t shift = 64 - (i.imm & ~kSignedWidth) * 8;
  get(1, i.b);
  if (shift <= 0) return;
  out_.alu(BPF_LSH, 1, shift);
  out_.alu((i.imm & kSignedWidth) != 0 ? BPF_ARSH : BPF_RSH, 1, shift);
}

bool DLowering::alu(const DInstruction& i) {
  for (const AluRow& row : kAlu) {
    if (row.op != i.op) continue;
    get(1, i.b);
    get(2, i.c);
    if (row.alu == BPF_LSH || row.alu == BPF_RSH || row.alu == BPF_ARSH) out_.alu(BPF_AND, 2, 63);
    out_.alu(row.alu, 1, Register{2});
    set(i.a, 1);
    return true;
  }
  return false;
}

bool DLowering::compare(const DInstruction& i) {
  Label done = out_.label();
  uint8_t jump = 0;
  for (const AluRow& row : kCompare)
    if (row.op == i.op) jump = row.alu;
  if (i.op == DOp::IsZero || i.op == DOp::IsNotZero) {
    get(1, i.b);
    out_.move(0, 1);
    out_.jump(i.op == DOp::IsZero ? BPF_JEQ : BPF_JNE, 1, 0, done);
  } else if (jump != 0) {
    get(1, i.b);
    get(2, i.c);
    out_.move(0, 1);
    out_.jump(jump, 1, Register{2}, done);
  } else {
    out_.bind(done);
    return false;
  }
  out_.move(0, 0);
  out_.bind(done);
  set(i.a, 0);
  return true;
}

void DLowering::argument(const DInstruction& i) {
  if (may_be_unread_) fault_at_unread(static_cast<uint32_t>(i.imm));
  if (i.imm >= 6 && i.op == DOp::Argument) {
    out_.move(1, kRun);
    out_.move(2, int32_t{i.a});
    out_.move(3, i.imm);
    return out_.call("d_stack_argument");
  }
  out_.load(BPF_DW, 1, kRun, offsetof(d_run, args) + static_cast<size_t>(i.imm) * 8);
  set(i.a, 1);
}

// -- calls of the library ---------------------------------------------------------------------------------------------

Result<std::string_view> DLowering::function_named(const std::string& name, const std::string& construct) const {
  std::string_view found = library_.name_of(name);
  if (found.empty()) return cannot(construct);
  return found;
}

/// The form of an operand when it is passed (kernel/dtrace/core.bpf.h).
void DLowering::operand(char kind, int64_t value, Register into, DOp op) {
  switch (kind) {
    case 'r': return get(into, static_cast<uint8_t>(value));
    case 's':
    case 't': return out_.move(into, static_cast<int32_t>(text_place(static_cast<uint8_t>(value))));
    case 'o':
      if (value >= 0) return get(into, static_cast<uint8_t>(value));
      return out_.number(into,
                         op == DOp::TextIndex ? 0 : INT64_MAX);  // without a position, from the beginning; else: all
    default: return out_.move(into, static_cast<int32_t>(value));
  }
}

/// The function of an instruction has its name; its operands are handed over in their order.
Result<void> DLowering::call_by_row(const DInstruction& i) {
  const DOpRow& row = row_of(i.op);
  std::string_view name = TRY(function_named("d_" + std::string(row.name), std::string(row.name)));
  const int64_t values[] = {i.a, i.b, i.c, i.imm};
  if (!takes_null(i.op)) fault_at_null(i);
  Register into = 2;
  for (size_t at = 0; at < row.operands.size(); at++)
    if (row.operands[at] != '-') operand(row.operands[at], values[at], into++, i.op);
  out_.move(1, kRun);
  out_.call(name);
  fault_unless_zero();
  return {};
}

Result<void> DLowering::builtin(const DInstruction& i) {
  static constexpr std::string_view kNames[] = {
#define BUILTIN(name, spelling, type) #name,
#include "dlang/language/builtins.inc"
#undef BUILTIN
  };
  auto which = static_cast<size_t>(i.imm);
  if (late_value_of(clause_, i) != DLateValue::None) {
    out_.store(BPF_DW, kRun, integer_place(i.a), 0);
    return {};
  }
  std::string_view name =
      TRY(function_named("d_builtin_" + std::string(kNames[which]), std::string(builtins()[which].name)));
  out_.move(1, kRun);
  out_.move(2, i.op == DOp::BuiltinText ? static_cast<int32_t>(text_place(i.a)) : i.a);
  out_.call(name);
  return {};
}

Result<void> DLowering::member(const DInstruction& i) {
  static constexpr std::string_view kNames[] = {
#define MEMBER(name, structure, spelling, type) #name,
#include "dlang/language/members.inc"
#undef MEMBER
  };
  auto which = static_cast<size_t>(i.imm);
  std::string_view name =
      TRY(function_named("d_member_" + std::string(kNames[which]), std::string(translated_members()[which].name)));
  get(3, i.b);
  out_.move(1, kRun);
  out_.move(2, i.op == DOp::MemberText ? static_cast<int32_t>(text_place(i.a)) : i.a);
  out_.move(4, int32_t{i.c});
  out_.call(name);
  return {};
}

}  // namespace strut

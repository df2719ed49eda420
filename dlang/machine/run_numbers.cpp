// Steps: flow, numbers, facts about the probe.
#include "dlang/machine/run.hpp"

namespace strut {
namespace {

int64_t as_signed(uint64_t bits) { return static_cast<int64_t>(bits); }

/// The low `imm & 15` bytes, extended by sign if imm says so.
uint64_t extended(uint64_t bits, int32_t imm) {
  int bytes = imm & ~kSignedWidth;
  if (bytes == 8) return bits;
  int shift = 64 - bytes * 8;
  if ((imm & kSignedWidth) != 0) return static_cast<uint64_t>(as_signed(bits << shift) >> shift);
  return bits << shift >> shift;
}

}  // namespace

void DSteps::End(DRun& run, const DInstruction&) { run.done = true; }
void DSteps::Jump(DRun& run, const DInstruction& i) { run.next += i.imm - 1; }
void DSteps::JumpZero(DRun& run, const DInstruction& i) {
  if (run.r[i.a] == 0) run.next += i.imm - 1;
}
void DSteps::JumpNotZero(DRun& run, const DInstruction& i) {
  if (run.r[i.a] != 0) run.next += i.imm - 1;
}

void DSteps::Immediate(DRun& run, const DInstruction& i) {
  run.r[i.a] = static_cast<uint64_t>(static_cast<int64_t>(i.imm));
}
void DSteps::Constant(DRun& run, const DInstruction& i) {
  run.r[i.a] = run.program.constants[static_cast<size_t>(i.imm)];
}
void DSteps::Copy(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b]; }
void DSteps::Add(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] + run.r[i.c]; }
void DSteps::Subtract(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] - run.r[i.c]; }
void DSteps::Multiply(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] * run.r[i.c]; }

void DSteps::DivideSigned(DRun& run, const DInstruction& i) {
  if (run.r[i.c] == 0) return run.fail(DFault::DivideByZero);
  run.r[i.a] = as_signed(run.r[i.c]) == -1 ? 0 - run.r[i.b]
                                           : static_cast<uint64_t>(as_signed(run.r[i.b]) / as_signed(run.r[i.c]));
}
void DSteps::DivideUnsigned(DRun& run, const DInstruction& i) {
  if (run.r[i.c] == 0) return run.fail(DFault::DivideByZero);
  run.r[i.a] = run.r[i.b] / run.r[i.c];
}
void DSteps::ModuloSigned(DRun& run, const DInstruction& i) {
  if (run.r[i.c] == 0) return run.fail(DFault::DivideByZero);
  run.r[i.a] = as_signed(run.r[i.c]) == -1 ? 0 : static_cast<uint64_t>(as_signed(run.r[i.b]) % as_signed(run.r[i.c]));
}
void DSteps::ModuloUnsigned(DRun& run, const DInstruction& i) {
  if (run.r[i.c] == 0) return run.fail(DFault::DivideByZero);
  run.r[i.a] = run.r[i.b] % run.r[i.c];
}

void DSteps::And(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] & run.r[i.c]; }
void DSteps::Or(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] | run.r[i.c]; }
void DSteps::Xor(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] ^ run.r[i.c]; }
void DSteps::ShiftLeft(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] << (run.r[i.c] & 63); }
void DSteps::ShiftRightSigned(DRun& run, const DInstruction& i) {
  run.r[i.a] = static_cast<uint64_t>(as_signed(run.r[i.b]) >> (run.r[i.c] & 63));
}
void DSteps::ShiftRightUnsigned(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] >> (run.r[i.c] & 63); }
void DSteps::Negate(DRun& run, const DInstruction& i) { run.r[i.a] = 0 - run.r[i.b]; }
void DSteps::Complement(DRun& run, const DInstruction& i) { run.r[i.a] = ~run.r[i.b]; }
void DSteps::IsZero(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] == 0; }
void DSteps::IsNotZero(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] != 0; }
void DSteps::Equal(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] == run.r[i.c]; }
void DSteps::NotEqual(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] != run.r[i.c]; }
void DSteps::LessSigned(DRun& run, const DInstruction& i) {
  run.r[i.a] = as_signed(run.r[i.b]) < as_signed(run.r[i.c]);
}
void DSteps::LessEqualSigned(DRun& run, const DInstruction& i) {
  run.r[i.a] = as_signed(run.r[i.b]) <= as_signed(run.r[i.c]);
}
void DSteps::LessUnsigned(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] < run.r[i.c]; }
void DSteps::LessEqualUnsigned(DRun& run, const DInstruction& i) { run.r[i.a] = run.r[i.b] <= run.r[i.c]; }
void DSteps::Extend(DRun& run, const DInstruction& i) { run.r[i.a] = extended(run.r[i.b], i.imm); }
void DSteps::SwapBytes(DRun& run, const DInstruction& i) {
  run.r[i.a] = __builtin_bswap64(run.r[i.b]) >> (64 - i.imm * 8);
}

void DSteps::Argument(DRun& run, const DInstruction& i) {
  auto index = static_cast<uint32_t>(i.imm);
  run.r[i.a] = run.context->argument(index);
  if (run.context->is_unread(index)) run.fail(DFault::BadAddress, run.r[i.a]);
}
void DSteps::TypedArgument(DRun& run, const DInstruction& i) {
  auto index = static_cast<uint32_t>(i.imm);
  run.r[i.a] = run.context->typed_argument(index);
  if (run.context->is_unread(index)) run.fail(DFault::BadAddress, run.r[i.a]);
}
void DSteps::TypedArgumentText(DRun& run, const DInstruction& i) {
  run.set_text(i.a, run.context->typed_argument_text(static_cast<uint32_t>(i.imm)));
}
void DSteps::UserRegister(DRun& run, const DInstruction& i) {
  if (run.r[i.b] >= kDRegisters) return run.fail(DFault::IllegalOperation);
  run.r[i.a] = run.context->user_register(static_cast<uint32_t>(run.r[i.b]));
}
void DSteps::ProgramVariable(DRun& run, const DInstruction& i) {
  SiteValue value = run.context->program_variable(static_cast<uint32_t>(i.imm));
  run.r[i.a] = value.value;
  if (!value.is_read) run.fail(DFault::BadAddress, value.value);
}
void DSteps::Builtin(DRun& run, const DInstruction& i) {
  run.r[i.a] = run.context->integer(static_cast<DBuiltin>(i.imm));
}
void DSteps::BuiltinText(DRun& run, const DInstruction& i) {
  run.set_text(i.a, run.context->text(static_cast<DBuiltin>(i.imm)));
}
void DSteps::Member(DRun& run, const DInstruction& i) {
  run.r[i.a] = run.context->member(static_cast<DSubject>(i.c), run.r[i.b], static_cast<DMemberName>(i.imm));
}
void DSteps::MemberText(DRun& run, const DInstruction& i) {
  run.set_text(i.a, run.context->member_text(static_cast<DSubject>(i.c), run.r[i.b], static_cast<DMemberName>(i.imm)));
}
void DSteps::IsProgeny(DRun& run, const DInstruction& i) {
  run.r[i.a] = run.context->is_progeny_of(as_signed(run.r[i.b]));
}

// xorshift64* (Vigna): good enough for rand(), and no state but one word.
void DSteps::Random(DRun& run, const DInstruction& i) {
  run.random ^= run.random >> 12;
  run.random ^= run.random << 25;
  run.random ^= run.random >> 27;
  run.r[i.a] = run.random * 0x2545F4914F6CDD1Dull;
}

}  // namespace strut

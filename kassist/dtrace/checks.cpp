#include "kassist/dtrace/checks.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include <bpf/bpf.h>

#include "base/owned_fd.hpp"
#include "dlang/language/builtin.hpp"
#include "dlang/machine/run.hpp"
#include "kassist/wire/dtrace_run.h"
#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/watch_pattern.hpp"
#include "process/caller.hpp"

namespace strut {

static_assert(D_LONGEST_CHILL == kLongestChill_ns);

bool uses(const DProgram& program, std::initializer_list<DOp> ops) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [&](const DInstruction& i) { return std::find(ops.begin(), ops.end(), i.op) != ops.end(); });
}

uint32_t arguments_used(const DProgram& program) {
  uint32_t used = 0;
  for (const DInstruction& i : program.code)
    if (i.op == DOp::Argument || i.op == DOp::TypedArgument || i.op == DOp::TypedArgumentText) used |= 1u << i.imm;
  return used;
}

bool watches_memory(const DProgram& program) {
  return std::ranges::any_of(program.clauses, [](const DClause& clause) {
    return std::ranges::any_of(clause.probes,
                               [](const ProbeDescription& probe) { return is_watch_provider(probe.provider); });
  });
}

bool may_have_operands(const DClause& clause) {
  return std::ranges::any_of(clause.probes, [](const ProbeDescription& probe) {
    return may_be_usdt(probe.provider) || is_instr_provider(probe.provider);
  });
}

bool uses_kernel_stack(const DProgram& program) {
  return uses(program, {DOp::PutKernelStack, DOp::KeyKernelStack}) ||
         std::ranges::any_of(program.code, [](const DInstruction& i) {
           return i.op == DOp::Builtin && static_cast<DBuiltin>(i.imm) == DBuiltin::Stackdepth;
         });
}

bool uses_names(const DProgram& program) {
  for (const DInstruction& i : program.code) {
    if (i.op != DOp::BuiltinText) continue;
    auto which = static_cast<DBuiltin>(i.imm);
    if (which == DBuiltin::Probeprov || which == DBuiltin::Probemod || which == DBuiltin::Probefunc ||
        which == DBuiltin::Probename)
      return true;
  }
  return false;
}

namespace {

/// Kernels that are locked down forbid it.
bool may_write_to_targets() {
  bpf_insn code[] = {
      {BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0}, {BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -8},
      {BPF_ST | BPF_MEM | BPF_DW, 2, 0, 0, 0},    {BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 0},
      {BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 8},  {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_write_user},
      {BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},  {BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
  };
  return static_cast<bool>(
      OwnedFd(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "strut_d", "Dual BSD/GPL", code, std::size(code), nullptr)));
}

Result<void> check_writing(const DProgram& program) {
  if (!uses(program, {DOp::CopyOut, DOp::CopyOutText}) || may_write_to_targets()) return {};
  return fail({EPERM, "run the program in the kernel", "copyout()",
               "this kernel lets no program write to a process's memory", "--backend=ptrace can"});
}

/// Addresses of the kernel's code show where the kernel lies, which /proc/kallsyms hides from users without privileges.
Result<void> check_kernel_stacks(const DProgram& program) {
  if (!uses_kernel_stack(program) || !Caller::of_this_process().is_restricted) return {};
  return fail({EPERM, "run the program in the kernel", "stack(), stackdepth", "kernel stacks are shown to root alone",
               "ustack() and ustackdepth are this process's own"});
}

Result<void> check_kernel_memory(const DProgram& program) {
  if (!reads_kernel(program) || !Caller::of_this_process().is_restricted) return {};
  return fail({EPERM, "run the program in the kernel", "curthread", "the kernel's memory is shown to root alone",
               "curpsinfo and curlwpsinfo describe this user's processes"});
}

}  // namespace

Result<void> check_for_kernel(const DProgram& program) {
  if (program.clauses.size() > 64 * D_CLAUSE_WORDS)
    return fail({0,
                 "run the program in the kernel",
                 {},
                 "it has more than " + std::to_string(64 * D_CLAUSE_WORDS) + " clauses",
                 "--backend=ptrace has no such limit"});
  if (program.global_bytes > D_GLOBALS)
    return fail({0, "run the program in the kernel", "variables of structure and array types",
                 "they take " + std::to_string(program.global_bytes) + " bytes; the kernel's part has room for " +
                     std::to_string(D_GLOBALS),
                 "--backend=ptrace has room for more"});
  TRY_VOID(check_kernel_stacks(program));
  TRY_VOID(check_kernel_memory(program));
  return check_writing(program);
}

}  // namespace strut

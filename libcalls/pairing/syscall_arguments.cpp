#include "libcalls/pairing/syscall_arguments.hpp"

#include <algorithm>

#include "libcalls/prototypes/library_types.hpp"
#include "syscalls/arg_plan.hpp"

namespace strut {

namespace {

/// The system call that it makes, as far as its arguments are in registers: the argument that decides about the others
/// is never the last.
Call made_by(const FunctionCall& call, size_t declared) {
  Call made;
  set_number(made, Abi::X86_64, static_cast<uint32_t>(call.arguments.values[declared - 1]));
  auto passed_on = std::span(call.integers).subspan(std::min(declared, call.integers.size()));
  std::ranges::copy(passed_on, made.regs.begin());
  return made;
}

/// A register by itself.
ArgType plain(const ArgType& described) {
  const Type& type = described.type;
  if (type.kind <= Kind::Address) return notation::arg(described.name, type);
  return notation::arg(described.name, type.kind == Kind::Pointer ? notation::kAddress : kGuess);
}

}  // namespace

bool add_syscall_arguments(FunctionCall& call) {
  size_t declared = call.desc->args.size();
  if (declared == 0 || call.arguments.values.size() < declared) return false;
  ArgPlan plan = plan_args(made_by(call, declared));
  call.varargs.assign(call.desc->args.begin(), call.desc->args.end());
  for (size_t i = 0; i < plan.count; i++) {
    size_t index = declared + plan.args[i].reg;
    if (!plan.args[i].present || index >= kMaxDecodedArgs) continue;
    if (index >= call.varargs.size()) call.varargs.resize(index + 1, notation::arg("", kGuess));
    call.varargs[index] = plain(*plan.args[i].type);
  }
  return true;
}

}  // namespace strut

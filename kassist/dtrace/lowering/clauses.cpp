// Lowering: the function that runs the clauses of a probe.
#include <cstddef>

#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {

DFunction lower_clause_list(const DLoweringContext& context, std::span<const uint32_t> clauses,
                            std::span<const std::string> names) {
  DAssembler out;
  DAssembler::Label end = out.label();
  out.move(kRun, DAssembler::Register{1});
  out.jump(BPF_JEQ, 1, 0, end);
  for (size_t i = 0; i < context.program.variables.size(); i++) {
    const DVariable& variable = context.program.variables[i];
    if (variable.scope == DScope::Clause && variable.keys.empty())
      out.store(BPF_DW, kRun, offsetof(d_run, locals) + context.maps.places[i], 0);
  }
  for (uint32_t clause : clauses) {
    DAssembler::Label next = out.label();
    out.load(BPF_DW, 1, kRun, offsetof(d_run, self.clauses) + clause / 64 * 8);
    out.alu(BPF_RSH, 1, static_cast<int32_t>(clause % 64));
    out.alu(BPF_AND, 1, 1);
    out.jump(BPF_JEQ, 1, 0, next);
    out.move(1, kRun);
    out.call(names[clause]);
    out.jump(BPF_JNE, 0, 0, end);
    out.bind(next);
  }
  out.bind(end);
  out.move(0, 0);
  out.leave();
  CHECK_THAT(out.finish());
  out.function().type = context.library.find("d_clauses")->type;
  return std::move(out.function());
}

}  // namespace strut

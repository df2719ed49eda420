// The code in front of a clause that lets only some of a probe's hits through.
#include <algorithm>

#include "dlang/compiler/compiler.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/watch_pattern.hpp"

namespace strut {

/// -x maxhits and ignore, for clauses of pid, instr and watch probes: the hits of each probe are counted by its id.
DCompiler::Jumps DCompiler::hits_outside_limits(const DClause& clause) {
  uint64_t ignored = program_.settings.ignore, most = program_.settings.maxhits;
  auto is_of_code = [](const ProbeDescription& probe) {
    return is_pid_provider(probe.provider) || is_instr_provider(probe.provider) || is_watch_provider(probe.provider);
  };
  if ((ignored == 0 && most == 0) || !std::ranges::all_of(clause.probes, is_of_code)) return {};
  Mark before = mark();
  uint8_t hits = new_integer(clause.at), limit = new_integer(clause.at), inside = new_integer(clause.at);
  count_hit(hits, inside, limit);
  Jumps outside;
  constant_into(static_cast<int64_t>(ignored), limit);
  emit(DOp::LessUnsigned, inside, limit, hits);
  outside.push_back(emit(DOp::JumpZero, inside));
  if (most != 0 && most <= UINT64_MAX - ignored) {
    constant_into(static_cast<int64_t>(ignored + most), limit);
    emit(DOp::LessEqualUnsigned, inside, hits, limit);
    outside.push_back(emit(DOp::JumpZero, inside));
  }
  release(before);
  return outside;
}

/// `hits` gets the number of the probe's hits, this one included; the two others are written over.
void DCompiler::count_hit(uint8_t hits, uint8_t id, uint8_t one) {
  constexpr DShape kNumber{DShape::Kind::Integer, 8, false}, kId{DShape::Kind::Integer, 4, false};
  auto variable = static_cast<int64_t>(program_.variables.size());
  program_.variables.push_back(
      {"hits of clause " + std::to_string(program_.clauses.size()), DScope::Global, kNumber, {kId}});
  emit(DOp::Builtin, id, 0, 0, static_cast<int64_t>(DBuiltin::Id));
  emit(DOp::Key, id);
  emit(DOp::LoadElement, hits, 0, 0, variable);
  constant_into(1, one);
  emit(DOp::Add, hits, hits, one);
  emit(DOp::Key, id);
  emit(DOp::StoreElement, hits, 0, 0, variable);
}

}  // namespace strut

#include "dtrace/session/record_routing.hpp"

namespace strut {

RecordRouting::RecordRouting(const DProgram& program, DEngine& engine, SessionOutput& output)
    : program_(program),
      engine_(engine),
      output_(output),
      speculations_(program, program.settings.specsize),
      held_(program) {}

void RecordRouting::fired(const DFired& fired) {
  if (speculations_.are_used()) route(fired);
  else print_or_hold(fired);
}

/// -x bufpolicy=ring and fill keep the records of committed speculations as others.
void RecordRouting::print_or_hold(const DFired& fired) {
  if (held_.are_held()) held_.keep(fired);
  else output_.print(fired);
}

/// A record of nothing but the ends of speculations has no row.
void RecordRouting::route(const DFired& fired) {
  bool has_row = false;
  DRecordReader reader(fired.record);
  while (auto recorded = reader.next()) {
    if (recorded->action >= program_.actions.size()) return;
    const DAction& action = program_.actions[recorded->action];
    auto id = action.items.empty() ? std::nullopt : DItemReader(recorded->items).next(action.items[0]);
    auto number = id ? static_cast<uint32_t>(id->integer) : 0;
    switch (action.kind) {
      case DAction::Kind::Commit: end_speculation(number, Speculations::End::Commit); break;
      case DAction::Kind::Discard: end_speculation(number, Speculations::End::Discard); break;
      case DAction::Kind::Speculate:
        if (speculations_.keep(number, fired) == Speculations::End::Commit) print_or_hold(fired);
        return;
      default: has_row = true;
    }
  }
  if (has_row) print_or_hold(fired);
}

void RecordRouting::end_speculation(uint32_t id, Speculations::End how) {
  for (const KeptRecord& kept : speculations_.end(id, how)) print_or_hold(kept.record());
}

uint64_t RecordRouting::free_speculations() {
  if (!speculations_.are_used()) return 0;
  for (uint32_t id : speculations_.take_ended()) engine_.free_speculation(id);
  return speculations_.take_drops();
}

void RecordRouting::print_held() {
  for (const KeptRecord& kept : held_.take()) output_.print(kept.record());
}

}  // namespace strut

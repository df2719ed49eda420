// DSession: records become rows, at once or when their speculation or the run ends.
#include "dtrace/session/session.hpp"

namespace strut {
namespace {

constexpr size_t kFlushBytes = 1 << 16;

}  // namespace

void DSession::fired(const DFired& fired) {
  if (speculations_.are_used()) report_or_keep(fired);
  else report(fired);
}

/// -x bufpolicy=ring and fill keep the records of committed speculations as others.
void DSession::report(const DFired& fired) {
  if (held_.are_held()) held_.keep(fired);
  else print(fired);
}

/// A record of nothing but the ends of speculations has no row.
void DSession::report_or_keep(const DFired& fired) {
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
        if (speculations_.keep(number, fired) == Speculations::End::Commit) report(fired);
        return;
      default: has_row = true;
    }
  }
  if (has_row) report(fired);
}

void DSession::end_speculation(uint32_t id, Speculations::End how) {
  for (const KeptRecord& kept : speculations_.end(id, how)) report(kept.record());
}

void DSession::free_speculations() {
  if (!speculations_.are_used()) return;
  for (uint32_t id : speculations_.take_ended()) engine_.free_speculation(id);
  if (uint64_t drops = speculations_.take_drops()) dropped(DDrops::Speculative, -1, drops);
}

void DSession::print(const DFired& fired) {
  const DProbe& probe = *probes_[fired.probe];
  if (reads_aggregations_[fired.clause]) engine_.aggregations();
  if (names_addresses_) symbolizer_.meet(fired.pid);
  consumer_.begin_row(out_, {fired.cpu, probe.id, fired.tid, probe.provider, probe.function, probe.name}, settings_);
  symbolizer_.set_time(fired.time_ns);
  reported_ = &probe;
  reported_in_ = fired.tid;
  formatter_->report(out_, fired.record);
  symbolizer_.set_time(ProcessSymbolizer::kAnyTime);
  consumer_.end_row(out_, settings_);
  if (out_.size() > kFlushBytes) flush();
}

}  // namespace strut

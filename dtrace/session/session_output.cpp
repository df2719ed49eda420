#include "dtrace/session/session_output.hpp"

#include <algorithm>

#include "dtrace/session/session_text.hpp"

namespace strut {
namespace {

constexpr size_t kFlushBytes = 1 << 16;

DTextStyle style_of(const DSettings& settings, bool escape_controls) {
  DTextStyle style;
  style.quiet = settings.quiet;
  style.raw_bytes = settings.rawbytes;
  style.escape_controls = escape_controls;
  style.stack_indent = static_cast<uint32_t>(settings.stackindent);
  style.order = {settings.aggsortkey, settings.aggsortrev, static_cast<uint32_t>(settings.aggsortkeypos)};
  style.bars = settings.agghist;
  style.packed = settings.aggpack;
  style.zoomed = settings.aggzoom;
  style.sort_position = static_cast<uint32_t>(settings.aggsortpos);
  return style;
}

bool is_about_aggregations(const DAction& action) {
  switch (action.kind) {
    case DAction::Kind::Printa:
    case DAction::Kind::Clear:
    case DAction::Kind::Trunc:
    case DAction::Kind::Normalize:
    case DAction::Kind::Denormalize: return true;
    default: return false;
  }
}

bool names_user_addresses(const DProgram& program) {
  auto is_user = [](const DShape& shape) {
    return shape.kind == DShape::Kind::UserStack || (shape.is_address() && !shape.is_kernel_address());
  };
  return std::ranges::any_of(program.actions,
                             [&](const DAction& action) { return std::ranges::any_of(action.items, is_user); }) ||
         std::ranges::any_of(program.aggregations,
                             [&](const DAggregation& a) { return std::ranges::any_of(a.keys, is_user); });
}

}  // namespace

SessionOutput::SessionOutput(const DProgram& program, bool escape_controls, const SessionProbes& probes,
                             DEngine& engine, DConsumer& consumer, ModuleCache& modules)
    : program_(program),
      escape_controls_(escape_controls),
      probes_(probes),
      engine_(engine),
      consumer_(consumer),
      settings_(program.settings),
      style_(style()),
      symbolizer_(modules),
      names_addresses_(names_user_addresses(program)),
      reads_aggregations_(program.clauses.size()) {
  for (const DAction& action : program.actions)
    if (is_about_aggregations(action)) reads_aggregations_[action.clause] = true;
}

void SessionOutput::begin() {
  formatter_.emplace(program_, engine_.aggregations(), static_cast<DSymbolizer&>(*this), static_cast<DConsole&>(*this),
                     style_, consumer_.values());
}

/// Values that programs read have no columns.
DTextStyle SessionOutput::style() const {
  DTextStyle style = style_of(settings_, escape_controls_);
  style.quiet |= consumer_.values() != nullptr;
  return style;
}

void SessionOutput::end_line() {
  if (!consumer_.values()) out_ += '\n';
}

void SessionOutput::print(const DFired& fired) {
  const DProbe& probe = probes_[fired.probe];
  if (reads_aggregations_[fired.clause]) engine_.aggregations();
  if (names_addresses_) symbolizer_.meet(fired.pid);
  consumer_.begin_row(out_,
                      {fired.cpu, probe.id, fired.pid, fired.tid, fired.time_ns, probe.provider, probe.module,
                       probe.function, probe.name},
                      settings_);
  symbolizer_.set_time(fired.time_ns);
  reported_ = &probe;
  reported_in_ = fired.tid;
  formatter_->report(out_, fired.record);
  symbolizer_.set_time(ProcessSymbolizer::kAnyTime);
  consumer_.end_row(out_, settings_);
  if (out_.size() > kFlushBytes) flush();
}

void SessionOutput::report_rest() {
  engine_.aggregations();
  formatter_->report_rest(out_);
  consumer_.end_rows(out_);
}

void SessionOutput::flush() {
  if (out_.empty()) return;
  write(out_);
  out_.clear();
}

void SessionOutput::complain(std::string_view line) {
  flush();
  consumer_.complain(line);
}

void SessionOutput::mention(std::string_view line) {
  flush();
  consumer_.mention(line);
}

void SessionOutput::report_drops(const std::vector<DropTally::Dropped>& drops) {
  for (const DropTally::Dropped& some : drops)
    complain(drops_text(some.what, some.cpu, some.count, settings_.droptags));
}

// -- actions of programs -------------------------------------------------------------------------

std::string SessionOutput::call_argument(std::string_view recorded) {
  if (reported_ == nullptr || reported_->trigger.calls.empty()) return {};
  return consumer_.call_argument(reported_->trigger.calls[0], reported_in_, recorded);
}

void SessionOutput::write(std::string_view text) {
  if (has_failed_) return;
  auto written = consumer_.write(text);
  if (written) return;
  has_failed_ = true;
  consumer_.complain(describe(written.error()));
}

void SessionOutput::freopen(const std::string& path) {
  if (auto opened = consumer_.freopen(path); !opened) consumer_.complain(describe(opened.error()));
}

void SessionOutput::setopt(const std::string& name, const std::string& value) {
  if (auto applied = apply_option(settings_, name, value, OptionFrom::Program); !applied)
    return consumer_.complain("setopt: " + name + ": " + applied.error().why + ": expected " + applied.error().advice);
  style_ = style();
}

}  // namespace strut

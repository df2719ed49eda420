#include "formatters/truss/leader.hpp"

#include <ctime>

namespace strut {

namespace {

constexpr uint64_t kTick_ns = 100'000,
                   kTicksPerSecond = 10'000;  // the clock's grain in truss's text: a tenth of a millisecond

uint64_t ticks(uint64_t ns) { return (ns + kTick_ns / 2) / kTick_ns; }

void put_fraction(TextBuffer& out, uint64_t count) {
  out.put('.');
  out.decimal_padded(count % kTicksPerSecond, 4, '0');
}

void put_stamp(TextBuffer& out, uint64_t ns) {
  uint64_t count = ticks(ns);
  out.decimal_padded(count / kTicksPerSecond, 2, ' ');
  put_fraction(out, count);
  out.put('\t');
}

uint64_t since(uint64_t before_ns, uint64_t ns) { return ns > before_ns ? ns - before_ns : 0; }

}  // namespace

void TrussLeader::put_base(TextBuffer& out, const Timestamp& base) {
  base_ns_ = base.monotonic_ns;
  uint64_t count = ticks(base.realtime_ns);
  auto seconds = static_cast<time_t>(count / kTicksPerSecond);
  tm parts{};
  localtime_r(&seconds, &parts);
  char date[64];
  size_t length = strftime(date, sizeof date, "%a %b %e %H:%M:%S %Z %Y", &parts);
  out.put("Base time stamp:  ");
  out.decimal(int64_t{seconds});
  put_fraction(out, count);
  out.put("  [ ");
  out.put(std::string_view(date, length));
  out.put(" ]");
}

void TrussLeader::put(TextBuffer& out, const Event& event, uint64_t system_ns) {
  put_name(out, event.thread);
  if (style_.base_time) put_stamp(out, since(base_ns_, event.at.monotonic_ns));
  if (style_.delta_time) {
    auto [last, first] = last_ns_.try_emplace(raw(event.thread.tid), event.at.monotonic_ns);
    put_stamp(out, since(last->second, event.at.monotonic_ns));
    last->second = event.at.monotonic_ns;
  }
  if (style_.system_time) put_stamp(out, system_ns);
}

void TrussLeader::put_name(TextBuffer& out, const ThreadName& thread) const {
  constexpr size_t kNarrow = 8;  // a name shorter than a tab's width takes two where there are threads in it
  bool lwp = shows_lwp(thread.pid);
  if (!style_.processes && !lwp) return;
  size_t before = out.size();
  if (style_.processes) out.decimal(int64_t{raw(thread.pid)});
  if (lwp) {
    out.put('/');
    out.decimal(int64_t{raw(thread.tid)});
  }
  out.put(":\t");
  if (style_.processes && lwp && out.size() - before <= kNarrow) out.put('\t');
}

void TrussLeader::born(const ThreadName& thread) {
  bool process = leader_of(thread.pid) == thread.tid;
  if (process) threads_[raw(thread.pid)] = 1;
  else threads_.try_emplace(raw(thread.pid), 1).first->second++;
}

void TrussLeader::died(const ThreadName& thread) {
  last_ns_.erase(raw(thread.tid));
  if (leader_of(thread.pid) == thread.tid) {
    threads_.erase(raw(thread.pid));
  } else if (auto found = threads_.find(raw(thread.pid)); found != threads_.end() && found->second > 1) {
    found->second--;
  }
}

bool TrussLeader::shows_lwp(Pid pid) const {
  if (style_.lwps) return true;
  auto found = threads_.find(raw(pid));
  return found != threads_.end() && found->second > 1;
}

}  // namespace strut

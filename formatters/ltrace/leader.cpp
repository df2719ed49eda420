#include "formatters/ltrace/leader.hpp"

#include <ctime>

namespace strut {

namespace {

constexpr uint64_t kSecond = 1'000'000'000, kMicrosecond = 1000;

void put_microseconds(TextBuffer& out, uint64_t nanoseconds) {
  out.put('.');
  out.decimal_padded(nanoseconds % kSecond / kMicrosecond, 6, '0');
}

}  // namespace

void put_seconds(TextBuffer& out, uint64_t nanoseconds) {
  out.decimal(nanoseconds / kSecond);
  put_microseconds(out, nanoseconds);
}

void LtraceLeader::put(TextBuffer& out, const Event& event) {
  if (style_.pids) {
    if (style_.bracketed_pid) out.put("[pid ");
    out.decimal(int64_t{event.thread.shown});
    out.put(style_.bracketed_pid ? "] " : " ");
  }
  if (style_.relative_time) put_relative(out, event.at.monotonic_ns);
  if (style_.absolute_time != AbsoluteTime::No) put_absolute(out, event.at.realtime_ns);
  if (!style_.ip) return;
  out.put('[');
  out.hex(event.ip == 0 ? ~0ull : event.ip);
  out.put("] ");
}

void LtraceLeader::put_relative(TextBuffer& out, uint64_t now_ns) {
  uint64_t passed = last_ns_ == 0 || now_ns < last_ns_ ? 0 : now_ns - last_ns_;
  last_ns_ = now_ns;
  out.decimal_padded(passed / kSecond, 3, ' ');
  put_microseconds(out, passed);
  out.put(' ');
}

void LtraceLeader::put_absolute(TextBuffer& out, uint64_t realtime_ns) const {
  auto seconds = static_cast<time_t>(realtime_ns / kSecond);
  if (style_.absolute_time == AbsoluteTime::UnixTime) {
    out.decimal(int64_t{seconds});
  } else {
    tm parts{};
    localtime_r(&seconds, &parts);
    out.decimal_padded(static_cast<uint64_t>(parts.tm_hour), 2, '0');
    out.put(':');
    out.decimal_padded(static_cast<uint64_t>(parts.tm_min), 2, '0');
    out.put(':');
    out.decimal_padded(static_cast<uint64_t>(parts.tm_sec), 2, '0');
  }
  if (style_.microseconds) put_microseconds(out, realtime_ns);
  out.put(' ');
}

}  // namespace strut

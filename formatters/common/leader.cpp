#include "formatters/common/leader.hpp"

#include "formatters/common/value_text.hpp"

namespace strut {

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

/// -1 where a number is expected: not a call's.
constexpr int64_t kNoCall = 0xffffffff;

/// `[text] ` where `text` is written by a function.
template <typename Text>
void bracketed(TextBuffer& out, Text text) {
  out.put(Ink::Punct, "[");
  text();
  out.put(Ink::Punct, "]");
  out.put(' ');
}

}  // namespace

void put_fraction(TextBuffer& out, uint64_t nanoseconds, Precision precision) {
  auto digits = static_cast<unsigned>(precision);
  if (digits == 0) return;
  for (unsigned i = digits; i < 9; i++) nanoseconds /= 10;
  out.put('.');
  out.decimal_padded(nanoseconds, digits, '0');
}

void Leader::put(TextBuffer& out, const Event& event, Pid pid) {
  if (pid == Pid::Shown) put_pid(out, event.thread);
  if (style_.absolute_time != AbsoluteTime::No) put_absolute(out, event.at.realtime_ns);
  if (style_.relative_time) put_relative(out, event.at.monotonic_ns);
  if (style_.syscall_number)
    bracketed(out, [&] {
      bool known = event.last_nr >= 0 && event.last_nr != kNoCall;
      uint64_t number = static_cast<uint64_t>(event.last_nr) | (event.abi == Abi::X32 ? kX32Bit : 0);
      if (known) out.decimal_padded(number, 4, ' ');
      else out.put("???");
    });
  if (style_.ip)
    bracketed(out, [&] {
      unsigned digits = event.abi == Abi::X86_64 ? 16 : 8;
      if (event.ip == 0) out.put(std::string_view("????????????????").substr(0, digits));
      else out.hex_at_least(event.ip, digits);
    });
}

void Leader::put_pid(TextBuffer& out, const ThreadName& thread) const {
  auto shown = static_cast<uint64_t>(static_cast<uint32_t>(thread.shown));
  ValueLooks looks{.hex_strings = style_.hex_strings};
  if (style_.bracketed_pid) {
    bracketed(out, [&] {
      out.put("pid ");
      out.decimal_padded(shown, 5, ' ');
      if (!thread.comm.empty()) put_comm(out, thread.comm, looks);
    });
    return;
  }
  size_t before = out.size();
  out.decimal(shown);
  size_t width = out.size() - before;
  if (!thread.comm.empty()) put_comm(out, thread.comm, looks);
  else if (width < 5) out.spaces(5 - width);
  out.put(' ');
}

void Leader::put_absolute(TextBuffer& out, uint64_t realtime_ns) {
  auto seconds = static_cast<time_t>(realtime_ns / kSecond);
  if (style_.absolute_time == AbsoluteTime::UnixTime) out.decimal(int64_t{seconds});
  else put_time_of_day(out, seconds);
  put_fraction(out, realtime_ns % kSecond, style_.absolute_precision);
  out.put(' ');
}

void Leader::put_time_of_day(TextBuffer& out, time_t seconds) {
  if (seconds != broken_down_) {
    tm parts{};
    localtime_r(&seconds, &parts);
    strftime(time_of_day_, sizeof time_of_day_, "%T", &parts);
    broken_down_ = seconds;
  }
  out.put(std::string_view(time_of_day_, sizeof time_of_day_ - 1));
}

void Leader::put_relative(TextBuffer& out, uint64_t monotonic_ns) {
  uint64_t passed = last_ns_ == 0 || monotonic_ns < last_ns_ ? 0 : monotonic_ns - last_ns_;
  last_ns_ = monotonic_ns;
  bool wrapped = style_.absolute_time != AbsoluteTime::No;
  if (wrapped) out.put("(+");
  out.decimal_padded(passed / kSecond, 6, ' ');
  put_fraction(out, passed % kSecond, style_.relative_precision);
  out.put(wrapped ? ") " : " ");
}

}  // namespace strut

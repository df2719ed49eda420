#include "syscalls/types/signal/sigevent.hpp"

#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/signed_number.hpp"

namespace strut {
namespace {

// <asm-generic/siginfo.h>.
constexpr Constant kNotifyNames[] = {
    {0, "SIGEV_SIGNAL"}, {1, "SIGEV_NONE"}, {2, "SIGEV_THREAD"}, {4, "SIGEV_THREAD_ID"},
};
constinit const ConstantSet kNotify = enumeration("SIGEV_???", kNotifyNames);
constexpr uint32_t kSignal = 0, kThread = 2, kThreadId = 4;
constexpr size_t kMaxBytes = 32;  // three words and two numbers; the rest of struct sigevent is padding

struct Event {
  uint64_t value = 0;
  int32_t signo = 0;
  uint32_t notify = 0;
  uint64_t function = 0, attributes = 0;
  int32_t thread = 0;
};

std::optional<Event> read_event(Decoder& decoder, Addr at) {
  std::array<std::byte, kMaxBytes> bytes;
  size_t word = pointer_bytes(decoder.abi());
  if (!decoder.read_bytes(at, std::span(bytes).first(3 * word + 8))) return std::nullopt;
  Event event;
  std::memcpy(&event.value, bytes.data(), word);
  std::memcpy(&event.signo, bytes.data() + word, 4);
  std::memcpy(&event.notify, bytes.data() + word + 4, 4);
  const std::byte* how = bytes.data() + word + 8;
  std::memcpy(&event.thread, how, 4);
  std::memcpy(&event.function, how, word);
  std::memcpy(&event.attributes, how + word, word);
  return event;
}

Value sigval(Decoder& decoder, uint64_t value) {
  FieldValue fields[] = {
      {"sival_int", signed_number(static_cast<int32_t>(value))},
      {"sival_ptr", Decoder::address(value)},
  };
  return decoder.fields(fields);
}

bool sends_signal(uint32_t notify) { return notify == kSignal || notify == kThread || notify == kThreadId; }

}  // namespace

Value decode_sigevent(Decoder& decoder, uint64_t at, size_t) {
  std::optional<Event> event = read_event(decoder, Addr{at});
  if (!event) return decoder.missing(Addr{at});
  std::array<FieldValue, 5> fields;
  size_t count = 0;
  auto add = [&](std::string_view name, const Value& value) { fields[count++] = {name, value}; };
  if (event->value != 0) add("sigev_value", sigval(decoder, event->value));
  add("sigev_signo", sends_signal(event->notify)
                         ? Value{SignalNumber{event->signo}, {}}
                         : Decoder::number(static_cast<uint32_t>(event->signo), Show::Unsigned));
  add("sigev_notify", Decoder::named(event->notify, kNotify));
  if (event->notify == kThreadId) add("sigev_notify_thread_id", signed_number(event->thread));
  if (event->notify == kThread) {
    add("sigev_notify_function", Decoder::address(event->function));
    add("sigev_notify_attributes", Decoder::address(event->attributes));
  }
  return decoder.fields(std::span(fields).first(count));
}

}  // namespace strut

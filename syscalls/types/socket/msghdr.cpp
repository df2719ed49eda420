#include "syscalls/types/socket/msghdr.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <sys/socket.h>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/signed_number.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/netlink/netlink.hpp"
#include "syscalls/types/socket/control_messages.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

struct MsghdrMessage {
  uint64_t name = 0;
  int32_t name_bytes = 0;
  uint64_t buffers = 0, buffer_count = 0;
  uint64_t control = 0, control_bytes = 0;
  uint32_t flags = 0;
  uint32_t transferred = 0;  ///< msg_len of struct mmsghdr
};

constexpr size_t message_bytes(Abi abi) { return abi == Abi::X86_64 ? 56 : 28; }
constexpr size_t counted_message_bytes(Abi abi) { return abi == Abi::X86_64 ? 64 : 32; }
static_assert(message_bytes(Abi::X86_64) == sizeof(msghdr) && counted_message_bytes(Abi::X86_64) == sizeof(mmsghdr));

/// The message in the `bytes` of a msghdr, or a mmsghdr.
MsghdrMessage message_in(std::span<const std::byte> bytes, Abi abi) {
  const size_t word = pointer_bytes(abi);
  MsghdrMessage message;
  size_t at = 0;
  auto take = [&](auto& to, size_t count) {
    at = (at + count - 1) / count * count;
    std::memcpy(&to, bytes.data() + at, count);
    at += count;
  };
  take(message.name, word);
  take(message.name_bytes, 4);
  take(message.buffers, word);
  take(message.buffer_count, word);
  take(message.control, word);
  take(message.control_bytes, word);
  take(message.flags, 4);
  at = message_bytes(abi);
  if (bytes.size() > at) take(message.transferred, 4);
  return message;
}

// -- memory that is read ---------------------------------------------------------------------------------

constexpr uint32_t kMaxControlBytes = 1u << 16;
constexpr Type kData = pointer_to(kSocketData, by_field(1));
constexpr FieldType kBufferFields[] = {field("iov_base", kData), field("iov_len", kSize)};
constexpr StructLayout kBufferLayout = {"iovec", kBufferFields};
constexpr Type kBuffer = structure(kBufferLayout);
constexpr Type kControl = holding(kWhole<kMaxControlBytes>, Type::Holds::ControlMessages);
#define MESSAGE_FIELDS                                                                                         \
  field("msg_name", pointer_to(kWholeAddress, by_field(1))), field("msg_namelen", kInt),                       \
      field("msg_iov", pointer_to(kBuffer, by_field(3))), field("msg_iovlen", kSize),                          \
      field("msg_control", pointer_to(kControl, by_field(5))), field("msg_controllen", kSize),                 \
      field("msg_flags", kInt)
constexpr FieldType kMessageFields[] = {MESSAGE_FIELDS};
constexpr StructLayout kMessageLayout = {"msghdr", kMessageFields};
constexpr Type kHeader = structure(kMessageLayout);
constexpr FieldType kCountedFields[] = {field("msg_hdr", kHeader), field("msg_len", kUInt)};
constexpr StructLayout kCountedLayout = {"mmsghdr", kCountedFields};
static_assert(size_of(kMessageLayout, Abi::X86_64) == sizeof(msghdr) &&
              size_of(kCountedLayout, Abi::X86_64) == sizeof(mmsghdr));

std::optional<MsghdrMessage> read_message(Decoder& decoder, Addr at, size_t bytes) {
  std::array<std::byte, 64> copy;
  if (!decoder.read_bytes(at, std::span(copy).first(bytes))) return std::nullopt;
  return message_in(std::span(copy).first(bytes), decoder.abi());
}

/// The fields of a message of which at most `most` bytes of data are shown. `room`: how long an address the caller had
/// room for, where the call fills it in.
Value message_value(Decoder& decoder, const MsghdrMessage& message, uint64_t most, std::optional<int32_t> room) {
  const auto word = static_cast<uint8_t>(pointer_bytes(decoder.abi()));
  int32_t name_bytes = room ? std::min(*room, message.name_bytes) : message.name_bytes;
  bool name_changed = room && *room != message.name_bytes;
  Value now = signed_number(message.name_bytes);
  FieldList fields;
  fields.add("msg_name", message.name ? decode_sockaddr(decoder, Addr{message.name}, name_bytes) : Decoder::address(0));
  fields.add("msg_namelen", name_changed ? decoder.change(signed_number(*room), now) : now);
  fields.add("msg_iov", decode_message_buffers(decoder, Addr{message.buffers}, message.buffer_count, most));
  fields.add("msg_iovlen", Decoder::number(message.buffer_count, Show::Unsigned, word));
  if (message.control_bytes != 0)
    fields.add("msg_control", decode_control_messages(decoder, Addr{message.control}, message.control_bytes));
  fields.add("msg_controllen", Decoder::number(message.control_bytes, Show::Unsigned, word));
  fields.add("msg_flags", Decoder::named(message.flags, kMessageFlags));
  return fields.structure(decoder);
}

Value name_length_only(Decoder& decoder, const MsghdrMessage& message) {
  const FieldValue fields[] = {{"msg_namelen", signed_number(message.name_bytes)}};
  return decoder.fields(fields);
}

/// The result of name_length_only() at enter.
std::optional<int32_t> remembered_length(const Value* value) {
  const Struct* held = value ? std::get_if<Struct>(&value->is) : nullptr;
  if (!held || held->fields.empty()) return std::nullopt;
  const Number* number = std::get_if<Number>(&held->fields[0].value.is);
  return number ? std::optional(static_cast<int32_t>(number->bits)) : std::nullopt;
}

// -- several messages -----------------------------------------------------------------------------------

Value counted_value(Decoder& decoder, const Value& message, const MsghdrMessage& counted, bool done) {
  FieldList fields;
  fields.add("msg_hdr", message);
  if (done) fields.add("msg_len", Decoder::number(counted.transferred, Show::Unsigned, 4));
  return fields.structure(decoder);
}

constexpr uint32_t kMaxMessages = 1024;  // UIO_MAXIOV of the kernel's <linux/uio.h>: it takes no more

/// `count` messages, as far as memory goes and -s lets; `decode` makes the value of number `index`.
template <typename Decode>
Value messages(Decoder& decoder, uint64_t pointer, uint32_t count, Decode decode) {
  if (pointer == 0 || (!decoder.dereferences() && count != 0)) return Decoder::address(pointer);
  const size_t bytes = counted_message_bytes(decoder.abi());
  uint32_t shown = decoder.full() ? count : std::min<uint64_t>(count, decoder.options().max_string_bytes);
  shown = std::min(shown, kMaxMessages);
  std::span<Value> items = decoder.arena().array<Value>(shown);
  for (uint32_t i = 0; i < shown; i++) {
    Addr at = Addr{pointer} + i * bytes;
    auto message = read_message(decoder, at, bytes);
    if (!message && i == 0) return decoder.missing(at);
    if (!message) return {Array{items.first(i), ArrayStyle::List, false, at}, {}};
    items[i] = decode(*message, i);
  }
  return {Array{items, ArrayStyle::List, shown < count, {}}, {}};
}

}  // namespace

constinit const Type kMessageRead = structure(kMessageLayout);
constinit const Type kCountedMessageRead = structure(kCountedLayout);

Value decode_sent_message(Decoder& decoder, uint64_t pointer, size_t) {
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  auto message = read_message(decoder, Addr{pointer}, message_bytes(decoder.abi()));
  return message ? message_value(decoder, *message, ~0ull, std::nullopt) : decoder.missing(Addr{pointer});
}
Value decode_received_message(Decoder& decoder, uint64_t pointer, size_t) {
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  const Call& call = decoder.call();
  bool entering = decoder.phase() == Phase::Enter;
  if (!entering && call.error != 0) return *decoder.at_enter(1);
  auto message = read_message(decoder, Addr{pointer}, message_bytes(decoder.abi()));
  if (!message) return decoder.missing(Addr{pointer});
  if (entering) return name_length_only(decoder, *message);
  return message_value(decoder, *message, static_cast<uint64_t>(call.result), remembered_length(decoder.at_enter(1)));
}
Value decode_sent_messages(Decoder& decoder, uint64_t pointer, size_t) {
  const Call& call = decoder.call();
  uint32_t sent = call.error == 0 ? static_cast<uint32_t>(call.result) : 0;
  auto value = [&](const MsghdrMessage& message, uint32_t i) {
    return counted_value(decoder, message_value(decoder, message, ~0ull, std::nullopt), message, i < sent);
  };
  return messages(decoder, pointer, static_cast<uint32_t>(decoder.arg(2)), value);
}
Value decode_received_messages(Decoder& decoder, uint64_t pointer, size_t) {
  if (!decoder.dereferences()) return Decoder::address(pointer);
  if (decoder.phase() == Phase::Enter)
    return messages(decoder, pointer, static_cast<uint32_t>(decoder.arg(2)),
                    [&](const MsghdrMessage& message, uint32_t) { return name_length_only(decoder, message); });
  const Value* before = decoder.at_enter(1);
  const Array* lengths = before ? std::get_if<Array>(&before->is) : nullptr;
  return messages(
      decoder, pointer, static_cast<uint32_t>(decoder.call().result), [&](const MsghdrMessage& message, uint32_t i) {
        bool known = lengths && i < lengths->items.size();
        std::optional<int32_t> room = known ? remembered_length(&lengths->items[i]) : std::nullopt;
        return counted_value(decoder, message_value(decoder, message, message.transferred, room), message, true);
      });
}

Value decode_recvmmsg_result(Decoder& decoder) {
  if (decoder.call().result == 0) return Decoder::bare("Timeout");
  uint64_t timeout = decoder.arg(4);
  if (timeout == 0 || !decoder.dereferences()) return {};
  const FieldValue left[] = {{"left", decoder.pointee(decoder.call().desc->args[4].type, timeout)}};
  return decoder.fields(left);
}

}  // namespace strut

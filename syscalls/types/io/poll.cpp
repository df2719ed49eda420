#include "syscalls/types/io/poll.hpp"

#include <poll.h>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/signed_number.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <asm-generic/poll.h>; POLL_BUSY_LOOP is of the kernel's <linux/poll.h>.
constexpr Constant kPollEventNames[] = {
    {0x1, "POLLIN"}, {0x2, "POLLPRI"}, {0x4, "POLLOUT"}, {0x8, "POLLERR"}, {0x10, "POLLHUP"}, {0x20, "POLLNVAL"},
    {0x40, "POLLRDNORM"}, {0x80, "POLLRDBAND"}, {0x100, "POLLWRNORM"}, {0x200, "POLLWRBAND"}, {0x400, "POLLMSG"},
    {0x1000, "POLLREMOVE"}, {0x2000, "POLLRDHUP"}, {0x8000, "POLL_BUSY_LOOP"},
};

// poll(2): a negative descriptor is ignored, and so are its events.
bool is_watched(Decoder& decoder, Addr pollfd) {
  int32_t fd;
  return decoder.read(pollfd, fd) && fd >= 0;
}

constexpr FieldType kPollfdFields[] = {
    field("fd", kFd),
    field("events", named(kPollEvents, Width::B2), is_watched),
    padding(kS16),
};
constexpr StructLayout kPollfdLayout = {"pollfd", kPollfdFields};
static_assert(size_of(kPollfdLayout, Abi::X86_64) == sizeof(pollfd));

constexpr uint64_t kMaxPolled = 1u << 20;  // RLIMIT_NOFILE's usual ceiling

Value ready(Decoder& decoder, const pollfd& polled) {
  const FieldValue fields[] = {
      {"fd", signed_number(polled.fd)},
      {"revents", Decoder::named(static_cast<uint16_t>(polled.revents), kPollEvents, 2)},
  };
  return decoder.fields(fields);
}

Value ready_set(Decoder& decoder) {
  Addr at{decoder.arg(0)};
  uint64_t count = std::min(decoder.arg(1) & 0xffffffff, kMaxPolled);
  uint64_t found = std::min<uint64_t>(static_cast<uint64_t>(decoder.call().result), count);
  uint64_t shown = decoder.full() ? found : std::min<uint64_t>(found, decoder.options().max_string_bytes);
  std::span<Value> items = decoder.arena().array<Value>(shown);
  uint64_t held = 0;
  bool cut = false;
  for (uint64_t i = 0; i < count && !cut; i++) {
    pollfd polled;
    Addr here = at + i * sizeof polled;
    bool readable = decoder.read(here, polled);
    if (readable && polled.revents == 0) continue;
    cut = held == shown;
    if (!cut) items[held++] = readable ? ready(decoder, polled) : decoder.missing(here);
    if (!readable) break;
  }
  if (held == 0 && !cut) return {};
  return {Array{items.first(held), ArrayStyle::List, cut, {}}, {}};
}

Value timed_out() { return Decoder::bare("Timeout"); }

/// A call's timeout as it left it: Absent if it was given none, or a number.
Value time_left(Decoder& decoder, size_t index) {
  const Type& type = decoder.call().desc->args[index].type;
  uint64_t pointer = decoder.arg(index);
  return type.kind == Kind::Pointer && pointer != 0 ? decoder.pointee(type, pointer) : Value{};
}

}  // namespace

constinit const ConstantSet kPollEvents = flag_set("POLL???", kPollEventNames);
constinit const Type kPollfd = structure(kPollfdLayout);

Value decode_poll_result(Decoder& decoder) {
  if (decoder.call().result == 0) return timed_out();
  uint64_t bytes = (decoder.arg(1) & 0xffffffff) * sizeof(pollfd);
  if (!decoder.dereferences() || bytes > ~0ull - decoder.arg(0)) return {};
  FieldList shown;
  if (Value set = ready_set(decoder); !set.absent()) shown.add("", set);
  if (Value left = time_left(decoder, 2); !left.absent()) shown.add("left", left);
  return shown.fields().empty() ? Value{} : shown.structure(decoder);
}

// -- select -------------------------------------------------------------------------------------------

namespace {

constexpr uint64_t kMaxSelected = 1u << 20;

/// The bits of a set of the call's first argument's size; nullopt if there is none or it cannot be read.
std::optional<std::string_view> set_bits(Decoder& decoder, uint64_t pointer) {
  auto count = static_cast<int32_t>(decoder.arg(0));
  if (pointer == 0 || count <= 0) return std::nullopt;
  uint64_t word = pointer_bytes(decoder.abi());
  uint64_t bits = std::min<uint64_t>(static_cast<uint64_t>(count), kMaxSelected);
  return decoder.all_bytes(Addr{pointer}, (bits + 8 * word - 1) / (8 * word) * word);
}

template <typename Each>
void each_fd(Decoder& decoder, std::string_view bits, Each each) {
  auto count = static_cast<uint32_t>(decoder.arg(0));
  for (uint32_t fd = 0; fd < count && fd / 8 < bits.size(); fd++)
    if (static_cast<uint8_t>(bits[fd / 8]) >> fd % 8 & 1)
      if (!each(static_cast<int32_t>(fd))) return;
}

size_t population(Decoder& decoder, std::string_view bits) {
  size_t found = 0;
  each_fd(decoder, bits, [&](int32_t) { return ++found, true; });
  return found;
}

/// The descriptors of a set after the call, at most `budget` of all sets together: the call said how many there are.
void add_ready(Decoder& decoder, FieldList& shown, std::string_view name, size_t index, uint64_t& budget) {
  auto bits = set_bits(decoder, decoder.arg(index));
  if (!bits || budget == 0) return;
  size_t count = std::min<uint64_t>(population(decoder, *bits), budget);
  if (count == 0) return;
  std::span<Value> items = decoder.arena().array<Value>(count);
  size_t held = 0;
  each_fd(decoder, *bits, [&](int32_t fd) {
    items[held++] = Decoder::number(static_cast<uint64_t>(fd), Show::Signed, 4);
    return held < count;
  });
  budget -= count;
  shown.add(name, {Array{items, ArrayStyle::Set, false, {}}, {}});
}

constexpr FieldType kSigmaskFields[] = {
    field("sigmask", pointer_to(kSigset, by_field(1))),
    field("sigsetsize", kSize),
};
constexpr StructLayout kSigmaskLayout = {"pselect6_sigmask", kSigmaskFields};

}  // namespace

Value decode_fd_set(Decoder& decoder, uint64_t pointer, size_t) {
  if (!decoder.dereferences()) return Decoder::address(pointer);
  auto bits = set_bits(decoder, pointer);
  if (!bits) return Decoder::address(pointer);
  std::span<Value> items = decoder.arena().array<Value>(population(decoder, *bits));
  size_t held = 0;
  each_fd(decoder, *bits, [&](int32_t fd) { return items[held++] = decoder.fd(fd), true; });
  return {Array{items, ArrayStyle::Set, false, {}}, {}};
}
constinit const Type kSigmask = structure(kSigmaskLayout);

Value decode_select_result(Decoder& decoder) {
  if (decoder.call().result == 0) return timed_out();
  FieldList shown;
  auto budget = static_cast<uint64_t>(decoder.call().result);
  add_ready(decoder, shown, "in", 1, budget);
  add_ready(decoder, shown, "out", 2, budget);
  add_ready(decoder, shown, "except", 3, budget);
  if (Value left = time_left(decoder, 4); !left.absent()) shown.add("left", left);
  return shown.structure(decoder);
}

}  // namespace strut

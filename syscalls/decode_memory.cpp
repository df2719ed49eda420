// The part of Decoder that reads: bounded, and served from the copy of the structure being decoded where there is one.
#include <algorithm>
#include <cstring>

#include "syscalls/decoder.hpp"

namespace strut {

namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr size_t kPathMax = 4096;             // PATH_MAX of <linux/limits.h>
constexpr size_t kFirstChunk = 4096;          // bytes asked for at first where -s allows much more
constexpr Type kLengthResult{};               // a result that is a length has no sign, whatever an injection says
constexpr uint64_t kMaxTextBytes = 1u << 28;  // whatever -s says, no text is longer

uint64_t bounded(size_t max_string_bytes) { return std::min<uint64_t>(max_string_bytes, kMaxTextBytes - 1); }

}  // namespace

ReadOutcome Decoder::read_some(Addr at, std::span<std::byte> out) {
  if (!window_.covers(at, out.size())) return within_reach(at) ? scene_.memory.read(at, out) : ReadOutcome{0, false};
  if (!out.empty()) std::memcpy(out.data(), window_.bytes.data() + (raw(at) - raw(window_.at)), out.size());
  return {out.size(), false};
}

bool Decoder::read_bytes(Addr at, std::span<std::byte> out) {
  ReadOutcome outcome = read_some(at, out);
  last_unseen_ = outcome.unseen;
  return outcome.bytes >= out.size();
}

Value Decoder::missing(Addr at) {
  if (!last_unseen_) return {Unreadable{at}, {}};
  out_.unseen++;
  return {Unseen{at}, {}};
}

std::optional<uint64_t> Decoder::read_number(Addr at, Width width, bool is_signed) {
  size_t bytes = bytes_of(width, call_.abi);
  uint64_t bits = 0;
  if (!read_bytes(at, std::as_writable_bytes(std::span(&bits, 1)).first(bytes))) return std::nullopt;
  Type type;
  type.width = width;
  type.is_signed = is_signed;
  return narrowed(type, bits, call_.abi);
}

// Asks for a page at first and for twice as much each time it got all: a length that lies costs nothing.
std::optional<std::string_view> Decoder::all_bytes(Addr at, uint64_t bytes) {
  if (bytes > kMaxTextBytes) return std::nullopt;
  size_t held = 0, capacity = std::min<uint64_t>(bytes, kFirstChunk);
  char* to = static_cast<char*>(arena().allocate(capacity, 1));
  for (;;) {
    if (!read_bytes(at + held, std::as_writable_bytes(std::span(to + held, capacity - held)))) return std::nullopt;
    held = capacity;
    if (held == bytes) return std::string_view(to, held);
    capacity = std::min<uint64_t>(bytes, capacity * 2);
    char* larger = static_cast<char*>(arena().allocate(capacity, 1));
    std::memcpy(larger, to, held);
    to = larger;
  }
}

// The bytes before the NUL, or `limit` bytes if there is none among them; nullopt if memory ends before.
std::optional<std::string_view> Decoder::read_string_up_to(Addr at, uint64_t limit) {
  char chunk[kFirstChunk];
  std::string_view text;
  while (text.size() < limit) {
    size_t wanted = std::min<uint64_t>(limit - text.size(), sizeof chunk);
    ReadOutcome outcome = scene_.memory.read_string(at + text.size(), std::span(chunk, wanted));
    last_unseen_ = outcome.unseen;
    size_t got = std::min(outcome.bytes, wanted), length = strnlen(chunk, got);
    text = joined(text, std::string_view(chunk, length));
    if (length < got) break;
    if (got < wanted) return std::nullopt;
  }
  return text;
}

std::string_view Decoder::joined(std::string_view head, std::string_view tail) {
  if (head.empty()) return arena().copy(tail);
  char* to = static_cast<char*>(arena().allocate(head.size() + tail.size(), 1));
  std::memcpy(to, head.data(), head.size());
  std::memcpy(to + head.size(), tail.data(), tail.size());
  return {to, head.size() + tail.size()};
}

Value Decoder::c_string(Addr at, TextKind kind) { return string_within(at, kMaxTextBytes, kind); }

// A string of which at most `bytes` bytes are looked at: without a NUL among them it counts as cut.
Value Decoder::string_within(Addr at, uint64_t bytes, TextKind kind) {
  if (raw(at) == 0) return address(0);
  if (!within_reach(at)) return {Unreadable{at}, {}};
  if (bytes == 0) return {Text{{}, kind, false, false}, {}};
  uint64_t most = kind == TextKind::Path ? kPathMax - 1 : bounded(options().max_string_bytes);
  uint64_t limit = std::min(bytes, most + 1);
  std::optional<std::string_view> text = read_string_up_to(at, limit);
  if (!text) return missing(at);
  return {Text{text->substr(0, most), kind, text->size() == limit, false}, {}};
}

Value Decoder::buffer(Addr at, uint64_t bytes, TextKind kind) {
  if (raw(at) == 0) return address(0);
  if (!within_reach(at)) return {Unreadable{at}, {}};
  if (bytes == 0) return {Text{{}, kind, false, false}, {}};
  uint64_t most = bounded(options().max_string_bytes);
  std::optional<std::string_view> text = all_bytes(at, std::min(bytes, most + 1));
  if (!text) return missing(at);
  return {Text{text->substr(0, most), kind, bytes > most, false}, {}};
}

// A member of fixed size: shown whole up to its NUL, whatever -s says. Its last byte is a NUL's place.
Value Decoder::char_array(Addr at, size_t bytes, TextKind kind) {
  char* to = static_cast<char*>(arena().allocate(bytes, 1));
  if (!read_bytes(at, std::as_writable_bytes(std::span(to, bytes)))) return missing(at);
  size_t length = strnlen(to, bytes);
  bool cut = length == bytes && bytes > 0;
  return {Text{{to, cut ? bytes - 1 : length}, kind, cut, false}, {}};
}

Value Decoder::signal_set(Addr at, uint64_t bytes) {
  uint64_t bits = 0;
  if (bytes > sizeof bits || bytes == 0) return address(raw(at));
  if (!read_bytes(at, std::as_writable_bytes(std::span(&bits, 1)).first(bytes))) return missing(at);
  size_t word = pointer_bytes(call_.abi);  // the kernel's sets are made of words
  return {SignalSet{bits, static_cast<uint8_t>((bytes + word - 1) / word * word)}, {}};
}

std::optional<uint64_t> Decoder::length(const Length& length, Addr structure, const StructLayout* layout) {
  std::optional<uint64_t> count = count_from(length, structure, layout);
  if (!count) return std::nullopt;
  if (length.within >= 0) *count = std::min(*count, arg(static_cast<size_t>(length.within)));
  return *count / length.divisor * length.times + length.besides;
}

std::optional<uint64_t> Decoder::count_from(const Length& length, Addr structure, const StructLayout* layout) {
  switch (length.from) {
    case LengthFrom::None: return 1;
    case LengthFrom::Fixed: return length.fixed;
    case LengthFrom::Arg: return arg(length.index);
    case LengthFrom::ArgBits: return (arg(length.index) + 63) / 64 * 8;
    case LengthFrom::ArgPages: return arg(length.index) / kPageBytes + (arg(length.index) % kPageBytes != 0);
    case LengthFrom::Result: return call_.error == 0 ? narrowed(kLengthResult, call_.result, call_.abi) : 0;
    case LengthFrom::PointedBy: return pointed_length(length.index);
    case LengthFrom::Field: {
      if (!layout || length.index >= layout->fields_of(call_.abi).size()) return std::nullopt;
      const Type& type = layout->fields_of(call_.abi)[length.index].type;
      Addr at = structure + plan_of(*layout, call_.abi).places[length.index].at;
      bool may_be_negative = type.is_signed && length.most != 0;
      std::optional<uint64_t> count = read_number(at, type.width, may_be_negative);
      return count && may_be_negative && static_cast<int64_t>(*count) < 0 ? 0 : count;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> Decoder::pointed_length(size_t index) {
  std::optional<uint64_t> now = read_number(Addr{arg(index)}, Width::B4);
  const Value* before = at_enter(index);
  if (!now || !before) return now;
  auto* box = std::get_if<Array>(&before->is);
  auto* offered = box && box->items.size() == 1 ? std::get_if<Number>(&box->items[0].is) : nullptr;
  return offered ? std::min(*now, offered->bits & 0xffffffff) : now;
}

}  // namespace strut

#include "syscalls/types/common/extensible.hpp"

#include <algorithm>
#include <cstdio>

namespace strut {
namespace {

constexpr uint64_t kPageBytes = 4096;

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

Value decode_excess(Decoder& decoder, Addr at, uint64_t known, uint64_t size) {
  size = std::min(size, kPageBytes);
  if (size <= known) return {};
  std::span<std::byte> excess = decoder.arena().array<std::byte>(size - known);
  if (!decoder.read_bytes(at + known, excess)) return Decoder::bare("???");
  if (all_zero(excess)) return {};
  Value value = decoder.buffer(at + known, excess.size(), TextKind::Binary);
  char text[64];
  int length = std::snprintf(text, sizeof text, "bytes %lu..%lu", known, size - 1);
  value.comment = decoder.arena().copy(std::string_view(text, static_cast<size_t>(length)));
  value.comment_first = true;
  return value;
}

Value decode_extensible(Decoder& decoder, const StructLayout& layout, Addr at, uint64_t size, uint64_t smallest) {
  if (size < smallest) return Decoder::address(raw(at));
  uint64_t known = size_of(layout, decoder.abi());
  Value value = size < known ? decoder.structure(layout, at, size) : decoder.structure(layout, at);
  const Struct* shown = std::get_if<Struct>(&value.is);
  if (!shown || size <= known) return value;
  Value excess = decode_excess(decoder, at, known, size);
  if (excess.absent()) return value;
  std::span<FieldValue> fields = decoder.arena().array<FieldValue>(shown->fields.size() + 1);
  std::ranges::copy(shown->fields, fields.begin());
  fields.back() = {"", excess};
  return decoder.fields(fields);
}

}  // namespace strut

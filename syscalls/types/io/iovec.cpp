#include "syscalls/types/io/iovec.hpp"

#include <sys/uio.h>

#include <algorithm>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kIovecFields[] = {field("iov_base", kAddress), field("iov_len", kSize)};
constexpr StructLayout kIovecLayout = {"iovec", kIovecFields};
static_assert(size_of(kIovecLayout, Abi::X86_64) == sizeof(iovec));

constexpr Type kBuffer = pointer_to(kBytes, by_field(1));
constexpr FieldType kWrittenFields[] = {field("iov_base", kBuffer), field("iov_len", kSize)};
constexpr StructLayout kWrittenLayout = {"iovec", kWrittenFields};

constexpr uint64_t kAll = ~0ull;

/// One item of the array with its buffer's content, at most `most` bytes of it, in place of the address.
Value with_content(Decoder& decoder, const Value& item, uint64_t& most, const IovecContent& content) {
  const Struct* buffer = std::get_if<Struct>(&item.is);
  if (!buffer || buffer->fields.size() != 2) return item;
  const Pointer* base = std::get_if<Pointer>(&buffer->fields[0].value.is);
  const Number* length = std::get_if<Number>(&buffer->fields[1].value.is);
  if (!base || !length) return item;
  uint64_t bytes = std::min(length->bits, most);
  if (most != kAll) most -= bytes;
  const FieldValue fields[] = {{"iov_base", content(base->at, bytes)}, buffer->fields[1]};
  return decoder.fields(fields);
}

Value decode_read(Decoder& decoder, uint64_t at, size_t count) {
  const Call& call = decoder.call();
  if (call.error != 0) return decoder.array(kIovec, Addr{at}, count);
  return decode_iovecs(decoder, Addr{at}, count, static_cast<uint64_t>(std::max<int64_t>(call.result, 0)));
}

}  // namespace

constinit const Type kIovec = structure(kIovecLayout);
constinit const Type kIovecsWritten = structure(kWrittenLayout);
constinit const Type kIovecsRead = reading(custom(decode_read), kIovecsWritten);

Value decode_iovecs(Decoder& decoder, Addr at, uint64_t count, uint64_t most) {
  return decode_iovecs(decoder, at, count, most,
                       [&](Addr buffer, uint64_t bytes) { return decoder.buffer(buffer, bytes); });
}

Value decode_iovecs(Decoder& decoder, Addr at, uint64_t count, uint64_t most, const IovecContent& content) {
  Value value = decoder.array(kIovec, at, count);
  const Array* array = std::get_if<Array>(&value.is);
  if (!array) return value;
  std::span<Value> items = decoder.arena().array<Value>(array->items.size());
  for (size_t i = 0; i < items.size(); i++) items[i] = with_content(decoder, array->items[i], most, content);
  return {Array{items, array->style, array->cut, array->unreadable_at, array->unseen}, {}};
}

}  // namespace strut

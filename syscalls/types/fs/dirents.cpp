#include "syscalls/types/fs/dirents.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint64_t kMaxBytes = 16u << 20;  // more than any libc asks for

constexpr Constant kTypeNames[] = {
    {0, "DT_UNKNOWN"}, {1, "DT_FIFO"}, {2, "DT_CHR"},   {4, "DT_DIR"},
    {6, "DT_BLK"},     {8, "DT_REG"},  {10, "DT_LNK"}, {12, "DT_SOCK"}, {14, "DT_WHT"},
};

/// Where the members of a record are: two words (inode, offset), a 16-bit length, and the rest.
struct Shape {
  size_t word;        ///< bytes of d_ino and d_off
  bool type_first;    ///< d_type before the name; else in the last byte of the record
  size_t name() const { return 2 * word + 2 + (type_first ? 1 : 0); }  ///< and the smallest record
};

using Bytes = std::span<const std::byte>;

uint64_t number_at(Bytes bytes, size_t at, size_t width) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, width);
  return value;
}

/// One record in the rest of the buffer: its claimed length, and the part that exists.
struct Record {
  Bytes bytes;         ///< the existing part
  size_t says = 0;     ///< d_reclen
  size_t header = 0;
  bool underflow() const { return says < header; }
  size_t overflow() const { return says - std::min(says, bytes.size()); }
};

Record record_at(Bytes rest, const Shape& shape) {
  size_t says = number_at(rest, 2 * shape.word, 2);
  return {rest.first(std::min(std::max(says, shape.name()), rest.size())), says, shape.name()};
}

std::string_view remark(Decoder& decoder, const char* what, size_t bytes, const char* flow) {
  char text[64];
  int length = std::snprintf(text, sizeof text, "%s%zu bytes %sflow", what, bytes, flow);
  return decoder.arena().copy(std::string_view(text, static_cast<size_t>(length)));
}
std::string_view remark(Decoder& decoder, const char* what, const Record& record) {
  if (record.underflow()) return remark(decoder, what, record.header - record.says, "under");
  if (record.overflow()) return remark(decoder, what, record.overflow(), "over");
  return {};
}

Value name_value(Decoder& decoder, Bytes bytes) {
  const char* text = reinterpret_cast<const char*>(bytes.data());
  size_t length = strnlen(text, bytes.size());
  return decoder.text({text, length}, TextKind::Path, length == bytes.size() && length > 0);
}

Value entry(Decoder& decoder, const Record& record, const Shape& shape) {
  bool typed = shape.type_first || (!record.underflow() && record.bytes.size() > shape.name());
  size_t type_at = shape.type_first ? shape.name() - 1 : record.bytes.size() - 1;
  size_t name_end = shape.type_first ? record.bytes.size() : type_at;
  FieldValue fields[5] = {
      {"d_ino", Decoder::number(number_at(record.bytes, 0, shape.word), Show::Unsigned)},
      {"d_off", Decoder::number(number_at(record.bytes, shape.word, shape.word), Show::Unsigned)},
      {"d_reclen", Decoder::number(record.says, Show::Unsigned)},
  };
  fields[2].value.comment = remark(decoder, "", record);
  FieldValue type{"d_type", Decoder::named(number_at(record.bytes, type_at, 1), kDirentTypes, 1)};
  bool named = !record.underflow() && name_end > shape.name();
  size_t count = 3;
  if (shape.type_first) fields[count++] = type;
  if (named)
    fields[count++] = {"d_name", name_value(decoder, record.bytes.subspan(shape.name(), name_end - shape.name()))};
  if (!shape.type_first && typed) fields[count++] = type;
  return decoder.fields(std::span<const FieldValue>(fields, count));
}

/// The bytes after the last record: less than one, or those after one that is too short to contain the next one's
/// place.
struct Rest {
  Bytes bytes;
  bool broken = false;
};

/// Calls `each` with every record.
template <typename Each>
Rest walk(Bytes bytes, const Shape& shape, Each each) {
  while (bytes.size() >= shape.name()) {
    Record record = record_at(bytes, shape);
    each(record);
    bytes = bytes.subspan(record.bytes.size());
    if (record.underflow()) return {bytes, true};
  }
  return {bytes};
}

Value entries(Decoder& decoder, Bytes bytes, const Shape& shape) {
  size_t count = 0;
  Rest left = walk(bytes, shape, [&](const Record&) { count++; });
  Bytes rest = left.broken ? Bytes() : left.bytes;
  std::span<Value> items = decoder.arena().array<Value>(count + (rest.empty() ? 0 : 1));
  size_t held = 0;
  walk(bytes, shape, [&](const Record& record) { items[held++] = entry(decoder, record, shape); });
  if (count == 0 && !rest.empty())
    return decoder.text({reinterpret_cast<const char*>(rest.data()), rest.size()}, TextKind::Binary);
  if (!rest.empty())
    items[held] = decoder.text({reinterpret_cast<const char*>(rest.data()), rest.size()}, TextKind::Binary);
  return {Array{items}, {}};
}

/// The address, with how many entries are behind it.
Value counted(Decoder& decoder, Addr at, Bytes bytes, const Shape& shape) {
  size_t count = 0;
  std::string_view flow;
  Rest rest = walk(bytes, shape, [&](const Record& record) {
    count++;
    if (flow.empty()) flow = remark(decoder, "d_reclen ", record);
  });
  char text[128];
  int length = std::snprintf(text, sizeof text, "%.*s%s%zu%s entries", static_cast<int>(flow.size()), flow.data(),
                             flow.empty() ? "" : " */ /* ", count, rest.bytes.empty() ? "" : "+");
  Value value = Decoder::address(raw(at));
  value.comment = decoder.arena().copy(std::string_view(text, static_cast<size_t>(length)));
  return value;
}

/// Less than one record: nothing of it is looked at.
Value no_entry(Addr at, uint64_t length) {
  Value value = Decoder::address(raw(at));
  value.comment = length == 0 ? "0 entries" : "0+ entries";
  return value;
}

Value records(Decoder& decoder, Addr at, const Shape& shape) {
  uint64_t length = static_cast<uint64_t>(std::max<int64_t>(decoder.call().result, 0));
  if (length > (decoder.arg(2) & 0xffffffff) || length > kMaxBytes) return Decoder::address(raw(at));
  if (length < shape.name() && !decoder.full()) return no_entry(at, length);
  std::span<std::byte> bytes = decoder.arena().array<std::byte>(length);
  if (!decoder.read_bytes(at, bytes)) return decoder.missing(at);
  return decoder.full() ? entries(decoder, bytes, shape) : counted(decoder, at, bytes, shape);
}

// The name ends at its NUL, and in any case after as many bytes as the 16-bit length before it says.
Value decode_name(Decoder& decoder, uint64_t at, size_t) {
  uint16_t length = 0;
  if (!decoder.read(Addr{at - sizeof length}, length)) return decoder.missing(Addr{at});
  constexpr uint16_t kNameMax = 256;
  std::span<std::byte> name = decoder.arena().array<std::byte>(std::min(length, kNameMax));
  for (size_t held = 0; held < name.size(); held++) {
    if (!decoder.read_bytes(Addr{at} + held, name.subspan(held, 1))) return decoder.missing(Addr{at});
    if (name[held] == std::byte{0}) return name_value(decoder, name.first(held + 1));
  }
  return name_value(decoder, name);
}
constexpr FieldType kOldDirentFields[] = {
    field("d_ino", kULong),
    field("d_off", kULong),
    field("d_reclen", kU16),
    field("d_name", custom(decode_name, 1, Width::B1)),
};
constexpr StructLayout kOldDirentLayout = {"old_linux_dirent", kOldDirentFields, true};

}  // namespace

constinit const ConstantSet kDirentTypes = enumeration("DT_???", kTypeNames);
constinit const Type kOneOldDirent = reading(structure(kOldDirentLayout), kWhole<320>);

// Arguments as a whole, because a null pointer too says how many entries it holds.
Value decode_dirents64(Decoder& decoder, uint64_t at, size_t) {
  if (!decoder.dereferences()) return Decoder::address(at);
  return records(decoder, Addr{at}, {8, true});
}
Value decode_dirents(Decoder& decoder, uint64_t at, size_t) {
  if (!decoder.dereferences()) return Decoder::address(at);
  return records(decoder, Addr{at}, {bytes_of(Width::KernelLong, decoder.abi()), false});
}

}  // namespace strut

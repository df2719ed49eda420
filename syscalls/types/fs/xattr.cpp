#include "syscalls/types/fs/xattr.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint64_t kMaxBytes = 65536;  // XATTR_SIZE_MAX, XATTR_LIST_MAX of <linux/limits.h>

constexpr Constant kFlagNames[] = {{1, "XATTR_CREATE"}, {2, "XATTR_REPLACE"}};

Value value_of(Decoder& decoder, Addr at, uint64_t bytes) {
  return bytes > kMaxBytes ? Decoder::address(raw(at)) : decoder.buffer(at, bytes, TextKind::Ended);
}

uint64_t got(Decoder& decoder) {
  return decoder.call().result > 0 ? static_cast<uint64_t>(decoder.call().result) : 0;
}

/// The value behind struct xattr_args: set, got, or not there yet.
Value decode_args_value(Decoder& decoder, uint64_t at, size_t) {
  std::optional<uint64_t> value = decoder.read_number(Addr{at}, Width::B8);
  std::optional<uint64_t> size = decoder.read_number(Addr{at} + 8, Width::B4);
  if (!value || !size) return decoder.missing(Addr{at});
  if (decoder.phase() == Phase::Enter) return value_of(decoder, Addr{*value}, *size);
  bool failed = decoder.call().error != 0 || *size == 0;
  return failed ? Decoder::address(*value) : value_of(decoder, Addr{*value}, got(decoder));
}

constexpr FieldType kArgsFields[] = {
    field("value", custom(decode_args_value, 8, Width::B8)),
    field("size", kUInt),
    field("flags", named(kXattrFlags)),
};
constexpr StructLayout kArgsLayout = {"xattr_args", kArgsFields};
static_assert(size_of(kArgsLayout, Abi::X86_64) == 16);

// The memory that is read: the structure, and the value that is set, or as much as there was room for.
constexpr FieldType kReadFields[] = {
    at(0, field("", kExtensible<5>)),
    at(0, field("value", pointer_to(kBytes, by_field(2)))),
    at(8, field("size", kUInt)),
};
constexpr StructLayout kReadLayout = {"xattr_args", kReadFields};
constexpr Type kArgsRead = structure(kReadLayout);

// A set value is decoded at enter, a got one at exit; decode_args_value depends on that.
Value decode_args(Decoder& decoder, uint64_t at, size_t) {
  constexpr uint64_t kFirstSize = 16;  // XATTR_ARGS_SIZE_VER0
  return decode_extensible(decoder, kArgsLayout, Addr{at}, decoder.arg(5), kFirstSize);
}

}  // namespace

constinit const ConstantSet kXattrFlags = flag_set("XATTR_???", kFlagNames);
constinit const Type kXattrArgs = reading(custom(decode_args), kArgsRead);

Value decode_xattr_set(Decoder& decoder, uint64_t at, size_t) {
  return value_of(decoder, Addr{at}, decoder.arg(3));
}

Value decode_xattr_got(Decoder& decoder, uint64_t at, size_t) {
  return decoder.arg(3) == 0 ? Decoder::address(at) : value_of(decoder, Addr{at}, got(decoder));
}

template <size_t kSize>
Value decode_xattr_list_by(Decoder& decoder, uint64_t at, size_t) {
  return decoder.arg(kSize) == 0 ? Decoder::address(at) : decoder.buffer(Addr{at}, got(decoder));
}
template Value decode_xattr_list_by<2>(Decoder&, uint64_t, size_t);
template Value decode_xattr_list_by<4>(Decoder&, uint64_t, size_t);

}  // namespace strut

#include "syscalls/types/fs/xattr.hpp"

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kFlagNames[] = {{1, "XATTR_CREATE"}, {2, "XATTR_REPLACE"}};

// The value behind struct xattr_args: set, got, or not there yet.
bool is_set(Decoder& decoder, Addr args) {
  return at_entry(decoder, args) && word_at(decoder, args + 8, Width::B4) <= kXattrMaxBytes;
}
bool is_got(Decoder& decoder, Addr args) {
  return succeeded(decoder, args) && not_zero<8, 4>(decoder, args) && result_within<kXattrMaxBytes>(decoder, args);
}
constexpr Type kSetValue = wide(pointer_to(kXattrBytes, by_field(1)));
constexpr Type kGotValue = wide(pointer_to(kXattrBytes, by_result()));
constexpr Type kNoSetValue = kEither<is_got, kGotValue, kWideAddress>;

constexpr FieldType kArgsFields[] = {
    field("value", kEither<is_set, kSetValue, kNoSetValue>),
    field("size", kUInt),
    field("flags", named(kXattrFlags)),
};
constexpr StructLayout kArgsLayout = {"xattr_args", kArgsFields};
static_assert(size_of(kArgsLayout, Abi::X86_64) == 16);

}  // namespace

constinit const ConstantSet kXattrFlags = flag_set("XATTR_???", kFlagNames);
constinit const Type kXattrArgs = extensible(kArgsLayout, by_arg(5), 16);  // XATTR_ARGS_SIZE_VER0

}  // namespace strut

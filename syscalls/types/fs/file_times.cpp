#include "syscalls/types/fs/file_times.hpp"

#include <utime.h>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Type kTime = dated(kKernelLong);
constexpr FieldType kUtimbufFields[] = {field("actime", kTime), field("modtime", kTime)};
constexpr StructLayout kUtimbufLayout = {"utimbuf", kUtimbufFields};
static_assert(size_of(kUtimbufLayout, Abi::X86_64) == sizeof(struct utimbuf));

/// A structure of seconds and a fraction, with the fraction's value.
struct Stamp {
  Value value;
  int64_t seconds = 0;
  uint64_t fraction = 0;
};

Stamp stamp_at(Decoder& decoder, const Type& type, Addr at) {
  Stamp stamp{decoder.object(type, at)};
  const Struct* fields = std::get_if<Struct>(&stamp.value.is);
  if (!fields || fields->fields.size() != 2) return stamp;
  if (const Number* seconds = std::get_if<Number>(&fields->fields[0].value.is))
    stamp.seconds = static_cast<int64_t>(seconds->bits);
  if (const Number* fraction = std::get_if<Number>(&fields->fields[1].value.is)) stamp.fraction = fraction->bits;
  return stamp;
}

Value with_date(Decoder& decoder, Stamp stamp) {
  stamp.value.comment = calendar_time_us(decoder.arena(), stamp.seconds, stamp.fraction);
  return stamp.value;
}

Value with_names(Decoder& decoder, Stamp stamp) {
  constexpr uint64_t kNow = 0x3fffffff, kOmit = 0x3ffffffe;  // UTIME_NOW, UTIME_OMIT of <linux/stat.h>
  if (stamp.fraction == kNow) return {Alias{"UTIME_NOW", decoder.arena().make(stamp.value)}, {}};
  if (stamp.fraction == kOmit) return {Alias{"UTIME_OMIT", decoder.arena().make(stamp.value)}, {}};
  stamp.value.comment = calendar_time(decoder.arena(), stamp.seconds, stamp.fraction);
  return stamp.value;
}

/// The time of last access and that of last modification.
template <const Type& kElement, Value (*kShown)(Decoder&, Stamp)>
Value decode_pair(Decoder& decoder, uint64_t at, size_t) {
  std::span<Value> items = decoder.arena().array<Value>(2);
  for (size_t i = 0; i < items.size(); i++) {
    Stamp stamp = stamp_at(decoder, kElement, Addr{at} + i * size_of(kElement, decoder.abi()));
    if (!std::holds_alternative<Struct>(stamp.value.is)) return decoder.missing(Addr{at});
    items[i] = kShown(decoder, stamp);
  }
  return decoder.listed(items);
}

}  // namespace

constinit const Type kUtimbuf = structure(kUtimbufLayout);
constinit const Type kFileTimevals = custom(decode_pair<kTimeval, with_date>);
constinit const Type kFileTimespecs = custom(decode_pair<kTimespec, with_names>);
constinit const Type kFileTimespecs64 = custom(decode_pair<kTimespec64, with_names>);

}  // namespace strut

#include "syscalls/types/process/lsm.hpp"

#include <algorithm>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kAttributeNames[] = {
    {0, "LSM_ATTR_UNDEF"},      {100, "LSM_ATTR_CURRENT"}, {101, "LSM_ATTR_EXEC"},       {102, "LSM_ATTR_FSCREATE"},
    {103, "LSM_ATTR_KEYCREATE"}, {104, "LSM_ATTR_PREV"},   {105, "LSM_ATTR_SOCKCREATE"},
};
constexpr uint64_t kSingle = 1;
constexpr Constant kFlagNames[] = {{kSingle, "LSM_FLAG_SINGLE"}};
constexpr Constant kIdNames[] = {
    {0, "LSM_ID_UNDEF"},
    {100, "LSM_ID_CAPABILITY"}, {101, "LSM_ID_SELINUX"}, {102, "LSM_ID_SMACK"},    {103, "LSM_ID_TOMOYO"},
    {104, "LSM_ID_APPARMOR"},   {105, "LSM_ID_YAMA"},    {106, "LSM_ID_LOADPIN"},  {107, "LSM_ID_SAFESETID"},
    {108, "LSM_ID_LOCKDOWN"},   {109, "LSM_ID_BPF"},     {110, "LSM_ID_LANDLOCK"}, {111, "LSM_ID_IMA"},
    {112, "LSM_ID_EVM"},        {113, "LSM_ID_IPE"},
};
constexpr ConstantSet kIds = enumeration("LSM_ID_???", kIdNames);
constexpr ConstantSet kIdsAlone = enumeration(nullptr, kIdNames);
constexpr Type kId64 = named(kIds, Width::B8);

constexpr Type kContextRead = whole_bytes(4096, by_arg(2)), kContextsRead = kWhole<4096>;
constexpr Type kIdsRead = whole_bytes(512, fixed(512));

struct Context {
  uint64_t id = 0, flags = 0, length = 0, context_length = 0;
};

Value decode_context(Decoder& decoder, Addr at, uint64_t size, Context& context) {
  if (size < sizeof context) return Decoder::address(raw(at));
  if (!decoder.read(at, context)) return decoder.missing(at);
  FieldValue fields[5] = {
      {"id", Decoder::named(context.id, kIdsAlone, 8)},
      {"flags", Decoder::number(context.flags, Show::Hex)},
      {"len", Decoder::number(context.length, Show::Unsigned)},
      {"ctx_len", Decoder::number(context.context_length, Show::Unsigned)},
  };
  uint64_t within = std::max<uint64_t>(std::min(size, context.length), sizeof context) - sizeof context;
  uint64_t bytes = std::min(context.context_length, within);
  if (bytes == 0) return decoder.fields(std::span<const FieldValue>(fields, 4));
  fields[4] = {"ctx", decoder.buffer(at + sizeof context, bytes, TextKind::Binary)};
  return decoder.fields(fields);
}

Value decode_set(Decoder& decoder, uint64_t at, size_t) {
  Context context;
  return decode_context(decoder, Addr{at}, decoder.arg(2) & 0xffffffff, context);
}

/// The caller's request, before the call.
Value wanted(Decoder& decoder, Addr at) {
  uint64_t id = 0;
  if (!decoder.read(at, id)) return decoder.missing(at);
  const FieldValue fields[] = {{"id", Decoder::named(id, kIdsAlone, 8)}};
  return decoder.fields(fields);
}

Value stored(Decoder& decoder, Addr at, uint64_t size) {
  constexpr uint64_t kMaxItems = 2048;
  if (size < sizeof(Context)) return Decoder::address(raw(at));
  std::span<Value> items = decoder.arena().array<Value>(std::min(size / sizeof(Context) + 1, kMaxItems));
  size_t count = 0, most = decoder.full() ? items.size() : std::min(items.size(), decoder.options().max_string_bytes);
  do {
    Context context;
    Value item = decode_context(decoder, at, size, context);
    if (!std::holds_alternative<Struct>(item.is))
      return count == 0 ? item : Value{Array{items.first(count), ArrayStyle::List, false, at}, {}};
    if (most == 0) return Decoder::bare("...");
    if (count == most) return {Array{items.first(count), ArrayStyle::List, true}, {}};
    items[count++] = item;
    if (context.length < sizeof context || context.length > size) break;
    at = at + context.length;
    size -= context.length;
  } while (size != 0);
  return {Array{items.first(count)}, {}};
}

Value decode_got(Decoder& decoder, uint64_t at, size_t) {
  std::optional<uint64_t> size = decoder.read_number(Addr{decoder.arg(2)}, Width::B4);
  if (!size) return Decoder::address(at);
  if (decoder.phase() == Phase::Enter)
    return decoder.arg(3) & kSingle ? wanted(decoder, Addr{at}) : Value{Pending{}, {}};
  return decoder.call().error != 0 ? Decoder::address(at) : stored(decoder, Addr{at}, *size);
}

Value decode_ids(Decoder& decoder, uint64_t at, size_t) {
  if (!decoder.read_number(Addr{decoder.arg(1)}, Width::B4)) return Decoder::address(at);
  uint64_t count = decoder.call().result > 0 ? static_cast<uint64_t>(decoder.call().result) : 0;
  return decoder.array(kId64, Addr{at}, count);
}

}  // namespace

constinit const ConstantSet kLsmAttributes = enumeration("LSM_ATTR_???", kAttributeNames);
constinit const ConstantSet kLsmFlags = flag_set("LSM_FLAG_???", kFlagNames);
constinit const Type kLsmContext = reading(custom(decode_set), kContextRead);
constinit const Type kLsmContexts = reading(custom(decode_got), kContextsRead);
constinit const Type kLsmIds = reading(custom(decode_ids), kIdsRead);

}  // namespace strut

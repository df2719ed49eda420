#include "core/types/lsm.hpp"

#include <array>

#include "core/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/lsm.h>.
constexpr Constant kAttributeNames[] = {
    {0, "LSM_ATTR_UNDEF"}, {100, "LSM_ATTR_CURRENT"}, {101, "LSM_ATTR_EXEC"}, {102, "LSM_ATTR_FSCREATE"},
    {103, "LSM_ATTR_KEYCREATE"}, {104, "LSM_ATTR_PREV"}, {105, "LSM_ATTR_SOCKCREATE"},
};
constexpr Constant kFlagNames[] = {{1, "LSM_FLAG_SINGLE"}};
constexpr Constant kIdNames[] = {
    {0, "LSM_ID_UNDEF"}, {100, "LSM_ID_CAPABILITY"}, {101, "LSM_ID_SELINUX"}, {102, "LSM_ID_SMACK"},
    {103, "LSM_ID_TOMOYO"}, {104, "LSM_ID_APPARMOR"}, {105, "LSM_ID_YAMA"}, {106, "LSM_ID_LOADPIN"},
    {107, "LSM_ID_SAFESETID"}, {108, "LSM_ID_LOCKDOWN"}, {109, "LSM_ID_BPF"}, {110, "LSM_ID_LANDLOCK"},
    {111, "LSM_ID_IMA"}, {112, "LSM_ID_EVM"}, {113, "LSM_ID_IPE"},
};
constinit const ConstantSet kIds = enumeration("LSM_ID_???", kIdNames);

struct Context {
  uint64_t id, flags, bytes, context_bytes;
};

/// A context of which `room` bytes exist: its text only if it lies within them.
Value context_value(Decoder& decoder, Addr at, const Context& context, uint64_t room) {
  std::array<FieldValue, 5> fields = {{
      {"id", Decoder::named(context.id, kIds, 8)},
      {"flags", Decoder::number(context.flags, Show::Hex)},
      {"len", Decoder::number(context.bytes, Show::Unsigned)},
      {"ctx_len", Decoder::number(context.context_bytes, Show::Unsigned)},
  }};
  size_t count = 4;
  bool fits = room > sizeof context && context.context_bytes <= room - sizeof context;
  if (fits) fields[count++] = {"ctx", decoder.buffer(at + sizeof context, context.context_bytes, TextKind::Binary)};
  return decoder.fields(std::span(fields).first(count));
}

/// Contexts in `bytes` bytes, each as long as itself says.
Value contexts(Decoder& decoder, Addr at, uint64_t bytes) {
  constexpr size_t kMost = 64;
  std::span<Value> items = decoder.arena().array<Value>(kMost);
  size_t count = 0;
  uint64_t done = 0;
  for (; done < bytes && count < kMost; count++) {
    Context context;
    if (!decoder.read(at + done, context))
      return count == 0 ? decoder.missing(at) : Value{Array{items.first(count), ArrayStyle::List, false, at + done}, {}};
    items[count] = context_value(decoder, at + done, context, bytes - done);
    if (context.bytes < sizeof context || context.bytes > bytes) return {Array{items.first(count + 1)}, {}};
    done += context.bytes;
  }
  return {Array{items.first(count), ArrayStyle::List, done < bytes, {}}, {}};
}

}  // namespace

constinit const ConstantSet kLsmAttributes = enumeration("LSM_ATTR_???", kAttributeNames);
constinit const ConstantSet kLsmFlags = flag_set("LSM_FLAG_???", kFlagNames);
constinit const Type kLsmId = named(kIds, Width::B8);

Value decode_lsm_context(Decoder& decoder, uint64_t at, size_t) {
  Context context;
  uint64_t room = decoder.arg(2);
  if (room < sizeof context) return Decoder::address(at);
  if (!decoder.read(Addr{at}, context)) return decoder.missing(Addr{at});
  return context_value(decoder, Addr{at}, context, room);
}

Value decode_lsm_contexts(Decoder& decoder, uint64_t pointer, size_t) {
  Addr at{pointer};
  bool single = decoder.arg(3) & 1;
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  if (decoder.phase() == Phase::Enter) {
    auto id = single ? decoder.read_number(at, Width::B8) : std::nullopt;
    if (!id) return Decoder::address(pointer);
    FieldValue fields[] = {{"id", Decoder::named(*id, kIds, 8)}};
    return decoder.fields(fields);
  }
  auto bytes = decoder.read_number(Addr{decoder.arg(2)}, Width::B4);
  bool stored = decoder.call().error == 0 && bytes;
  Value now = stored ? contexts(decoder, at, *bytes) : Decoder::address(pointer);
  const Value* asked = decoder.at_enter(1);
  return asked && std::holds_alternative<Struct>(asked->is) ? decoder.change(*asked, now) : now;
}

}  // namespace strut

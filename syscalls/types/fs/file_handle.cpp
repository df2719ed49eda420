#include "syscalls/types/fs/file_handle.hpp"

#include <algorithm>
#include <cerrno>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/fs/at_flags.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint32_t kMaxHandleBytes = 128;  // MAX_HANDLE_SZ

struct Header {
  uint32_t bytes = 0;
  int32_t type = 0;
};

/// All bytes of the handle, whatever -s says.
Value handle_bytes(Decoder& decoder, Addr at, uint32_t count) {
  std::span<std::byte> bytes = decoder.arena().array<std::byte>(std::min(count, kMaxHandleBytes));
  if (!decoder.read_bytes(at, bytes)) return Decoder::bare("???");
  return decoder.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, TextKind::Binary,
                      count > kMaxHandleBytes);
}

Value whole_handle(Decoder& decoder, Addr at, const Value& size, const Header& header) {
  const FieldValue fields[] = {
      {"handle_bytes", size},
      {"handle_type", Decoder::number(static_cast<uint64_t>(int64_t{header.type}), Show::Signed)},
      {"f_handle", handle_bytes(decoder, at + sizeof header, header.bytes)},
  };
  return decoder.fields(fields);
}

Value decode_handle(Decoder& decoder, uint64_t at, size_t) {
  Header header;
  if (!decoder.read(Addr{at}, header)) return decoder.missing(Addr{at});
  return whole_handle(decoder, Addr{at}, Decoder::number(header.bytes, Show::Unsigned), header);
}

/// The size alone, where the rest is not there yet or never.
Value size_only(Decoder& decoder, const Value& size) {
  const FieldValue fields[] = {{"handle_bytes", size}};
  return decoder.fields(fields);
}

Value handle_at_enter(Decoder& decoder, Addr at) {
  Header header;
  if (!decoder.dereferences() || raw(at) == 0) return Decoder::address(raw(at));
  if (!decoder.read(at, header)) return decoder.missing(at);
  return size_only(decoder, Decoder::number(header.bytes, Show::Unsigned));
}

// EOVERFLOW says that the handle is too small and how large it would have to be.
Value handle_at_exit(Decoder& decoder, Addr at, const Value& entered) {
  const Struct* before = std::get_if<Struct>(&entered.is);
  int error = decoder.call().error;
  if (!before || before->fields.size() != 1 || (error != 0 && error != EOVERFLOW)) return entered;
  Header header;
  if (!decoder.read(at, header)) return decoder.missing(at);
  const Value& offered = before->fields[0].value;
  Value now = Decoder::number(header.bytes, Show::Unsigned);
  Value size = same(offered, now) ? now : decoder.change(offered, now);
  return error == 0 ? whole_handle(decoder, at, size, header) : size_only(decoder, size);
}

constexpr Type kMountId = pointer_to(kInt);
constexpr ArgType kArgs[] = {
    dirfd("dirfd"), path("pathname"), address("handle"), out("mount_id", kInt), flags("flags", kAtHandleFlags)};

}  // namespace

constinit const Type kFileHandle = custom(decode_handle);

// The handle's line is written when all of it is known. The offered size waits after the arguments until then.
void decode_name_to_handle(Decoder& decoder, DecodedCall& out) {
  constexpr size_t kOffered = std::size(kArgs);
  static_assert(kOffered < kMaxArgs);
  const auto& regs = decoder.call().regs;
  if (decoder.phase() == Phase::Exit) {
    out.args[2].value = handle_at_exit(decoder, Addr{regs[2]}, out.args[kOffered].value);
    bool filled = decoder.call().error == 0 && std::holds_alternative<Struct>(out.args[2].value.is);
    out.args[3].value = filled ? decoder.pointee(kMountId, regs[3]) : Decoder::address(regs[3]);
    return;
  }
  for (size_t i = 0; i < std::size(kArgs); i++) out.args[i] = {&kArgs[i], decoder.scalar(kArgs[i].type, regs[i])};
  out.args[kOffered].value = handle_at_enter(decoder, Addr{regs[2]});
  out.args[2].value = out.args[3].value = {Pending{}, {}};
  out.count = std::size(kArgs);
  out.ready = 2;
}

}  // namespace strut

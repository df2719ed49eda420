#include "syscalls/types/process/thread_area.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <asm/ldt.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

/// struct user_desc of <asm/ldt.h>.
struct UserDesc {
  uint32_t entry_number, base_addr, limit, flags;
};
static_assert(sizeof(UserDesc) == sizeof(user_desc));

/// Hexadecimal with 0x in at least eight characters; the null address is 00000000.
Value padded_hex(Arena& arena, uint32_t bits) {
  char text[16];
  int length = std::snprintf(text, sizeof text, "%#08x", bits);
  return {Text{arena.copy(std::string_view(text, static_cast<size_t>(length))), TextKind::Bare, false, false}, {}};
}

Value bits_of(uint32_t flags, unsigned shift, uint32_t mask = 1) {
  return Decoder::number(flags >> shift & mask, Show::Unsigned, 4);
}

}  // namespace

Value decode_user_desc(Decoder& decoder, uint64_t at, size_t) {
  UserDesc desc;
  if (!decoder.read(Addr{at}, desc)) return decoder.missing(Addr{at});
  std::array<FieldValue, 9> fields = {{
      {"entry_number", Decoder::number(desc.entry_number, Show::Id, 4)},
      {"base_addr", padded_hex(decoder.arena(), desc.base_addr)},
      {"limit", padded_hex(decoder.arena(), desc.limit)},
      {"seg_32bit", bits_of(desc.flags, 0)},
      {"contents", bits_of(desc.flags, 1, 3)},
      {"read_exec_only", bits_of(desc.flags, 3)},
      {"limit_in_pages", bits_of(desc.flags, 4)},
      {"seg_not_present", bits_of(desc.flags, 5)},
      {"useable", bits_of(desc.flags, 6)},
  }};
  if (decoder.abi() == Abi::I386) return decoder.fields(fields);
  std::array<FieldValue, 10> with_long;
  std::copy(fields.begin(), fields.end(), with_long.begin());
  with_long[9] = {"lm", bits_of(desc.flags, 7)};
  return decoder.fields(with_long);
}

Value decode_user_desc_asked(Decoder& decoder, uint64_t at, size_t) {
  Value whole = decoder.call().error == 0 ? decode_user_desc(decoder, at, 0) : Value{};
  if (std::holds_alternative<Struct>(whole.is)) return whole;
  auto entry = decoder.read_number(Addr{at}, Width::B4);
  if (!entry) return decoder.missing(Addr{at});
  FieldValue fields[] = {{"entry_number", Decoder::number(*entry, Show::Id, 4)}};
  return decoder.fields(fields, true);
}

Value decode_ldt_pointer(Decoder& decoder, uint64_t pointer, size_t) {
  return decoder.arg(2) == sizeof(UserDesc) ? decoder.pointee(kUserDescPointer, pointer) : Decoder::address(pointer);
}

Value thread_area_entry(Decoder& decoder) {
  UserDesc desc;
  if (!decoder.dereferences() || !decoder.read(Addr{decoder.arg(0)}, desc)) return {};
  char digits[16];
  char* end = std::to_chars(digits, digits + sizeof digits, desc.entry_number).ptr;
  const char* text = joined(decoder.arena(), {"entry_number=", {digits, end}});
  return {Text{text, TextKind::Bare, false, false}, {}};
}

Value decode_ldt_result(Decoder& decoder, uint64_t bits, size_t) {
  int error = -static_cast<int32_t>(bits);
  const char* name = error > 0 ? kErrnoNames.name_of(static_cast<uint64_t>(error)) : nullptr;
  if (!name) return Decoder::number(bits, error > 0 ? Show::Signed : Show::Unsigned);
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, static_cast<int64_t>(bits)).ptr;
  return {Text{joined(decoder.arena(), {{digits, end}, " ", name}), TextKind::Bare, false, false}, {}};
}

Value ldt_error(Decoder& decoder) {
  int error = -static_cast<int32_t>(decoder.call().result);
  if (error <= 0) return {};
  if (const char* text = kErrnoNames.name_of(static_cast<uint64_t>(error)) ? strerrordesc_np(error) : nullptr)
    return Decoder::bare(text);
  char digits[16];
  char* end = std::to_chars(digits, digits + sizeof digits, error).ptr;
  return {Text{joined(decoder.arena(), {"errno ", {digits, end}}), TextKind::Bare, false, false}, {}};
}

}  // namespace strut

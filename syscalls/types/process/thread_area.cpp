#include "syscalls/types/process/thread_area.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>

#include <asm/ldt.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

/// struct user_desc of <asm/ldt.h>.
struct UserDesc {
  uint32_t entry_number, base_addr, limit, flags;
};
static_assert(sizeof(UserDesc) == sizeof(user_desc));

/// Hexadecimal with 0x in at least eight characters; the null address is 00000000.
constexpr Type kPaddedHex = shown_by(
    [](Decoder& decoder, uint64_t bits) {
      char text[16];
      int length = std::snprintf(text, sizeof text, "%#08x", static_cast<uint32_t>(bits));
      return decoder.text({text, static_cast<size_t>(length)}, TextKind::Bare);
    },
    Width::B4);
constexpr FieldType kUserDescFields[] = {
    field("entry_number", kId),
    field("base_addr", kPaddedHex),
    field("limit", kPaddedHex),
    field("seg_32bit", bit_field<0>()),
    overlapping(field("contents", bit_field<1, 2>())),
    overlapping(field("read_exec_only", bit_field<3>())),
    overlapping(field("limit_in_pages", bit_field<4>())),
    overlapping(field("seg_not_present", bit_field<5>())),
    overlapping(field("useable", bit_field<6>())),
    overlapping(field("lm", bit_field<7>(), unless<is_i386>)),
};
constexpr StructLayout kUserDescLayout = {"user_desc", kUserDescFields};
static_assert(size_of(kUserDescLayout, Abi::X86_64) == sizeof(user_desc));

}  // namespace

constinit const Type kUserDesc = structure(kUserDescLayout);

Value decode_user_desc_asked(Decoder& decoder, uint64_t at, size_t) {
  Value whole = decoder.call().error == 0 ? decoder.object(kUserDesc, Addr{at}) : Value{};
  if (std::holds_alternative<Struct>(whole.is)) return whole;
  auto entry = decoder.read_number(Addr{at}, Width::B4);
  if (!entry) return decoder.missing(Addr{at});
  FieldValue fields[] = {{"entry_number", Decoder::number(*entry, Show::Id, 4)}};
  return decoder.fields(fields, true);
}

Value thread_area_entry(Decoder& decoder) {
  UserDesc desc;
  if (!decoder.dereferences() || !decoder.read(Addr{decoder.arg(0)}, desc)) return {};
  char digits[16];
  char* end = std::to_chars(digits, digits + sizeof digits, desc.entry_number).ptr;
  const char* text = joined(decoder.arena(), {"entry_number=", {digits, end}});
  return {Text{text, TextKind::Bare, false, false}, {}};
}

Value show_ldt_result(Decoder& decoder, uint64_t bits) {
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

#include "syscalls/types/memory/memfd.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/types/memory/memory.hpp"

namespace strut {
namespace {

constexpr Constant kFlagNames[] = {{0x1, "MFD_CLOEXEC"},
                                   {0x2, "MFD_ALLOW_SEALING"},
                                   {0x4, "MFD_HUGETLB"},
                                   {0x8, "MFD_NOEXEC_SEAL"},
                                   {0x10, "MFD_EXEC"}};
constexpr ConstantSet kFlags = flag_set("MFD_???", kFlagNames);

constexpr size_t kTooLong = 250;  // NAME_MAX is 255, and the kernel puts "memfd:" in front

}  // namespace

Value decode_memfd_name(Decoder& decoder, uint64_t at, size_t) {
  Value value = decoder.c_string(Addr{at}, TextKind::Text);
  Text* text = std::get_if<Text>(&value.is);
  if (text && text->bytes.size() >= kTooLong) {
    text->bytes = text->bytes.substr(0, kTooLong);
    text->cut = true;
  }
  return value;
}

Value decode_memfd_flags(Decoder& decoder, uint64_t flags, size_t) {
  constexpr uint64_t kHuge = 0xfc000000;  // MFD_HUGE_MASK << MFD_HUGE_SHIFT
  flags &= 0xffffffff;
  if (flags == 0) return Decoder::named(0, kFlags);
  std::span<Value> parts = decoder.arena().array<Value>(2);
  size_t count = 0;
  Value shift = huge_page_shift(decoder, flags, "MFD_HUGE_SHIFT");
  if ((flags & ~kHuge) != 0 || shift.absent()) parts[count++] = Decoder::named(flags & ~kHuge, kFlags);
  if (!shift.absent()) parts[count++] = shift;
  return {Union{parts.first(count), flags, 4}, {}};
}

}  // namespace strut

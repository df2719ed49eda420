// Members of an ioctl's structure that the call changes, shown as before => after.
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {

enum class Compared : uint8_t {
  Always,     ///< though nothing changed
  IfChanged,  ///< with the member's name twice: features=0 => features=A|B
};
/// The value of the member with this name when the call was entered, once the call has succeeded; nullptr: it has not,
/// or the structure could not be read then. The argument is the third, and was remembered.
const Value* member_at_enter(Decoder& decoder, std::string_view name);
Value compared_value(Decoder& decoder, std::string_view name, const Value& now, Compared how);

template <const FieldType& kMember, Compared kHow>
Value decode_compared(Decoder& decoder, uint64_t at, size_t) {
  return compared_value(decoder, kMember.name, decoder.object(kMember.type, Addr{at}), kHow);
}
/// A word for rows: this member, a number.
template <const FieldType& kMember, Compared kHow = Compared::Always>
constexpr FieldType compared() {
  static_assert(has_width(kMember.type.kind));
  auto bytes = static_cast<uint32_t>(size_of(kMember.type, Abi::X86_64));
  FieldType member = kMember;
  member.type = notation::reading(notation::custom(decode_compared<kMember, kHow>, bytes, kMember.type.width),
                                  kMember.type);
  return member;
}

}  // namespace strut

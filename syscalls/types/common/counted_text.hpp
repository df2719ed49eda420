// Texts in a room of fixed size, which end where a number in front of them says, if no NUL comes before.
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/shown_bytes.hpp"

namespace strut {

/// The text's place, and its length: `width` wide, so many bytes in front of the text; below zero there is none.
struct CountedText {
  uint16_t room;  ///< bytes; the last one is a NUL's place
  uint8_t length_in_front;
  Width width;
  bool has_nul;  ///< the length does not count the NUL, which is looked at
  TextKind kind = TextKind::Text;
};
Value counted_text(Decoder& decoder, Addr at, const CountedText& shape);

template <const CountedText& kShape>
Value decode_counted_text(Decoder& decoder, uint64_t at, size_t) {
  return counted_text(decoder, Addr{at}, kShape);
}
/// A word for rows.
template <const CountedText& kShape>
inline constexpr Type kCountedText =
    notation::reading(notation::custom(decode_counted_text<kShape>, kShape.room, Width::B1), kBytesToShow<kShape.room>);

}  // namespace strut

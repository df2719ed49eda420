// Socket options: their names by level, and their values. setsockopt(2), socket(7), ip(7), tcp(7) …
#pragma once

#include <span>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

enum class OptionUse : uint8_t { Set, Get };

extern const ConstantSet kSocketLevels;        ///< for control messages
extern const ConstantSet kSocketOptionLevels;  ///< for options, where an unknown level has another remark

/// The names of a level's options; nullptr: they have none.
const ConstantSet* socket_option_names(uint32_t level, OptionUse use);

// Arguments of setsockopt(2) and getsockopt(2); 1 is the level, 2 the option, 4 the length (or the pointer to it).
inline constexpr Type kOptionRead = notation::pointer_to(kWhole<256>, notation::pointed_by(4));
template <OptionUse kUse>
Value option_name(Decoder& decoder, uint64_t bits);
inline constexpr Type kSetOptionName = notation::shown_by(option_name<OptionUse::Set>);
inline constexpr Type kGetOptionName = notation::shown_by(option_name<OptionUse::Get>);
Value decode_set_option_value(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSetOptionValue =
    notation::reading(notation::custom(decode_set_option_value), kReadsByArg<kWhole<256>, 4>);
Value decode_get_option_value(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kGetOptionValue = notation::reading(notation::custom(decode_get_option_value), kOptionRead);
Value decode_get_option_length(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kGetOptionLength = notation::reading(notation::custom(decode_get_option_length),
                                                           kReadsOne<notation::kInt>);  ///< remembered, even on failure

/// What the values of some options lead to, or how much longer they are than argument 4 says: the memory that `decode`
/// reads besides, of a level's option. `value` is the pointer in argument 3. It is shown in full only.
struct OptionMemory {
  CustomDecode decode;
  uint32_t level, name;
  const Type* value;
};
std::span<const OptionMemory> option_memory();

}  // namespace strut

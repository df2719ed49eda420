#include "syscalls/types/common/counted_text.hpp"

#include <algorithm>

namespace strut {

Value counted_text(Decoder& decoder, Addr at, const CountedText& shape) {
  Addr length_at{raw(at) - shape.length_in_front};
  std::optional<uint64_t> says = decoder.read_number(length_at, shape.width, shape.has_nul);
  std::optional<std::string_view> room = decoder.all_bytes(at, shape.room);
  if (!says || !room) return decoder.missing(at);
  auto most = static_cast<size_t>(std::clamp<int64_t>(static_cast<int64_t>(*says), 0, shape.room - 1));
  std::string_view looked_at = room->substr(0, most + (shape.has_nul ? 1 : 0));
  size_t end = std::min(looked_at.find('\0'), looked_at.size());
  bool cut = end == looked_at.size() && end != 0;
  return {Text{looked_at.substr(0, std::min(end, most)), shape.kind, cut, false}, {}};
}

}  // namespace strut

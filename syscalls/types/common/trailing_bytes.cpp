#include "syscalls/types/common/trailing_bytes.hpp"

#include <algorithm>
#include <charconv>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

constexpr uint64_t kMaxBytes = 4096;  // the kernel refuses structures larger than a page (copy_struct_from_user)

std::string_view range(Decoder& decoder, size_t first, uint64_t last) {
  char digits[2][24];
  char* end0 = std::to_chars(digits[0], digits[0] + sizeof digits[0], first).ptr;
  char* end1 = std::to_chars(digits[1], digits[1] + sizeof digits[1], last).ptr;
  return joined(decoder.arena(), {"bytes ", {digits[0], end0}, "..", {digits[1], end1}});
}

}  // namespace

Value trailing_bytes(Decoder& decoder, Addr structure, size_t known, uint64_t bytes) {
  size_t end = std::min(bytes, kMaxBytes), count = end - known;
  std::span<char> rest = decoder.arena().array<char>(count);
  if (!decoder.read_bytes(structure + known, std::as_writable_bytes(rest))) return Decoder::bare("???");
  if (std::all_of(rest.begin(), rest.end(), [](char byte) { return byte == 0; })) return {};
  size_t shown = std::min(count, decoder.options().max_string_bytes);
  Value value{Text{{rest.data(), shown}, TextKind::Binary, shown < count, false}, {}};
  value.comment = range(decoder, known, end - 1);
  value.comment_first = true;
  return value;
}

}  // namespace strut

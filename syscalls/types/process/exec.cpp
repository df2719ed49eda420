#include "syscalls/types/process/exec.hpp"

#include <algorithm>
#include <charconv>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kMaxStrings = 1u << 20;

/// Walks an array of pointers, reading ahead up to the page's end: memory is mapped by pages.
class PointerWalk {
 public:
  PointerWalk(Decoder& decoder, Addr at) : decoder_(decoder), at_(at), word_(pointer_bytes(decoder.abi())) {}

  /// The next pointer; nullopt where memory ends.
  std::optional<uint64_t> next() {
    if (used_ + word_ > held_ && !read_ahead()) return std::nullopt;
    uint64_t pointer = 0;
    std::memcpy(&pointer, chunk_ + used_, word_);
    used_ += word_;
    at_ = at_ + word_;
    return pointer;
  }
  /// Where the next pointer is.
  Addr at() const { return at_; }

 private:
  bool read_ahead() {
    size_t left = kPageBytes - raw(at_) % kPageBytes;
    held_ = std::max(word_, std::min(sizeof chunk_, left) / word_ * word_);
    used_ = 0;
    bool mapped = decoder_.read_bytes(at_, std::as_writable_bytes(std::span(chunk_, held_)));
    if (!mapped) held_ = 0;
    return mapped;
  }

  Decoder& decoder_;
  Addr at_;
  size_t word_;
  size_t held_ = 0;
  size_t used_ = 0;
  char chunk_[512];
};

Value strings(Decoder& decoder, Addr at, size_t limit) {
  PointerWalk walk(decoder, at);
  std::span<Value> items = decoder.arena().array<Value>(std::min<size_t>(limit, 64));
  size_t count = 0;
  for (;;) {
    Addr here = walk.at();
    std::optional<uint64_t> pointer = walk.next();
    if (!pointer)
      return count == 0 ? decoder.missing(here) : Value{Array{items.first(count), ArrayStyle::List, false, here}, {}};
    if (*pointer == 0) break;
    if (count == limit) return {Array{items.first(count), ArrayStyle::List, true, {}}, {}};
    if (count == items.size()) {
      std::span<Value> larger = decoder.arena().array<Value>(count * 2);
      std::copy(items.begin(), items.end(), larger.begin());
      items = larger;
    }
    items[count++] = decoder.c_string(Addr{*pointer}, TextKind::Text);
  }
  return {Array{items.first(count), ArrayStyle::List, false, {}}, {}};
}

Value counted(Decoder& decoder, Addr at) {
  PointerWalk walk(decoder, at);
  size_t count = 0;
  std::optional<uint64_t> pointer = walk.next();
  if (!pointer) return decoder.missing(at);
  for (; pointer && *pointer != 0 && count < kMaxStrings; pointer = walk.next()) count++;
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, count).ptr;
  Value value = Decoder::address(raw(at));
  value.comment =
      joined(decoder.arena(), {{digits, end}, count == 1 ? " var" : " vars", pointer ? "" : ", unterminated"});
  return value;
}

using namespace notation;
constexpr FieldType kEnvironmentFields[] = {
    field("", until_zero(kAddress)), at(0, detail("", until_zero(kStringPointer))),
};
constexpr StructLayout kEnvironmentLayout = {"envp", kEnvironmentFields};

}  // namespace

constinit const Type kStringsRead = until_zero(kStringPointer);
constinit const Type kEnvironmentRead = structure(kEnvironmentLayout);

Value decode_argv(Decoder& decoder, uint64_t at, size_t) {
  size_t limit = decoder.full() ? kMaxStrings : std::min(decoder.options().max_string_bytes, kMaxStrings);
  return strings(decoder, Addr{at}, limit);
}

Value decode_envp(Decoder& decoder, uint64_t at, size_t) {
  return decoder.full() ? strings(decoder, Addr{at}, kMaxStrings) : counted(decoder, Addr{at});
}

}  // namespace strut

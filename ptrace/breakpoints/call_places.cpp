#include "ptrace/breakpoints/call_places.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <emmintrin.h>
#include <sys/syscall.h>

namespace strut {
namespace {

constexpr size_t kPlaceBytes = CallPlace::kMoveBytes + CallPlace::kCallBytes;

using PlaceBytes = std::array<std::byte, kPlaceBytes>;

constexpr PlaceBytes bytes_of(unsigned number) {
  return {CallPlace::kMove, std::byte(number & 0xff), std::byte(number >> 8), {}, {}, std::byte{0x0f}, std::byte{0x05}};
}

struct Row {
  WatchedCall call;
  unsigned number;
  PlaceBytes bytes = bytes_of(number);
};
constexpr Row kRows[] = {{WatchedCall::Action, SYS_rt_sigaction},
                         {WatchedCall::Mask, SYS_rt_sigprocmask},
                         {WatchedCall::Clone, SYS_clone},
                         {WatchedCall::Clone3, SYS_clone3}};
constexpr std::byte kSyscall[] = {std::byte{0x0f}, std::byte{0x05}};
/// How far back the code in front of a place is looked at.
constexpr size_t kNear_bytes = 16;
/// A buffer that stays in the cache: one for a whole C library would cost 350 page faults.
constexpr size_t kChunk_bytes = 1 << 16;

/// Where the next `syscall` is, from an offset on; code.size(): nowhere. Sixteen bytes at a time: memmem(3) takes four
/// instructions a byte.
size_t next_syscall(std::span<const std::byte> code, size_t from) {
  const __m128i first = _mm_set1_epi8(0x0f), second = _mm_set1_epi8(0x05);
  for (; from + sizeof(__m128i) < code.size(); from += sizeof(__m128i)) {
    __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(code.data() + from));
    __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(code.data() + from + 1));
    __m128i both = _mm_and_si128(_mm_cmpeq_epi8(here, first), _mm_cmpeq_epi8(next, second));
    if (auto found = static_cast<unsigned>(_mm_movemask_epi8(both)))
      return from + static_cast<size_t>(std::countr_zero(found));
  }
  auto found = std::ranges::search(code.subspan(std::min(from, code.size())), kSyscall);
  return found.empty() ? code.size() : static_cast<size_t>(found.begin() - code.begin());
}

/// Behind a REX prefix it is a `mov` to another register.
bool may_be_prefix(std::byte byte) { return (byte & std::byte{0xf0}) == std::byte{0x40}; }

/// glibc's own calls, which never ask for an untraced child: fork(3) has constant flags (`mov $0x1200011,%edi`), and
/// its clone3 (`mov %rcx,%r8` in front) is called by pthread_create(3) and posix_spawn(3) alone. `before`: the code in
/// front.
bool is_own_clone(WatchedCall call, std::span<const std::byte> before) {
  constexpr std::byte kForkFlags[] = {std::byte{0xbf}, std::byte{0x11}, {}, std::byte{0x20}, std::byte{0x01}},
                      kKeepsArgument[] = {std::byte{0x49}, std::byte{0x89}, std::byte{0xc8}};
  if (call == WatchedCall::Clone)
    return !std::ranges::search(before.last(std::min(before.size(), kNear_bytes)), kForkFlags).empty();
  return call == WatchedCall::Clone3 && before.size() >= sizeof kKeepsArgument &&
         std::ranges::equal(before.last(sizeof kKeepsArgument), kKeepsArgument);
}

const Row& row_of(WatchedCall call) { return *std::ranges::find(kRows, call, &Row::call); }

/// Whether the code is as it was where these were found.
bool has_all(Memory& memory, Addr start, std::span<const CallPlace> places) {
  return std::ranges::all_of(places, [&](const CallPlace& place) {
    PlaceBytes seen;
    return memory.read(Addr{raw(start) + place.offset}, seen).bytes == seen.size() && seen == row_of(place.call).bytes;
  });
}

/// In the part of memory that can be read, piece by piece; each is read with what may belong to its first and last
/// places.
std::vector<CallPlace> find_in(Memory& memory, uint64_t start, uint64_t bytes) {
  std::vector<CallPlace> places;
  std::vector<std::byte> buffer(kNear_bytes + kChunk_bytes + kPlaceBytes);
  for (uint64_t from = 0; from < bytes; from += kChunk_bytes) {
    uint64_t begin = from - std::min<uint64_t>(from, kNear_bytes);
    uint64_t end = std::min(bytes, from + kChunk_bytes + kPlaceBytes);
    auto code = std::span(buffer).first(end - begin);
    size_t read = memory.read(Addr{start + begin}, code).bytes;
    for (CallPlace place : find_call_places(code.first(read)))
      if (place.offset += begin; place.offset >= from && place.offset < from + kChunk_bytes) places.push_back(place);
    if (read < code.size()) break;
  }
  return places;
}

}  // namespace

std::vector<CallPlace> find_call_places(std::span<const std::byte> code) {
  std::vector<CallPlace> places;
  for (size_t from = CallPlace::kMoveBytes; (from = next_syscall(code, from)) < code.size(); from++) {
    size_t at = from - CallPlace::kMoveBytes;
    auto row = std::ranges::find_if(
        kRows, [&](const Row& one) { return std::ranges::equal(one.bytes, code.subspan(at, kPlaceBytes)); });
    auto before = code.first(at);
    if (row != std::end(kRows) && !is_own_clone(row->call, before))
      places.push_back({at, row->call, !before.empty() && may_be_prefix(before.back())});
  }
  return places;
}

const std::vector<CallPlace>& CallPlaces::in(Memory& memory, const Mapping& mapping) {
  uint64_t bytes = raw(mapping.end) - raw(mapping.start);
  Part part{mapping.device_major, mapping.device_minor, mapping.inode, mapping.offset, bytes};
  auto [known, is_new] = known_.try_emplace(part);
  if (!is_new && has_all(memory, mapping.start, known->second)) return known->second;
  known->second = find_in(memory, raw(mapping.start), bytes);
  return known->second;
}

}  // namespace strut

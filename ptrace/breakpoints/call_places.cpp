#include "ptrace/breakpoints/call_places.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <sys/syscall.h>

namespace strut {
namespace {

constexpr std::byte kMove{0xb8};
constexpr size_t kPlaceBytes = CallPlace::kMoveBytes + CallPlace::kCallBytes;

using PlaceBytes = std::array<std::byte, kPlaceBytes>;

constexpr PlaceBytes bytes_of(unsigned number) {
  return {kMove, std::byte(number & 0xff), std::byte(number >> 8), {}, {}, std::byte{0x0f}, std::byte{0x05}};
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
/// The end that all of them have in common.
constexpr size_t kCommonBytes = 4;

/// Behind a REX prefix it is a `mov` to another register.
bool may_be_prefix(std::byte byte) { return (byte & std::byte{0xf0}) == std::byte{0x40}; }

/// glibc's own calls, which never ask for an untraced child: fork(3) has constant flags (`mov $0x1200011,%edi`), and
/// its clone3 (`mov %rcx,%r8` in front) is called by pthread_create(3) and posix_spawn(3) alone. `before`: the code in
/// front.
bool is_own_clone(WatchedCall call, std::span<const std::byte> before) {
  constexpr std::byte kForkFlags[] = {std::byte{0xbf}, std::byte{0x11}, {}, std::byte{0x20}, std::byte{0x01}},
                      kKeepsArgument[] = {std::byte{0x49}, std::byte{0x89}, std::byte{0xc8}};
  constexpr size_t kNear_bytes = 16;
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

}  // namespace

std::vector<CallPlace> find_call_places(std::span<const std::byte> code) {
  std::vector<CallPlace> places;
  const std::byte* end = kRows[0].bytes.data() + kPlaceBytes - kCommonBytes;
  for (size_t from = kPlaceBytes - kCommonBytes; from < code.size();) {
    const void* found = ::memmem(code.data() + from, code.size() - from, end, kCommonBytes);
    if (!found) break;
    auto at = static_cast<size_t>(static_cast<const std::byte*>(found) - code.data()) + kCommonBytes - kPlaceBytes;
    auto row = std::ranges::find_if(
        kRows, [&](const Row& one) { return std::ranges::equal(one.bytes, code.subspan(at, kPlaceBytes)); });
    auto before = code.first(at);
    if (row != std::end(kRows) && !is_own_clone(row->call, before))
      places.push_back({at, row->call, !before.empty() && may_be_prefix(before.back())});
    from = at + kPlaceBytes;
  }
  return places;
}

const std::vector<CallPlace>& CallPlaces::in(Memory& memory, const Mapping& mapping) {
  uint64_t bytes = raw(mapping.end) - raw(mapping.start);
  Part part{mapping.device_major, mapping.device_minor, mapping.inode, mapping.offset, bytes};
  auto [known, is_new] = known_.try_emplace(part);
  if (!is_new && has_all(memory, mapping.start, known->second)) return known->second;
  std::vector<std::byte> code(bytes);
  code.resize(memory.read(mapping.start, code).bytes);
  known->second = find_call_places(code);
  return known->second;
}

}  // namespace strut

#include "pid-provider/jumps_between.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <emmintrin.h>

#include "x86/scanner.hpp"

namespace strut {
namespace {

constexpr uint64_t kShortReach = 128;  // for an 8-bit distance
/// Decoding that begins inside an instruction is in step with the code again after a few.
constexpr uint64_t kToGetInStep = 64;
constexpr size_t kLongest = 6;  // bytes of a jump with a 32-bit distance
constexpr size_t kBlock = sizeof(__m128i);

/// Where a jump with a 32-bit distance that may begin at a byte goes, from the byte's address; 0: none begins there.
int64_t far_distance(const std::byte* at) {
  auto opcode = std::to_integer<uint8_t>(at[0]);
  bool is_jump = opcode == 0xe9, is_conditional = opcode == 0x0f && (std::to_integer<uint8_t>(at[1]) & 0xf0) == 0x80;
  if (!is_jump && !is_conditional) return 0;
  size_t opcode_bytes = is_jump ? 1 : 2;
  int32_t distance;
  std::memcpy(&distance, at + opcode_bytes, sizeof distance);
  return static_cast<int64_t>(opcode_bytes + sizeof distance) + distance;
}

/// For the next kBlock bytes a bit for each possible beginning of such a jump: they are few.
unsigned likely_jumps(const std::byte* at) {
  auto load = [](const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
  auto all = [](uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); };
  __m128i first = load(at), second = load(at + 1);
  __m128i is_jump = _mm_cmpeq_epi8(first, all(0xe9));
  __m128i is_conditional =
      _mm_and_si128(_mm_cmpeq_epi8(first, all(0x0f)), _mm_cmpeq_epi8(_mm_and_si128(second, all(0xf0)), all(0x80)));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(is_jump, is_conditional)));
}

}  // namespace

JumpsBetween::JumpsBetween(const ElfFile& file) : file_(file) {
  for (const Segment& segment : file.segments())
    if (segment.executable) scan(segment);
}

void JumpsBetween::scan(const Segment& segment) {
  auto bytes = file_.at_address(segment.address);
  Code code{{segment.address, segment.address + bytes.size()}, std::vector<bool>(bytes.size())};
  auto note = [&](size_t at) {
    uint64_t to = at + static_cast<uint64_t>(far_distance(&bytes[at]));
    if (to != at && to < bytes.size()) code.is_target[to] = true;
  };
  size_t at = 0;
  for (; at + kBlock + kLongest <= bytes.size(); at += kBlock)
    for (unsigned likely = likely_jumps(&bytes[at]); likely != 0; likely &= likely - 1)
      note(at + static_cast<size_t>(std::countr_zero(likely)));
  for (; at + kLongest <= bytes.size(); at++) note(at);
  code_.push_back(std::move(code));
}

bool JumpsBetween::reach_into(const CodeRange& function, uint64_t last) const {
  uint64_t before = std::min(function.begin, kShortReach + kToGetInStep);
  return reach_far(function, last) || reach_near({function.begin - before, function.begin}, function, last) ||
         reach_near({function.end, std::max(function.end, last + kShortReach)}, function, last);
}

/// Jumps of the function itself are among them: whether it jumps there is known from its code, so this errs only where
/// it is not to be passed either way.
bool JumpsBetween::reach_far(const CodeRange& function, uint64_t last) const {
  auto holds = [&](const Code& code) { return code.range.contains(function.begin); };
  auto code = std::ranges::find_if(code_, holds);
  if (code == code_.end()) return false;
  for (uint64_t to = function.begin + 1; to <= last && to < code->range.end; to++)
    if (code->is_target[to - code->range.begin]) return true;
  return false;
}

bool JumpsBetween::reach_near(const CodeRange& from, const CodeRange& function, uint64_t last) const {
  auto bytes = file_.at_address(from.begin);
  bytes = bytes.first(std::min<size_t>(bytes.size(), from.end - from.begin));
  for (uint64_t skip = 0; skip < bytes.size();) {
    auto instruction = strut::scan(bytes.subspan(skip), from.begin + skip);
    if (!instruction) {
      skip++;
      continue;
    }
    bool jumps = instruction->flow == Flow::Jump || instruction->flow == Flow::JumpIf;
    if (jumps && instruction->target > function.begin && instruction->target <= last) return true;
    skip += instruction->length;
  }
  return false;
}

}  // namespace strut

#include "pid-provider/jumps_between.hpp"

#include <algorithm>
#include <cstring>

#include "pid-provider/instruction.hpp"

namespace strut {
namespace {

constexpr uint64_t kShortReach = 128;  // of an 8-bit distance
/// Decoding that begins inside an instruction is in step with the code again after a few.
constexpr uint64_t kToGetInStep = 64;

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

}  // namespace

JumpsBetween::JumpsBetween(const ElfFile& file) : file_(file) {
  for (const Segment& segment : file.segments())
    if (segment.executable) scan(segment);
}

void JumpsBetween::scan(const Segment& segment) {
  constexpr size_t kLongest = 6;
  auto bytes = file_.at_address(segment.address);
  Code code{{segment.address, segment.address + bytes.size()}, std::vector<bool>(bytes.size())};
  for (size_t at = 0; at + kLongest <= bytes.size(); at++) {
    int64_t distance = far_distance(&bytes[at]);
    uint64_t to = at + static_cast<uint64_t>(distance);
    if (distance != 0 && to < bytes.size()) code.is_target[to] = true;
  }
  code_.push_back(std::move(code));
}

bool JumpsBetween::reach_into(const CodeRange& function, uint64_t last) const {
  uint64_t before = std::min(function.begin, kShortReach + kToGetInStep);
  return reach_far(function, last) || reach_near({function.begin - before, function.begin}, function, last) ||
         reach_near({function.end, std::max(function.end, last + kShortReach)}, function, last);
}

/// Jumps of the function itself are among them: whether it jumps there is known from its code, so this errs only where it is
/// not to be passed either way.
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
    auto instruction = decode(bytes.subspan(skip), from.begin + skip);
    if (!instruction) {
      skip++;
      continue;
    }
    bool jumps = instruction->flow == Flow::Jump || instruction->flow == Flow::JumpIf;
    if (jumps && instruction->target() > function.begin && instruction->target() <= last) return true;
    skip += instruction->length;
  }
  return false;
}

}  // namespace strut

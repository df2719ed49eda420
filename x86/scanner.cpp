#include "x86/scanner.hpp"

#include "x86/layout.hpp"

namespace strut {
namespace {

/// Encodings that CPUs, or manuals, read in two ways: relative branches with prefix 66, extrq and insertq of SSE4a.
bool is_ambiguous(const Layout& layout) {
  if (layout.encoding != Encoding::Legacy) return false;
  bool is_relative = layout.flow == Flow::Jump || layout.flow == Flow::JumpIf || layout.flow == Flow::Call;
  if (is_relative) return layout.operand_size && (layout.rex & 8) == 0;
  return layout.map == 1 && layout.opcode == 0x78 && (layout.operand_size || layout.repeat);
}

}  // namespace

std::optional<Scanned> scan(std::span<const std::byte> code, uint64_t address) {
  auto layout = layout_of(code);
  if (!layout || is_ambiguous(*layout)) return std::nullopt;
  Scanned made{address, 0, 0, layout->length, layout->flow, layout->is_rip_relative()};
  if (made.flow == Flow::Jump || made.flow == Flow::JumpIf || made.flow == Flow::Call)
    made.target = made.end() + static_cast<uint64_t>(layout->immediate);
  if (made.is_rip_relative) made.rip_target = made.end() + static_cast<uint64_t>(int64_t{layout->displacement});
  return made;
}

}  // namespace strut

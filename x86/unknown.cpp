#include "x86/unknown.hpp"

#include <algorithm>

#include "x86/layout.hpp"

namespace strut {
namespace {

/// VEX and EVEX opcodes that write a general register; all others write vectors, masks or memory. Capstone 4.0.2 does
/// not know vmovd, vpextr, kmov and conversions in all of their encodings (SDM, volume 2, chapter 5).
struct GeneralWrite {
  uint8_t map, opcode;
  bool is_rm;  ///< the operand that ModRM's r/m names; else the one that its reg names
};
constexpr GeneralWrite kGeneralWrites[] = {
    {1, 0x2c, false}, {1, 0x2d, false}, {1, 0x50, false}, {1, 0x78, false}, {1, 0x79, false}, {1, 0x7e, true},
    {1, 0x93, false}, {1, 0xc5, false}, {1, 0xd7, false}, {3, 0x14, true},  {3, 0x15, true},  {3, 0x16, true},
    {3, 0x17, true},  {5, 0x2c, false}, {5, 0x2d, false}, {5, 0x78, false}, {5, 0x79, false}, {5, 0x7e, true},
};

uint16_t vector_writes(const Layout& layout) {
  auto fits = [&](const GeneralWrite& write) { return write.map == layout.map && write.opcode == layout.opcode; };
  auto write = std::ranges::find_if(kGeneralWrites, fits);
  if (write == std::end(kGeneralWrites) || (write->is_rm && layout.mod() != 3)) return 0;
  return static_cast<uint16_t>(1u << (write->is_rm ? layout.rm() : layout.reg()));
}

/// 0F 18 to 0F 1F: hints, and rdssp of CET, which is one to a CPU that does not know it.
uint16_t hint_writes(const Layout& layout) {
  bool is_rdssp = layout.opcode == 0x1e && layout.repeat && layout.mod() == 3 && layout.extension() == 1;
  return is_rdssp ? static_cast<uint16_t>(1u << layout.rm()) : 0;
}

/// Others may write any but %rsp: rdpkru, tpause, encodekey …
uint16_t may_write(const Layout& layout) {
  if (layout.encoding == Encoding::Xop || layout.flow == Flow::Stop) return 0;
  if (layout.encoding != Encoding::Legacy) return vector_writes(layout);
  if (layout.map == 1 && layout.opcode >= 0x18 && layout.opcode <= 0x1f) return hint_writes(layout);
  return static_cast<uint16_t>(~(1u << Gpr::kRsp));
}

MemoryAddress memory_of(const Layout& layout) {
  MemoryAddress made;
  made.displacement = layout.displacement;
  unsigned base = layout.has_sib() ? (layout.sib & 7u) | (layout.rex & 1u) << 3 : layout.rm();
  unsigned index = (layout.sib >> 3 & 7u) | (layout.rex & 2u) << 2;
  bool is_based = layout.mod() != 0 || (base & 7) != 5;
  if (layout.is_rip_relative()) made.base = Gpr::kIp;
  else if (is_based) made.base = static_cast<uint8_t>(base);
  if (layout.has_sib() && index != Gpr::kRsp) {
    made.index = static_cast<uint8_t>(index);
    made.scale = static_cast<uint8_t>(1 << (layout.sib >> 6));
  }
  return made;
}

/// Whether Capstone may lack it. It knows all opcodes of one byte, and which may be locked.
bool is_gap(const Layout& layout) { return layout.encoding != Encoding::Legacy || (layout.map != 0 && !layout.lock); }

Instruction instruction_of(const Layout& layout, uint64_t address) {
  Instruction made;
  made.address = address;
  made.length = layout.length;
  made.flow = layout.flow;
  made.encoding = layout.encoding;
  made.map = static_cast<OpcodeMap>(layout.map);
  made.opcode = layout.opcode;
  made.has_modrm = layout.modrm_at != 0;
  made.modrm = layout.modrm;
  made.rex = layout.encoding == Encoding::Legacy ? layout.rex : 0;
  made.segment = layout.segment;
  made.lock = layout.lock;
  made.repeat = layout.repeat;
  made.operand_size = layout.operand_size;
  made.address_size = layout.address_size;
  made.may_write = may_write(layout);
  made.has_vector = layout.encoding != Encoding::Legacy;  // Capstone knows those of general registers
  made.has_memory = layout.has_memory();
  if (made.has_memory) made.memory = memory_of(layout);
  if (layout.is_rip_relative()) made.displacement_at = layout.displacement_at;
  return made;
}

}  // namespace

std::expected<Instruction, Undecodable> decode_unknown(std::span<const std::byte> code, uint64_t address) {
  auto layout = layout_of(code);
  if (!layout) return std::unexpected(layout.error());
  if (!is_gap(*layout)) return std::unexpected(Undecodable::Invalid);
  return instruction_of(*layout, address);
}

}  // namespace strut

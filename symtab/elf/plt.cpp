#include "symtab/elf/plt.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

namespace {

/// The psABIs of x86-64 and i386 number these three alike but for IRELATIVE.
std::optional<GotSlot::By> kind_of(uint32_t type, uint16_t machine) {
  static_assert(R_X86_64_JUMP_SLOT == R_386_JMP_SLOT && R_X86_64_GLOB_DAT == R_386_GLOB_DAT);
  uint32_t irelative = machine == EM_386 ? uint32_t{R_386_IRELATIVE} : uint32_t{R_X86_64_IRELATIVE};
  if (type == R_X86_64_JUMP_SLOT) return GotSlot::By::JumpSlot;
  if (type == R_X86_64_GLOB_DAT) return GotSlot::By::GlobDat;
  if (type == irelative) return GotSlot::By::Irelative;
  return std::nullopt;
}

/// The addend; i386 keeps it in the word itself.
uint64_t resolver_of(const ElfFile& file, const Relocation& relocation) {
  if (file.machine() != EM_386) return static_cast<uint64_t>(relocation.addend);
  return ByteReader(file.at_address(relocation.at)).take<uint32_t>();
}

// -- stubs ---------------------------------------------------------------------------------------------

/// A jump through memory in the first bytes of a stub.
struct IndirectJump {
  size_t end;  ///< bytes from the stub's beginning to behind the jump
  int32_t displacement;
};

/// jmp *disp32(%rip) or jmp *disp32 (ff 25), jmp *disp32(%ebx) (ff a3), perhaps behind endbr and with a bnd prefix.
std::optional<IndirectJump> indirect_jump(std::span<const std::byte> code, std::byte modrm) {
  constexpr std::byte kEndbr[] = {std::byte{0xf3}, std::byte{0x0f}, std::byte{0x1e}};
  size_t at = 0;
  if (code.size() >= 4 && std::memcmp(code.data(), kEndbr, sizeof(kEndbr)) == 0) at = 4;
  if (at < code.size() && code[at] == std::byte{0xf2}) at++;  // bnd
  if (code.size() < at + 6 || code[at] != std::byte{0xff} || code[at + 1] != modrm) return std::nullopt;
  IndirectJump jump{at + 6, 0};
  std::memcpy(&jump.displacement, code.data() + at + 2, sizeof(jump.displacement));
  return jump;
}

/// The slot of a stub's jump: relative to the next instruction, absolute, or relative to the GOT (%ebx).
uint64_t slot_of(const ElfFile& file, uint64_t stub, std::span<const std::byte> code, uint64_t got_base) {
  constexpr std::byte kByAddress{0x25}, kByBase{0xa3};
  if (auto jump = indirect_jump(code, kByAddress)) {
    if (file.machine() != EM_386) return stub + jump->end + static_cast<uint64_t>(int64_t{jump->displacement});
    return static_cast<uint32_t>(jump->displacement);
  }
  if (auto jump = indirect_jump(code, kByBase); jump && file.machine() == EM_386)
    return static_cast<uint32_t>(got_base + static_cast<uint64_t>(int64_t{jump->displacement}));
  return 0;
}

uint64_t got_base_of(const ElfFile& file) {
  if (const Section* got = file.section(".got.plt")) return got->address;
  const Section* got = file.section(".got");
  return got ? got->address : 0;
}

}  // namespace

std::vector<GotSlot> got_slots(const ElfFile& file) {
  std::vector<GotSlot> slots;
  for (const Relocation& relocation : relocations_of(file)) {
    auto by = kind_of(relocation.type, file.machine());
    if (!by) continue;
    bool is_nameless = *by == GotSlot::By::Irelative;
    if (!is_nameless &&
        (relocation.name.empty() || (*by == GotSlot::By::GlobDat && relocation.symbol_type == STT_OBJECT)))
      continue;
    uint64_t resolver = is_nameless ? resolver_of(file, relocation) : 0;
    slots.push_back({is_nameless ? std::string_view() : relocation.name, relocation.at, resolver, *by});
  }
  return slots;
}

bool has_stubs(const Section& section) { return section.name.starts_with(".plt") || section.name == ".iplt"; }

bool is_among_stubs(const ElfFile& file, uint64_t address) {
  return std::ranges::any_of(file.sections(), [&](const Section& section) {
    return has_stubs(section) && address >= section.address && address - section.address < section.bytes;
  });
}

constexpr size_t kStub = 16, kSmallStub = 8;

std::vector<PltStub> plt_stubs(const ElfFile& file, const std::vector<GotSlot>& slots) {
  std::unordered_map<uint64_t, const GotSlot*> by_address;
  for (const GotSlot& slot : slots) by_address.emplace(slot.got, &slot);
  uint64_t got_base = got_base_of(file);
  std::vector<PltStub> stubs;
  for (const Section& section : file.sections()) {
    if (!has_stubs(section)) continue;
    std::span<const std::byte> code = file.contents(section);
    auto slot_at = [&](size_t at) {
      return at + kSmallStub <= code.size()
                 ? by_address.find(slot_of(file, section.address + at, code.subspan(at), got_base))
                 : by_address.end();
    };
    for (size_t at = 0; at < code.size();) {
      auto slot = slot_at(at);
      // Stubs of .plt.got and of static programs stand closer: nothing is bound lazily there.
      size_t bytes = slot != by_address.end() && slot_at(at + kSmallStub) == by_address.end() && at % kStub == 0
                         ? kStub
                         : kSmallStub;
      if (slot != by_address.end())
        stubs.push_back({slot->second->name, section.address + at, bytes, slot->first, slot->second->resolver});
      at += bytes;
    }
  }
  std::ranges::sort(stubs, {}, &PltStub::address);
  return stubs;
}

}  // namespace strut

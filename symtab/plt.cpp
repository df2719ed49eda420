#include "symtab/plt.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include <elf.h>

namespace strut {

namespace {

/// A relocation of any class, with or without an addend.
struct Relocation {
  uint64_t at;
  uint32_t type;
  uint32_t symbol;
  int64_t addend;
};

Relocation of(const Elf64_Rela& r) {
  return {r.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(r.r_info)), static_cast<uint32_t>(ELF64_R_SYM(r.r_info)), r.r_addend};
}
Relocation of(const Elf32_Rel& r) {
  return {r.r_offset, ELF32_R_TYPE(r.r_info), ELF32_R_SYM(r.r_info), 0};
}
/// x32: the 32-bit class with addends.
Relocation of(const Elf32_Rela& r) {
  return {r.r_offset, ELF32_R_TYPE(r.r_info), ELF32_R_SYM(r.r_info), r.r_addend};
}

template <typename Raw, typename Visit>
void each_of(std::span<const std::byte> bytes, Visit visit) {
  for (size_t at = 0; at + sizeof(Raw) <= bytes.size(); at += sizeof(Raw)) {
    Raw raw;
    std::memcpy(&raw, bytes.data() + at, sizeof(raw));
    visit(of(raw));
  }
}

template <typename Visit>
void each_relocation(const ElfFile& file, const Section& section, Visit visit) {
  std::span<const std::byte> bytes = file.contents(section);
  if (section.type == SHT_REL && !file.is_64()) return each_of<Elf32_Rel>(bytes, visit);
  if (section.type != SHT_RELA) return;
  if (file.is_64()) each_of<Elf64_Rela>(bytes, visit);
  else each_of<Elf32_Rela>(bytes, visit);
}

/// The psABIs of x86-64 and i386 number these three alike but for IRELATIVE.
std::optional<GotSlot::By> kind_of(uint32_t type, uint16_t machine) {
  static_assert(R_X86_64_JUMP_SLOT == R_386_JMP_SLOT && R_X86_64_GLOB_DAT == R_386_GLOB_DAT);
  uint32_t irelative = machine == EM_386 ? uint32_t{R_386_IRELATIVE} : uint32_t{R_X86_64_IRELATIVE};
  if (type == R_X86_64_JUMP_SLOT) return GotSlot::By::JumpSlot;
  if (type == R_X86_64_GLOB_DAT) return GotSlot::By::GlobDat;
  if (type == irelative) return GotSlot::By::Irelative;
  return std::nullopt;
}

struct NamedSymbol {
  std::string_view name;
  uint8_t type;
};

/// A symbol of the table that a relocation section links to.
std::optional<NamedSymbol> symbol_of(const ElfFile& file, const Section& table, uint32_t index) {
  const Section* strings = file.section(table.link);
  std::span<const std::byte> bytes = file.contents(table);
  size_t stride = file.is_64() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  if (!strings || bytes.size() / stride <= index) return std::nullopt;
  const std::byte* at = bytes.data() + index * stride;
  uint32_t name;
  std::memcpy(&name, at, sizeof(name));  // st_name comes first in both classes
  auto info = static_cast<uint8_t>(at[file.is_64() ? offsetof(Elf64_Sym, st_info) : offsetof(Elf32_Sym, st_info)]);
  return NamedSymbol{file.string(*strings, name), static_cast<uint8_t>(info & 15)};
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

/// What a stub's jump goes through: relative to the instruction behind it, absolute, or relative to the GOT (%ebx).
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
  for (const Section& section : file.sections()) {
    const Section* table = file.section(section.link);
    each_relocation(file, section, [&](const Relocation& relocation) {
      auto by = kind_of(relocation.type, file.machine());
      if (!by) return;
      GotSlot slot{{}, relocation.at, 0, *by};
      if (*by == GotSlot::By::Irelative) {
        slot.resolver = static_cast<uint64_t>(relocation.addend);
      } else {
        auto symbol = table ? symbol_of(file, *table, relocation.symbol) : std::nullopt;
        if (!symbol || symbol->name.empty()) return;
        if (*by == GotSlot::By::GlobDat && symbol->type == STT_OBJECT) return;
        slot.name = symbol->name;
      }
      slots.push_back(slot);
    });
  }
  return slots;
}

bool has_stubs(const Section& section) { return section.name.starts_with(".plt") || section.name == ".iplt"; }

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
      return at + kSmallStub <= code.size() ? by_address.find(slot_of(file, section.address + at, code.subspan(at), got_base)) : by_address.end();
    };
    for (size_t at = 0; at < code.size();) {
      auto slot = slot_at(at);
      // Stubs of .plt.got and of static programs stand closer: nothing is bound lazily there.
      size_t bytes = slot != by_address.end() && slot_at(at + kSmallStub) == by_address.end() && at % kStub == 0 ? kStub : kSmallStub;
      if (slot != by_address.end())
        stubs.push_back({slot->second->name, section.address + at, bytes, slot->first, slot->second->resolver});
      at += bytes;
    }
  }
  std::ranges::sort(stubs, {}, &PltStub::address);
  return stubs;
}

}  // namespace strut

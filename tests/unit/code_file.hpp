// A small ELF file made by a test: code, constants and function symbols.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <elf.h>

#include "symtab/process/module.hpp"
#include "tests/unit/code_bytes.hpp"

namespace strut::test {

/// Code lies at kText in the file and in memory, constants at kConstants. Symbols are of .symtab.
class CodeFile {
 public:
  static constexpr uint64_t kText = 0x1000, kConstants = 0x3000, kFrames = 0x4000;

  CodeFile() : bytes_(kFrames, std::byte{0}), names_(1, '\0'), symbols_(1) {
    std::memset(bytes_.data() + kText, 0xcc, kConstants - kText);
  }

  CodeFile& text(uint64_t at, std::string_view hex) { return put(at, code(hex)); }
  CodeFile& put(uint64_t at, const std::vector<std::byte>& bytes) {
    REQUIRE(at + bytes.size() <= bytes_.size());
    std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
    return *this;
  }
  /// 32-bit distances from `at` to addresses.
  CodeFile& table(uint64_t at, std::initializer_list<uint64_t> targets) {
    uint64_t slot = at;
    for (uint64_t target : targets) {
      auto distance = static_cast<int32_t>(target - at);
      std::memcpy(bytes_.data() + slot, &distance, sizeof distance);
      slot += sizeof distance;
    }
    return *this;
  }
  CodeFile& function(std::string_view name, uint64_t at, uint64_t bytes, unsigned char type = STT_FUNC) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(names_.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbol.st_shndx = 1;
    symbol.st_value = at;
    symbol.st_size = bytes;
    symbols_.push_back(symbol);
    names_ += name;
    names_ += '\0';
    return *this;
  }
  /// A frame description in .eh_frame (Linux Standard Base, "Exception Frames"), with addresses as 32-bit distances.
  CodeFile& described(uint64_t at, uint32_t bytes) {
    frames_.push_back({at, bytes});
    return *this;
  }
  CodeFile& machine(uint16_t machine) {
    machine_ = machine;
    return *this;
  }

  std::unique_ptr<ModuleFile> make() const {
    auto file = ElfFile::over(image(), "made by a test");
    REQUIRE(file);
    return std::make_unique<ModuleFile>(std::move(*file), "/made/by.a.test", "");
  }

 private:
  std::vector<std::byte> frame_section() const {
    std::vector<std::byte> made =
        code("10 00 00 00  00 00 00 00  01 7a 52 00 01 78 10 01  1b 00 00 00");  // "zR", pcrel sdata4
    for (auto [at, bytes] : frames_) {
      uint64_t begin_at = kFrames + made.size() + 8;
      uint32_t words[5] = {16, static_cast<uint32_t>(made.size() + 4), static_cast<uint32_t>(at - begin_at), bytes, 0};
      auto* raw = reinterpret_cast<const std::byte*>(words);
      made.insert(made.end(), raw, raw + sizeof words);
    }
    return made;
  }
  std::vector<std::byte> image() const {
    static constexpr std::string_view kNames("\0.text\0.rodata\0.symtab\0.strtab\0.eh_frame", 41);
    std::vector<std::byte> image = bytes_;
    auto append = [&](const void* from, size_t bytes) {
      uint64_t at = image.size();
      image.resize(at + (bytes + 7) / 8 * 8);
      if (bytes != 0) std::memcpy(image.data() + at, from, bytes);
      return at;
    };
    std::vector<std::byte> frames = frame_section();
    append(frames.data(), frames.size());  // at kFrames: the first after the tests' own
    uint64_t symbols = append(symbols_.data(), symbols_.size() * sizeof(Elf64_Sym));
    uint64_t names = append(names_.data(), names_.size());
    uint64_t section_names = append(kNames.data(), kNames.size());
    Elf64_Shdr sections[7] = {};
    sections[1] = section(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kText, kText, kConstants - kText);
    sections[2] = section(7, SHT_PROGBITS, SHF_ALLOC, kConstants, kConstants, kFrames - kConstants);
    sections[3] = section(15, SHT_SYMTAB, 0, 0, symbols, symbols_.size() * sizeof(Elf64_Sym));
    sections[3].sh_link = 4;
    sections[3].sh_entsize = sizeof(Elf64_Sym);
    sections[4] = section(23, SHT_STRTAB, 0, 0, names, names_.size());
    sections[5] = section(0, SHT_STRTAB, 0, 0, section_names, kNames.size());
    sections[6] = section(31, SHT_PROGBITS, SHF_ALLOC, kFrames, kFrames, frames.size());
    uint64_t headers = append(sections, sizeof sections);
    Elf64_Phdr segments[2] = {segment(PF_R | PF_X, kText, kConstants - kText),
                              segment(PF_R, kConstants, kFrames - kConstants)};
    Elf64_Ehdr header = file_header(headers);
    std::memcpy(image.data(), &header, sizeof header);
    std::memcpy(image.data() + sizeof header, segments, sizeof segments);
    return image;
  }

  static Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t flags, uint64_t address, uint64_t offset,
                            uint64_t bytes) {
    Elf64_Shdr made{};
    made.sh_name = name, made.sh_type = type, made.sh_flags = flags, made.sh_addr = address, made.sh_offset = offset,
    made.sh_size = bytes;
    return made;
  }
  static Elf64_Phdr segment(uint32_t flags, uint64_t at, uint64_t bytes) {
    Elf64_Phdr made{};
    made.p_type = PT_LOAD, made.p_flags = flags, made.p_offset = at, made.p_vaddr = at, made.p_filesz = bytes,
    made.p_memsz = bytes;
    return made;
  }
  Elf64_Ehdr file_header(uint64_t section_headers) const {
    Elf64_Ehdr made{};
    std::memcpy(made.e_ident, ELFMAG, SELFMAG);
    made.e_ident[EI_CLASS] = ELFCLASS64, made.e_ident[EI_DATA] = ELFDATA2LSB, made.e_ident[EI_VERSION] = EV_CURRENT;
    made.e_type = ET_DYN, made.e_machine = machine_, made.e_version = EV_CURRENT;
    made.e_ehsize = sizeof made, made.e_phoff = sizeof made, made.e_phentsize = sizeof(Elf64_Phdr), made.e_phnum = 2;
    made.e_shoff = section_headers, made.e_shentsize = sizeof(Elf64_Shdr), made.e_shnum = 7, made.e_shstrndx = 5;
    return made;
  }

  std::vector<std::byte> bytes_;
  std::vector<std::pair<uint64_t, uint32_t>> frames_;
  std::string names_;
  std::vector<Elf64_Sym> symbols_;
  uint16_t machine_ = EM_X86_64;
};

}  // namespace strut::test

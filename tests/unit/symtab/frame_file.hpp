// A small ELF file made by a test, with call frame information of the test's bytes.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace strut::test {

/// Without a search table where `header` is empty. Its code is not there.
class FrameFile {
 public:
  static constexpr uint64_t kCode = 0x1000, kFrames = 0x2000, kHeader = 0x4000;

  FrameFile(std::string_view frames, std::string_view header, uint16_t machine = EM_X86_64)
      : bytes_(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0') {
    static constexpr char kNames[] = "\0.eh_frame\0.eh_frame_hdr\0.shstrtab";
    Elf64_Shdr sections[4]{};
    sections[1] = section(1, SHT_PROGBITS, kFrames, frames);
    if (!header.empty()) sections[2] = section(11, SHT_PROGBITS, kHeader, header);
    sections[3] = section(25, SHT_STRTAB, 0, {kNames, sizeof kNames});
    auto* program = reinterpret_cast<Elf64_Phdr*>(bytes_.data() + sizeof(Elf64_Ehdr));
    *program = {PT_LOAD, PF_R | PF_X, 0, 0, 0, kHeader + 0x1000, kHeader + 0x1000, 0x1000};
    auto* head = reinterpret_cast<Elf64_Ehdr*>(bytes_.data());
    std::memcpy(head->e_ident,
                "\x7f"
                "ELF\2\1\1",
                7);
    head->e_type = ET_DYN;
    head->e_machine = machine;
    head->e_version = EV_CURRENT;
    head->e_phoff = sizeof(Elf64_Ehdr);
    head->e_shoff = bytes_.size();
    head->e_ehsize = sizeof(Elf64_Ehdr);
    head->e_phentsize = sizeof(Elf64_Phdr);
    head->e_phnum = 1;
    head->e_shentsize = sizeof(Elf64_Shdr);
    head->e_shnum = 4;
    head->e_shstrndx = 3;
    bytes_.append(reinterpret_cast<const char*>(sections), sizeof sections);
  }
  std::vector<std::byte> bytes() const {
    auto view = std::as_bytes(std::span(bytes_));
    return {view.begin(), view.end()};
  }

 private:
  Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t address, std::string_view content) {
    bytes_.resize((bytes_.size() + 7) & ~size_t{7});
    Elf64_Shdr header{name, type, SHF_ALLOC, address, bytes_.size(), content.size(), 0, 0, 8, 0};
    bytes_.append(content);
    bytes_.resize((bytes_.size() + 7) & ~size_t{7});
    return header;
  }
  std::string bytes_;
};

}  // namespace strut::test

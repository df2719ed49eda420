// Walks a stack of the fuzzer's bytes by call frame information of the fuzzer's bytes, in an ELF file around it: what a
// hostile program has in its file, its registers and its stack. No crash, no walk without end, nothing read that is not
// there. fuzz: rooms: core/result.cpp core/clock.cpp core/proc/maps.cpp core/proc/proc_file.cpp
// core/proc/process_status.cpp core/proc/remote_memory.cpp symtab ustack
#include <cstdlib>
#include <string>

#include <elf.h>

#include "tests/fuzz/input.hpp"
#include "ustack/walk.hpp"

using namespace strut;
using fuzz::Input;

namespace {

constexpr uint64_t kCode = 0x1000, kCodeBytes = 0x1000, kFrames = 0x2000, kHeader = 0x4000, kBias = 0x10000,
                   kStack = 0x700000;
constexpr size_t kMostFrames = 256;

/// A file with .eh_frame and .eh_frame_hdr at these addresses.
class Image {
 public:
  Image(std::string_view frames, std::string_view header) : bytes_(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0') {
    static constexpr char kNames[] = "\0.eh_frame\0.eh_frame_hdr\0.shstrtab";
    Elf64_Shdr sections[4]{};
    sections[1] = section(1, SHT_PROGBITS, kFrames, frames);
    sections[2] = section(11, SHT_PROGBITS, kHeader, header);
    sections[3] = section(25, SHT_STRTAB, 0, {kNames, sizeof kNames});
    auto* program = reinterpret_cast<Elf64_Phdr*>(bytes_.data() + sizeof(Elf64_Ehdr));
    *program = {PT_LOAD, PF_R | PF_X, 0, 0, 0, kHeader + 0x1000, kHeader + 0x1000, 0x1000};
    auto* head = reinterpret_cast<Elf64_Ehdr*>(bytes_.data());
    std::memcpy(head->e_ident,
                "\x7f"
                "ELF\2\1\1",
                7);
    head->e_type = ET_DYN;
    head->e_machine = EM_X86_64;
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

/// The rest of the input, at kStack.
class StackBytes final : public Memory {
 public:
  explicit StackBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    if (++reads_ > 100'000) std::abort();  // a walk without end
    uint64_t offset = raw(at) - kStack;
    if (offset >= bytes_.size()) return {0, false};
    size_t count = std::min(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return {count, false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, false}; }

 private:
  std::span<const uint8_t> bytes_;
  size_t reads_ = 0;
};

UserRegisters registers_of(Input& input) {
  UserRegisters registers;
  // Mostly near the stack or the code: elsewhere every walk ends at once.
  for (uint64_t& value : registers) value = kStack + input.take<uint16_t>() % 1024;
  registers[kInstructionPointer] = kBias + kCode + input.take<uint16_t>() % kCodeBytes;
  if (input.take<uint8_t>() == 0xff) registers[input.take<uint8_t>() % registers.size()] = input.take<uint64_t>();
  return registers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Input input(bytes, size);
  UserRegisters registers = registers_of(input);
  std::string_view frames = input.text(input.take<uint16_t>() % 2048);
  std::string_view header = input.text(input.take<uint16_t>() % 256);
  auto file = ElfFile::over(Image(frames, header).bytes(), "fuzz");
  if (!file) std::abort();
  auto module = std::make_shared<CodeModule>("/fuzz", std::make_shared<ModuleFile>(std::move(*file), "/fuzz", ""),
                                             FrameDetail::Functions);
  Mapping mapping;
  mapping.start = Addr{kBias};
  mapping.end = Addr{kBias + kFrames};
  CodeMap code;
  code.place(mapping, module);
  StackBytes stack(input.rest());
  Walk walk(code, registers, stack);
  for (size_t frames_seen = 0; frames_seen < kMostFrames; frames_seen++) {
    StackFrame frame = walk.frame();
    if (!frame.module.empty() && frame.module != "/fuzz") std::abort();
    if (!walk.step()) break;
  }
  return 0;
}

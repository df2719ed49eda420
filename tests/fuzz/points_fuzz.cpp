// Reads probe descriptions, and decodes bytes as code with any bounds: instructions, displacement, control flow,
// placement. The first byte says which.
//
// fuzz: rooms: below-symtab x86 symtab pid-provider
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <elf.h>

#include "pid-provider/displacement.hpp"
#include "pid-provider/points.hpp"
#include "tests/fuzz/input.hpp"
#include "x86/instruction_arguments.hpp"
#include "x86/instruction_labels.hpp"
#include "x86/scanner.hpp"

using namespace strut;

namespace {

class NoMemory : public Memory {
 public:
  ReadOutcome read(Addr, std::span<std::byte> out) override {
    std::ranges::fill(out, std::byte{0x41});
    return {out.size(), false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {}; }
};

void read_description(std::string_view text) {
  auto description = parse_probe_description(text);
  if (!description) return;
  if (auto kinds = instr_pattern(*description); !kinds && kinds.error().text.empty()) std::abort();
  auto pattern = pid_pattern(*description, text.ends_with('c'));
  if (!pattern && (pattern.error().tag.empty() || pattern.error().text.empty())) std::abort();
  if (pattern) module_matches(pattern->module, {"/lib/libc.so.6", "libc.so.6", true});
}

void decode_bytes(std::span<const uint8_t> raw) {
  std::vector<std::byte> copy(reinterpret_cast<const std::byte*>(raw.data()),
                              reinterpret_cast<const std::byte*>(raw.data() + raw.size()));
  NoMemory memory;
  for (size_t at = 0; at < copy.size();) {
    auto code = std::span(copy).subspan(at);
    auto instruction = decode(code, 0x1000 + at);
    if (!instruction) {
      at++;
      continue;
    }
    if (instruction->length == 0 || instruction->length > code.size() || instruction->length > kLongestInstruction)
      std::abort();
    if (instruction->is_rip_relative() && instruction->displacement_at + 4 > instruction->length) std::abort();
    auto scanned = scan(code, 0x1000 + at);
    if (scanned && (scanned->length == 0 || scanned->length > code.size())) std::abort();
    Displaced displaced = displace(*instruction, code);
    if (displaced.way == Displaced::Way::Emulate) emulate(displaced, {}, memory);
    (void)moved_to(displaced, 0x1000 + at, 0x9000);
    (void)uprobe_on(*instruction);
    InstructionLabels labels = labels_of(*instruction);
    if (labels.begin() == labels.end()) std::abort();
    for (const SiteOperand& operand : instruction_arguments(*instruction)) value_of(operand, {}, memory);
    at += instruction->length;
  }
}

/// A file with code, symbols and a table of constants from the fuzzer.
std::vector<std::byte> file_of(fuzz::Input& input, size_t symbols) {
  constexpr uint64_t kCode = 0x200, kNames = 0x1c0;
  std::vector<Elf64_Sym> table(symbols + 1);
  for (size_t i = 1; i <= symbols; i++) {
    table[i].st_name = static_cast<Elf64_Word>(1 + (i % 3) * 2);
    table[i].st_info = ELF64_ST_INFO(STB_GLOBAL, input.take<uint8_t>() % 8 == 0 ? STT_GNU_IFUNC : STT_FUNC);
    table[i].st_shndx = 1;
    table[i].st_value = kCode + input.take<uint16_t>() % 1024;
    table[i].st_size = input.take<uint16_t>() % 512;
  }
  auto code = input.rest();
  std::vector<std::byte> image(kCode);
  std::memcpy(image.data() + kNames, "\0a\0b\0c.cold", 12);
  auto append = [&](const void* from, size_t bytes) {
    uint64_t at = image.size();
    image.resize(at + (bytes + 7) / 8 * 8);
    if (bytes) std::memcpy(image.data() + at, from, bytes);
    return at;
  };
  append(code.data(), code.size());
  uint64_t symbols_at = append(table.data(), table.size() * sizeof(Elf64_Sym));
  Elf64_Shdr sections[4] = {};
  auto fill = [](Elf64_Shdr& s, uint32_t type, uint64_t flags, uint64_t at, uint64_t bytes) {
    s.sh_type = type, s.sh_flags = flags, s.sh_addr = flags ? at : 0, s.sh_offset = at, s.sh_size = bytes;
  };
  fill(sections[1], SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kCode, code.size());
  fill(sections[2], SHT_SYMTAB, 0, symbols_at, table.size() * sizeof(Elf64_Sym));
  sections[2].sh_name = 13;
  sections[2].sh_link = 3;
  sections[2].sh_entsize = sizeof(Elf64_Sym);
  fill(sections[3], SHT_STRTAB, 0, kNames, 32);
  std::memcpy(image.data() + kNames + 13, ".symtab", 8);
  uint64_t sections_at = append(sections, sizeof sections);
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD, segment.p_flags = PF_R | PF_X, segment.p_offset = segment.p_vaddr = kCode;
  segment.p_filesz = segment.p_memsz = code.size();
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB, header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN, header.e_machine = EM_X86_64, header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header, header.e_phoff = sizeof header, header.e_phentsize = sizeof segment,
  header.e_phnum = 1;
  header.e_shoff = sections_at, header.e_shentsize = sizeof(Elf64_Shdr), header.e_shnum = 4, header.e_shstrndx = 3;
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, &segment, sizeof segment);
  return image;
}

void find_probes(fuzz::Input& input) {
  PidPattern pattern;
  ProbeLimits limits;
  limits.max_probes = input.take<uint8_t>();
  uint8_t by_name = input.take<uint8_t>();
  if (by_name % 4 == 0) pattern.function = "a";
  if (by_name % 4 == 1) pattern.place = PidPattern::Place::Instructions;
  size_t symbols = by_name / 4 % 12;
  auto file = ElfFile::over(file_of(input, symbols), "fuzz");
  if (!file) std::abort();
  ModuleFile module(std::move(*file), "/fuzz", "");
  ModuleFunctions functions(module);
  ProbeList list;
  (void)add_probes(functions, pattern, limits, list);
  if (list.probes.size() > limits.max_probes) std::abort();
  for (const PidProbe& probe : list.probes)
    if (probe.function >= list.functions.size() || probe.first_site + probe.sites > list.sites.size()) std::abort();
  for (const Function& function : functions.all()) {
    DecodedFunction code = decode_function(functions, function.range);
    uint64_t last = 0;
    for (const Instruction& i : code.instructions) {
      if (code.at(i.address) != &i || i.address < last) std::abort();
      last = i.address;
    }
    for (const ReturnSite& site : code.returns)
      if (!code.at(site.address) && code.doubts.empty()) std::abort();
    (void)return_strategy(code, {});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  switch (input.take<uint8_t>() % 3) {
    case 0: read_description(input.text(size)); break;
    case 1: decode_bytes(input.rest()); break;
    default: find_probes(input);
  }
  return 0;
}

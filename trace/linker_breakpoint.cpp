#include "trace/linker_breakpoint.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <elf.h>
#include <link.h>

#include "procfs/proc_file.hpp"

namespace strut {
namespace {

constexpr size_t kMaxAuxv_bytes = 4096;
constexpr uint64_t kMaxHeaders = 256;
constexpr uint64_t kMaxTags = 512;

/// The program's headers, where they lie in its memory, its linker, and where it begins.
struct Headers {
  uint64_t at = 0, count = 0, bytes = 0;
  uint64_t linker = 0;
  uint64_t entry = 0;
};

Headers headers_of(Pid pid) {
  Headers headers;
  auto text = read_proc_file(proc_path(raw(pid), "auxv"), kMaxAuxv_bytes);
  for (size_t at = 0; text && at + sizeof(Elf64_auxv_t) <= text->size(); at += sizeof(Elf64_auxv_t)) {
    Elf64_auxv_t entry;
    std::memcpy(&entry, text->data() + at, sizeof entry);
    if (entry.a_type == AT_PHDR) headers.at = entry.a_un.a_val;
    if (entry.a_type == AT_PHNUM) headers.count = entry.a_un.a_val;
    if (entry.a_type == AT_PHENT) headers.bytes = entry.a_un.a_val;
    if (entry.a_type == AT_BASE) headers.linker = entry.a_un.a_val;
    if (entry.a_type == AT_ENTRY) headers.entry = entry.a_un.a_val;
  }
  return headers;
}

template <typename T>
std::vector<T> read_table(Memory& memory, uint64_t at, uint64_t count) {
  std::vector<T> table(count);
  table.resize(memory.read(Addr{at}, std::as_writable_bytes(std::span(table))).bytes / sizeof(T));
  return table;
}

/// The program's dynamic section; 0: it has none.
uint64_t dynamic_section(const Headers& headers, Memory& memory, uint64_t& count) {
  auto segments = read_table<Elf64_Phdr>(memory, headers.at, headers.count);
  uint64_t bias = 0, at = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_PHDR) bias = headers.at - segment.p_vaddr;
    if (segment.p_type != PT_DYNAMIC) continue;
    at = segment.p_vaddr;
    count = segment.p_memsz / sizeof(Elf64_Dyn);
  }
  return at == 0 ? 0 : bias + at;
}

}  // namespace

std::optional<Addr> linker_breakpoint(Pid pid, Memory& memory) {
  Headers headers = headers_of(pid);
  if (headers.at == 0 || headers.bytes != sizeof(Elf64_Phdr) || headers.count > kMaxHeaders) return std::nullopt;
  uint64_t count = 0, dynamic = dynamic_section(headers, memory, count);
  if (dynamic == 0) return std::nullopt;
  for (const Elf64_Dyn& tag : read_table<Elf64_Dyn>(memory, dynamic, std::min(count, kMaxTags))) {
    if (tag.d_tag == DT_NULL) break;
    if (tag.d_tag != DT_DEBUG) continue;
    r_debug debug{};
    bool is_read =
        memory.read(Addr{tag.d_un.d_ptr}, std::as_writable_bytes(std::span(&debug, 1))).bytes == sizeof debug;
    if (is_read && debug.r_brk != 0) return Addr{debug.r_brk};
  }
  return std::nullopt;
}

Displaced linker_displaced(Addr at, Memory& memory) {
  using Operation = Displaced::Operation;
  static constexpr std::byte kReturn[] = {std::byte{0xc3}};
  static constexpr std::byte kLanding[] = {std::byte{0xf3}, std::byte{0x0f}, std::byte{0x1e}, std::byte{0xfa}};
  std::byte code[sizeof kLanding] = {};
  memory.read(at, code);
  Displaced displaced;
  auto is = [&](std::span<const std::byte> wanted, Operation operation) {
    if (!std::equal(wanted.begin(), wanted.end(), code)) return;
    displaced.way = Displaced::Way::Emulate;
    displaced.operation = operation;
    displaced.length = static_cast<uint8_t>(wanted.size());
    std::copy(wanted.begin(), wanted.end(), displaced.bytes.begin());
  };
  is(kReturn, Operation::Return);
  is(kLanding, Operation::Nothing);
  return displaced;
}

std::optional<Addr> linker_base(Pid pid) {
  uint64_t at = headers_of(pid).linker;
  return at == 0 ? std::nullopt : std::optional(Addr{at});
}

std::optional<Addr> program_entry(Pid pid) {
  uint64_t at = headers_of(pid).entry;
  return at == 0 ? std::nullopt : std::optional(Addr{at});
}

}  // namespace strut

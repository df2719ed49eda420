#include "symtab/process/link_map.hpp"

#include <set>

#include "symtab/elf/dynamic.hpp"

namespace strut {

namespace {

constexpr size_t kMaxModules = 1 << 16;
constexpr uint32_t kMaxNamespaces = 64;  // glibc has 16
constexpr size_t kLongestPath = 4096;

/// Reads the linker's structures, with words of the process as fields.
class LinkerMemory {
 public:
  LinkerMemory(Memory& memory, bool is_64) : memory_(memory), word_(is_64 ? 8 : 4) {}

  uint64_t word(uint64_t base, size_t index) {
    uint64_t value = 0;
    auto bytes = std::as_writable_bytes(std::span(&value, 1)).first(word_);
    return memory_.read(Addr{base + index * word_}, bytes).bytes == word_ ? value : 0;
  }
  int32_t version(uint64_t base) {
    int32_t value = 0;
    auto bytes = std::as_writable_bytes(std::span(&value, 1));
    return memory_.read(Addr{base}, bytes).bytes == sizeof(value) ? value : 0;
  }
  std::string text(uint64_t at) {
    std::string buffer(kLongestPath, '\0');
    size_t got = at ? memory_.read_string(Addr{at}, std::span(buffer)).bytes : 0;
    buffer.resize(got);
    return buffer.substr(0, buffer.find('\0'));
  }

 private:
  Memory& memory_;
  size_t word_;
};

/// struct link_map: l_addr, l_name, l_ld, l_next, l_prev.
void follow(LinkerMemory& memory, uint64_t map, uint32_t name_space, std::vector<LinkedModule>& to) {
  std::set<uint64_t> seen;
  while (map != 0 && seen.insert(map).second && to.size() < kMaxModules) {
    to.push_back({memory.word(map, 0), memory.word(map, 2), memory.text(memory.word(map, 1)), name_space});
    map = memory.word(map, 3);
  }
}

/// The linker's structures, and where struct r_debug is.
struct Debugged {
  LinkerMemory linker;
  uint64_t at;
};
std::optional<Debugged> find_debug(const ProcessModules& modules, Memory& memory) {
  const Module* program = modules.named("a.out");
  if (!program || !program->file) return std::nullopt;
  DynamicTags tags = dynamic_tags(program->file->elf());
  if (tags.debug_at == 0) return std::nullopt;
  LinkerMemory linker(memory, program->file->elf().is_64());
  return Debugged{linker, linker.word(program->bias + tags.debug_at, 0)};
}

}  // namespace

std::vector<LinkedModule> link_maps(const ProcessModules& modules, Memory& memory) {
  std::vector<LinkedModule> all;
  auto debugged = find_debug(modules, memory);
  if (!debugged) return all;
  auto& [linker, first] = *debugged;
  // struct r_debug: r_version, r_map, r_brk, r_state, r_ldbase; from version 2 on r_next, of the next namespace.
  std::set<uint64_t> seen;
  uint64_t debug = first;
  for (uint32_t name_space = 0; debug != 0 && name_space < kMaxNamespaces && seen.insert(debug).second; name_space++) {
    follow(linker, linker.word(debug, 1), name_space, all);
    debug = linker.version(debug) >= 2 ? linker.word(debug, 5) : 0;
  }
  return all;
}

}  // namespace strut

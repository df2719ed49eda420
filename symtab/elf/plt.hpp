// Where calls between modules go: GOT slots by relocation, and the PLT stubs that jump through them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// A word of the GOT that the dynamic linker fills in for a function.
struct GotSlot {
  enum class By : uint8_t {
    JumpSlot,   ///< R_*_JUMP_SLOT: of the PLT, lazily or at start
    GlobDat,    ///< R_*_GLOB_DAT: -fno-plt, .plt.got, addresses that are taken
    Irelative,  ///< R_*_IRELATIVE: an IFUNC of the module itself, without a name
  };
  std::string_view name;  ///< for the symbol; empty for Irelative. Lives as long as the file
  uint64_t got = 0;       ///< address of the word, as the file has it
  uint64_t resolver = 0;  ///< Irelative: the resolver's address
  By by = By::JumpSlot;
};

/// A stub of .plt, .plt.sec (IBT) or .plt.got: code that only jumps through a GOT slot.
struct PltStub {
  std::string_view name;  ///< for its slot's symbol; empty: Irelative
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t got = 0;
  uint64_t resolver = 0;  ///< Irelative: of its IFUNC
};

/// Every slot that a relocation of x86 names, in the order of the file. Data objects' GLOB_DAT are left out.
std::vector<GotSlot> got_slots(const ElfFile& file);

/// True of .plt, .plt.sec, .plt.got and .iplt.
bool has_stubs(const Section& section);
/// Whether an address lies in one of them.
bool is_among_stubs(const ElfFile& file, uint64_t address);

/// Every stub with its slot in `slots`, ascending by address.
std::vector<PltStub> plt_stubs(const ElfFile& file, const std::vector<GotSlot>& slots);

}  // namespace strut

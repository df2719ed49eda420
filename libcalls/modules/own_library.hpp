// The choices that strut's own C library made for its IFUNCs: on the same machine a target's makes the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// Where an IFUNC of this file leads in strut's own process.
struct ChosenHere {
  std::optional<uint64_t> address;  ///< in the file; nullopt: outside of it (the vdso)
};

/// nullopt: strut does not run on this very file (by its build-id), or it has no such function. Choices also depend on
/// GLIBC_TUNABLES (ld.so(8)): not for processes that have that in their environment.
std::optional<ChosenHere> chosen_here(const ElfFile& file, std::string_view name, std::string_view version);

}  // namespace strut

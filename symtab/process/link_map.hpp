// The dynamic linker's own list of loaded modules (rtld-debugger-interface of glibc's link.h): it alone has the
// namespace (dlmopen(3)) of a module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {

struct LinkedModule {
  uint64_t bias = 0;        ///< address in the process minus address in the file
  uint64_t dynamic = 0;     ///< where its dynamic section is, in the process
  std::string path;         ///< as the linker opened it; empty: the program itself
  uint32_t name_space = 0;  ///< 0: the program's; dlmopen makes others
};

/// The lists of all namespaces, in the linker's order. Empty: a static program, or one with a linker that has not got
/// that far. Every pointer comes from the process: the lists are bounded, and a cut one is returned as far as it goes.
std::vector<LinkedModule> link_maps(const ProcessModules& modules, Memory& memory);

}  // namespace strut

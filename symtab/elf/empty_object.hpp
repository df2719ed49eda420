// An object file without code and data, for linkers.
#pragma once

#include <string>

namespace strut {

/// An ELF64 relocatable file for x86-64, whose one section says that nothing of it needs an executable stack.
std::string empty_object();

}  // namespace strut

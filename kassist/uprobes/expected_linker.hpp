// The dynamic linker of a program, before the program runs.
#pragma once

#include <optional>
#include <string>

namespace strut {

/// PT_INTERP (elf(5)) of a program, or of a script's interpreter (execve(2)). nullopt: it is linked statically, or
/// cannot be read.
std::optional<std::string> expected_linker(const std::string& program);

}  // namespace strut

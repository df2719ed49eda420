// The dynamic linker that a program will be run by, before anybody runs it.
#pragma once

#include <optional>
#include <string>

namespace strut {

/// PT_INTERP (elf(5)) of a program, or of what interprets a script (execve(2)). nullopt: it is linked statically, or
/// cannot be read.
std::optional<std::string> expected_linker(const std::string& program);

}  // namespace strut

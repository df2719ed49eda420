// Errors by name, as -e inject=SET:error=NAME takes them.
#pragma once

#include <optional>
#include <string_view>

namespace strut {

/// The number of an error given by its name in any case ("ENOENT", "erestartsys") or in decimal. nullopt for other
/// names and for numbers outside 1..4095 (MAX_ERRNO of <linux/err.h>). Names are those of kErrnoNames, no aliases.
std::optional<int> errno_number(std::string_view text);

}  // namespace strut

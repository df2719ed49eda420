// Files of prototypes in the language of ltrace.conf(5).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "libcalls/prototypes/prototype_store.hpp"

namespace strut {

/// Adds what `text` describes to `store`. Returns what is wrong with it, a line each: "FILE:LINE: what", nothing
/// escaped. A line that is wrong is left out, the others count.
std::vector<std::string> read_prototypes(std::string_view text, std::string_view file, PrototypeStore& store);

/// The same for a file. Error: it cannot be read, or is larger than any that a person wrote (16 MiB).
Result<std::vector<std::string>> read_prototype_file(const std::string& path, PrototypeStore& store);

}  // namespace strut

// A command line in one string, split into words as a shell does it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace strut {

/// Blanks separate words; '…' and "…" keep them together, a backslash takes the next character as it is (in "…" only
/// before " \ $ ` and newline). Nothing is expanded. Error: a quote that does not end.
Result<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace strut

// Text in columns, for helps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strut {

/// `text` in lines of at most `columns` columns, broken at blanks (a longer word stands alone); its own newlines stay.
/// Ends in a newline unless it is empty.
std::string wrapped(std::string_view text, size_t columns);

/// `label`, and `text` wrapped from column `indent` on; on a line of its own where the label reaches that far.
std::string hung(std::string label, std::string_view text, size_t indent, size_t columns);

}  // namespace strut

// Lists in one text, as of PATH-like variables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// What stands between separators, each of which is one byte of `separators`; empty parts are left out.
std::vector<std::string> list_parts(std::string_view list, std::string_view separators);

}  // namespace strut

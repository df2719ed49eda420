// Suggestions for a misspelled name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// How many letters must be added, dropped or changed to make one text of the other; `most` + 1 if more than `most`.
size_t edit_distance(std::string_view a, std::string_view b, size_t most);

/// Up to three of `among`, the closest first; repeated ones once.
std::vector<std::string> close_names(std::string_view name, std::span<const std::string_view> among);

/// "; nearest: malloc, calloc": the same, to stand behind a message. Empty: there is none.
std::string nearest_names(std::string_view name, std::span<const std::string_view> among);

}  // namespace strut

// json(): an element of a JSON text (illumos' DTrace Guide, "json").
#pragma once

#include <optional>
#include <string_view>

namespace strut {

/// The value at a path of members and indexes, "a.b[2].c": the text between the quotes of a string, escapes as they
/// stand; of any other value its own text. nullopt: there is none, or the text is not JSON up to it.
std::optional<std::string_view> json_element(std::string_view json, std::string_view path);

}  // namespace strut

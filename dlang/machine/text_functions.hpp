// D's string functions, on views: their results are part of an argument or static.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace strut {

/// The last component of a path, as basename(3) of POSIX has it: "/" of "/", "." of "".
std::string_view base_of(std::string_view path);
/// All but the last component: "." where there is none.
std::string_view folder_of(std::string_view path);
/// A path without empty, "." and ".." components as far as the text alone can tell: "/foo/../bar//x/." becomes
/// "/bar/x".
std::string clean_path(std::string_view path);

/// `length` bytes from `from` on. A negative `from` counts from the end; a negative length leaves so many bytes out at
/// the end.
std::string_view part_of(std::string_view text, int64_t from, int64_t length);
/// Position of the first `what` at or after `from`; -1: there is none.
int64_t first_position(std::string_view text, std::string_view what, int64_t from);
/// Position of the last `what` that begins at or before `from`; -1: there is none.
int64_t last_position(std::string_view text, std::string_view what, int64_t from);

/// The token that begins at or behind `at`, separated by any of these characters (strtok(3)); `at` moves behind it. No
/// bytes: there is none.
std::string_view next_token(std::string_view text, std::string_view separators, size_t& at);

/// strtoll(3): blanks, a sign, digits of the base (0x before hexadecimal ones); saturates. `base` is 2 to 36.
int64_t number_from(std::string_view text, unsigned base);
/// Four bytes: dotted decimal. Sixteen: groups of hexadecimal digits, the first of the longest runs of zeros as "::".
std::string internet_address(std::span<const std::byte> address);
/// Two hexadecimal digits for each byte, between colons.
std::string link_address(std::span<const std::byte> address);
/// lltostr(): signed decimal; 0 and octal digits; 0x and hexadecimal digits; else unsigned digits of the base.
std::string digits_of(uint64_t value, int base);

}  // namespace strut

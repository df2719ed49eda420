// Bytes as strace writes strings: quoted, with escapes.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/common/text_buffer.hpp"
#include "formatters/strace/style.hpp"

namespace strut {

/// Whether `hex` asks for every byte of these in hexadecimal.
bool all_in_hex(std::string_view bytes, HexStrings hex);

/// The bytes with strace's escapes and without quotes: octal in its shortest form, hexadecimal where `hex` asks for it.
/// `also` are printable characters that are escaped by number besides (`<>` between angle brackets).
void escape_bytes(TextBuffer& out, std::string_view bytes, HexStrings hex, std::string_view also = {});

/// Quotes the bytes between double quotes.
void quote(TextBuffer& out, std::string_view bytes, HexStrings hex);

}  // namespace strut

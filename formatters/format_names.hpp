// The names of the output formats, for help and completions.
#pragma once

namespace strut {

inline constexpr const char* kFormatNames = "text"
#define FORMAT(name, what, maker, summary) "|" name
#include "formatters/formats.inc"
#undef FORMAT
    ;

inline constexpr const char* kFormatHelp = "text: strace's lines"
#define FORMAT(name, what, maker, summary) "; " name ": " what
#include "formatters/formats.inc"
#undef FORMAT
    ;

}  // namespace strut

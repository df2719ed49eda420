// `dtrace -C`: programs through cpp(1).
#pragma once

#include <span>
#include <string>

#include "base/result.hpp"

namespace strut {

/// What `cpp WORDS` makes of a text. Error: it is not installed, or it failed (it has said why on stderr).
Result<std::string> preprocess(const std::string& text, std::span<const std::string> words);

}  // namespace strut

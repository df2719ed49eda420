// `dtrace -C`: programs through cpp(1).
#pragma once

#include <span>
#include <string>

#include "base/result.hpp"

namespace strut {

/// The output of `cpp WORDS` for a text. Error: cpp is not installed, or it failed (it has written the reason to
/// stderr).
Result<std::string> preprocess(const std::string& text, std::span<const std::string> words);

}  // namespace strut

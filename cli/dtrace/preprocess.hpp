// `dtrace -C`: programs through cpp(1).
#pragma once

#include <string>

#include "base/result.hpp"
#include "dlang/language/settings.hpp"

namespace strut {

/// The output of cpp for a text, by DSettings::cpppath and cpp_words. Error: cpp is not installed, or it failed (it has
/// written the reason to stderr).
Result<std::string> preprocess(const std::string& text, const DSettings& settings);

}  // namespace strut

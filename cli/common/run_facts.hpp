// A run of a tool as traces for programs describe it.
#pragma once

#include <span>
#include <string>

#include "cli/personality.hpp"
#include "formatters/common/format_context.hpp"

namespace strut {

/// `words` are those behind the tool's name.
RunFacts facts_of(const Called& called, std::span<const std::string> words);

}  // namespace strut

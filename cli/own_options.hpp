// The options that every personality takes besides the ones of the tool it stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/option_scanner.hpp"
#include "core/result.hpp"

namespace strut {

enum class BackendChoice : uint8_t { Auto, Ptrace, Kassist };

struct OwnOptions {
  BackendChoice backend = BackendChoice::Auto;
  std::string stats_file;  ///< --stats; empty: none
};

/// Ids of our own long options; tools' ids stay below.
inline constexpr int kOwnBackend = 10000;
inline constexpr int kOwnStats = 10001;

/// To be put into every personality's table. Never abbreviated, so that the tool's own abbreviations keep working.
inline constexpr LongOption kOwnOptions[] = {
    {"backend", Takes::Value, kOwnBackend, LongOption::Spelling::Full},
    {"stats", Takes::Value, kOwnStats, LongOption::Spelling::Full},
};

/// Takes an option of kOwnOptions. Error: its value is not one that it takes.
Result<void> take_own_option(OwnOptions& options, const ScannedOption& option);

}  // namespace strut

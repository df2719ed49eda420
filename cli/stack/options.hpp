// The command line of `strut stack`.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "cli/common/command_line.hpp"
#include "cli/common/own_options.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {

enum class StackFormat : uint8_t { Text, Json };

struct StackOptions {
  Pid pid{};
  FrameDetail detail = FrameDetail::Functions;
  StackFormat format = StackFormat::Text;
  OwnOptions own;       ///< only --backend counts
  size_t frames = 256;  ///< for each thread, at most
  bool help = false;
};

extern const CommandText kStackCommand;

Result<StackOptions> parse_stack_options(std::span<const std::string> words);

}  // namespace strut

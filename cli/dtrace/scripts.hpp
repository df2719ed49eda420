// The scripts of examples/, which are a part of the binary: `strut dtrace opensnoop -c ls`.
#pragma once

#include <string>
#include <string_view>

namespace strut {

struct DtraceScript {
  std::string_view name;  ///< the file's, without .d
  std::string_view text;
};

/// nullptr: there is none of this name.
const DtraceScript* find_script(std::string_view name);
/// A line for each: its name and what it shows (--list-scripts).
std::string list_scripts();

}  // namespace strut

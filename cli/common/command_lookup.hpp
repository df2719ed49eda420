// Turns a typed command into execve(2)'s arguments: the executable, the environment, the user.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/request.hpp"

namespace strut {

/// The file to execute: `name` itself if it holds a slash, else the first regular file of that name with an execute bit
/// in the directories of PATH (strut's own, not the one that -E sets). Errors: "Cannot find executable 'x'",
/// "Cannot stat './x': No such file or directory".
Result<std::string> find_executable(std::string_view name);

/// The same for a program that strut runs for itself: where strut's file has privileges, PATH is ignored.
Result<std::string> find_helper(std::string_view name);

/// As find_executable(), and a file with an execute bit. Error also: "Cannot execute './x': Permission denied".
Result<std::string> find_program(std::string_view name);

/// strut's own environment changed by -E's words: NAME=VALUE sets, NAME removes.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes);

/// The user of -u: a name, or UID:GID without supplementary groups. Only root may ask. Error: "Cannot find user 'x'".
Result<Launch::User> find_user(const std::string& text);

}  // namespace strut

#include "cli/strace/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace strut {
namespace {

/// In double quotes; the caller escapes control characters.
std::string in_quotes(std::string_view path) {
  std::string text = "\"";
  for (char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::vector<std::string> resolve_paths(const std::vector<std::string>& typed, Listener* listener) {
  std::vector<std::string> paths;
  for (const std::string& path : typed) {
    paths.push_back(path);
    std::unique_ptr<char, void (*)(void*)> resolved(realpath(path.c_str(), nullptr), free);
    if (!resolved || path == resolved.get()) continue;
    paths.emplace_back(resolved.get());
    if (listener) listener->say("Requested path " + in_quotes(path) + " resolved into " + in_quotes(resolved.get()));
  }
  return paths;
}

void add_whole_names(const std::vector<std::string>& typed, std::vector<std::string>& paths) {
  for (const std::string& path : typed) {
    std::error_code error;
    std::filesystem::path given(path);
    std::filesystem::path folder = given.has_parent_path() ? given.parent_path() : ".";
    std::filesystem::path whole = std::filesystem::canonical(folder, error) / given.filename();
    if (error || !given.has_filename() || given.filename() == "..") continue;
    if (std::ranges::find(paths, whole.native()) == paths.end()) paths.push_back(whole.native());
  }
}

}  // namespace strut

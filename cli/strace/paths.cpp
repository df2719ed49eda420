#include "cli/strace/paths.hpp"

#include <cstdlib>
#include <memory>
#include <string_view>

namespace strut {
namespace {

/// In double quotes; the caller escapes control characters.
std::string quoted(std::string_view path) {
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
    if (listener) listener->say("Requested path " + quoted(path) + " resolved into " + quoted(resolved.get()));
  }
  return paths;
}

}  // namespace strut

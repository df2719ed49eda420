#include "libcalls/modules/seen_names.hpp"

#include <vector>

#include "base/close_names.hpp"

namespace strut {

namespace {

constexpr size_t kMaxNames = 50'000;

}  // namespace

void SeenNames::add_function(std::string_view name) {
  if (functions_.size() < kMaxNames && !functions_.contains(name)) functions_.emplace(name);
}

void SeenNames::add_module(std::string_view name) {
  if (!modules_.contains(name)) modules_.emplace(name);
}

std::string SeenNames::nearest(std::string_view name, const Names& known) {
  if (name.empty() || name.find_first_of("*?[/") != std::string_view::npos || known.contains(name)) return {};
  return nearest_names(name, std::vector<std::string_view>(known.begin(), known.end()));
}

}  // namespace strut

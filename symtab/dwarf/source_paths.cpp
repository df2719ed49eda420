#include "symtab/dwarf/source_paths.hpp"

namespace strut {

std::string_view SourcePaths::of(const char* name, const Die& unit) const {
  constexpr size_t kLongestPath = 4096;        // limits.h, PATH_MAX
  constexpr std::string_view kNoName = "???";  // libdw's
  std::string_view path = name ? name : "";
  if (path.empty() || path == kNoName || path.size() > kLongestPath) return {};
  if (path.starts_with('/')) return path;
  auto [slot, is_new] = completed_.try_emplace(name);
  std::string_view made_in = unit.text(DW_AT_comp_dir);
  if (is_new && made_in.size() + path.size() < kLongestPath)
    slot->second = std::string(made_in) + (made_in.empty() || made_in.ends_with('/') ? "" : "/") + std::string(path);
  return slot->second;
}

}  // namespace strut

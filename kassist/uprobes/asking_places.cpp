#include "kassist/uprobes/asking_places.hpp"

#include <string_view>

#include "kassist/uprobes/linker_breakpoint.hpp"
#include "kassist/wire/wire.h"

namespace strut {

namespace {

constexpr std::string_view kMakers[] = {"fork",         "_Fork",  "vfork", "clone",   "posix_spawn",
                                        "posix_spawnp", "system", "popen", "forkpty", "daemon"};
/// The others come to these (glibc, musl).
constexpr std::string_view kExecutors[] = {"execve", "execveat", "fexecve"};

/// glibc's and musl's.
bool is_c_library(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libc.so") || name.starts_with("libc-") || name.starts_with("ld-musl");
}

}  // namespace

const std::vector<UprobePoint>& AskingPlaces::in(const std::string& opened, const Mapping& mapping) {
  auto [at, is_new] = known_.try_emplace(file_of(mapping));
  std::vector<UprobePoint>& points = at->second;
  if (!is_new) return points;
  if (auto linker = is_linker(mapping.path) ? linker_breakpoint(opened) : std::nullopt)
    points.push_back({linker->file_offset, wire_cookie_of_linker(linker->to_debug)});
  const uint32_t whose = held_.is_of_followed ? WIRE_OF_FOLLOWED : 0;
  auto add = [&](std::span<const std::string_view> names, wire_site site) {
    for (uint64_t offset : offsets_of(names, opened)) points.push_back({offset, wire_cookie_of(whose, site, 0, 0)});
  };
  if (!is_c_library(mapping.path)) return points;
  if (held_.makers) add(kMakers, WIRE_SITE_MAKER);
  if (held_.executors) add(kExecutors, WIRE_SITE_EXECUTOR);
  return points;
}

}  // namespace strut

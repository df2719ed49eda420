// Sites in one file's code, which users of probes give to a backend to be armed.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "x86/displaced.hpp"

namespace strut {

/// An instruction of a file, with its user's knowledge of it.
template <typename Site>
concept PlacedInFile = requires(const Site& site) {
  { site.file_offset } -> std::convertible_to<uint64_t>;
  /// Where a uprobe goes instead; nullopt: none is safe, the backend that needs one refuses the site.
  { site.uprobe_offset } -> std::convertible_to<std::optional<uint64_t>>;
};

/// A site with a counter of interested tracers (pid-provider/site_semaphore.hpp), at a distance from the site.
template <typename Site>
concept HasSemaphore = requires(const Site& site) {
  { site.semaphore->distance } -> std::convertible_to<int64_t>;
  { site.semaphore->file_offset } -> std::convertible_to<std::optional<uint64_t>>;
};

/// To be armed in every process that maps the file, now or later, or in one.
template <PlacedInFile Site>
struct CodeSites {
  std::string path;                ///< as strut opens it: /proc/PID/map_files/… or /proc/PID/root/…
  uint64_t device = 0, inode = 0;  ///< stat(2): which mappings of processes are this file's
  std::vector<Site> sites;         ///< ascending by file_offset; several of one offset are reported in their order
  std::function<Displaced(const Site&)> displace;  ///< the emulation of the instruction at the site; called at a hit
  std::optional<Pid> pid{};                        ///< only there; nullopt: in every process
};

}  // namespace strut

#include "kassist/loader/memory_limit.hpp"

#include <algorithm>
#include <charconv>

#include "procfs/proc_file.hpp"

namespace strut {

namespace {

constexpr std::string_view kVersion2 = "/sys/fs/cgroup";
constexpr std::string_view kVersion1 = "/sys/fs/cgroup/memory";
constexpr size_t kTextBytes = 4096;

MemoryGroup group_below(std::string_view mount_point, std::string_view path, const char* file) {
  std::string folder(mount_point);
  if (path != "/") folder += path;
  return {std::move(folder), mount_point.size(), file};
}

bool counts_memory(std::string_view controllers) {
  while (!controllers.empty()) {
    size_t end = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, end) == "memory") return true;
    controllers.remove_prefix(std::min(end + 1, controllers.size()));
  }
  return false;
}

std::optional<uint64_t> limit_in(const std::string& path) {
  auto text = read_proc_file(path.c_str(), 64);
  if (!text) return std::nullopt;
  uint64_t bytes;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), bytes);
  return error == std::errc{} ? std::optional(bytes) : std::nullopt;  // "max": none
}

}  // namespace

// Lines are ID:CONTROLLERS:PATH; 0::PATH is the hierarchy of version 2, which counts memory where no other one does.
std::optional<MemoryGroup> memory_group(std::string_view text) {
  std::optional<MemoryGroup> group;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (counts_memory(controllers)) return group_below(kVersion1, path, "/memory.limit_in_bytes");
    if (controllers.empty()) group = group_below(kVersion2, path, "/memory.max");
  }
  return group;
}

std::optional<uint64_t> memory_limit() {
  auto text = read_proc_file("/proc/self/cgroup", kTextBytes);
  auto group = text ? memory_group(*text) : std::nullopt;
  std::optional<uint64_t> least;
  while (group && group->folder.size() >= group->root_length) {
    auto limit = limit_in(group->folder + group->file);
    if (limit) least = std::min(*limit, least.value_or(*limit));
    group->folder.resize(group->folder.rfind('/'));
  }
  return least;
}

}  // namespace strut

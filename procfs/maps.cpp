#include "procfs/maps.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>

#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/proc_root.hpp"

namespace strut {

namespace {

/// vm.max_map_count is 65,530 by default; a line is rarely longer than 200 bytes.
constexpr size_t kLongestMaps = 64 * 1024 * 1024;

bool take_number(std::string_view& line, uint64_t& number, int base, char behind) {
  auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, base);
  size_t used = static_cast<size_t>(end - line.data());
  if (error != std::errc{} || used == line.size() || line[used] != behind) return false;
  line.remove_prefix(used + 1);
  return true;
}

}  // namespace

std::optional<Mapping> parse_mapping(std::string_view line) {
  Mapping mapping;
  uint64_t start, end, major, minor;
  if (!take_number(line, start, 16, '-') || !take_number(line, end, 16, ' ') || end < start) return std::nullopt;
  if (line.size() < 5 || line[4] != ' ') return std::nullopt;
  mapping.start = Addr{start};
  mapping.end = Addr{end};
  mapping.readable = line[0] == 'r';
  mapping.writable = line[1] == 'w';
  mapping.executable = line[2] == 'x';
  mapping.shared = line[3] == 's';
  line.remove_prefix(5);
  if (!take_number(line, mapping.offset, 16, ' ') || !take_number(line, major, 16, ':') ||
      !take_number(line, minor, 16, ' '))
    return std::nullopt;
  mapping.device_major = static_cast<uint32_t>(major);
  mapping.device_minor = static_cast<uint32_t>(minor);
  auto [inode_end, error] = std::from_chars(line.data(), line.data() + line.size(), mapping.inode);
  if (error != std::errc{}) return std::nullopt;
  line.remove_prefix(static_cast<size_t>(inode_end - line.data()));
  size_t name = line.find_first_not_of(' ');
  if (name != std::string_view::npos) mapping.path = line.substr(name);
  return mapping;
}

Result<std::vector<Mapping>> maps_of(Pid pid) {
  auto text = read_proc_file(proc_path(raw(pid), "maps"), kLongestMaps);
  if (!text)
    return fail(
        {.code = errno == ENOENT ? ESRCH : errno, .op = "read maps of process", .subject = std::to_string(raw(pid))});
  std::vector<Mapping> mappings;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (auto mapping = parse_mapping(line)) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

Result<void> check_maps_are_shown() {
  constexpr const char* kOwn = "/proc/self/maps";
  if (::access(kOwn, R_OK) == 0) return {};
  return fail({errno,
               "look for functions",
               kOwn,
               {},
               "They are found by what processes have mapped: mount -t proc proc /proc"});
}

std::string map_file_path(Pid pid, const Mapping& mapping) {
  char path[64];
  std::snprintf(path, sizeof path, "%s/%d/map_files/%lx-%lx", proc_root(), raw(pid), raw(mapping.start),
                raw(mapping.end));
  return path;
}

}  // namespace strut

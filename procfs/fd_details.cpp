#include "procfs/fd_details.hpp"

#include <charconv>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "procfs/proc_file.hpp"

namespace strut {

namespace {

using Details = decltype(FdTarget::details);

constexpr size_t kLongestFdinfo = 64 * 1024;  // an epoll's lists every watched descriptor

/// The value of the line "KEY:" as a number; nullopt: no such line, or no number.
template <typename T>
std::optional<T> number_of(std::string_view fdinfo, std::string_view key, int base) {
  while (!fdinfo.empty()) {
    std::string_view line = fdinfo.substr(0, fdinfo.find('\n'));
    fdinfo.remove_prefix(std::min(fdinfo.size(), line.size() + 1));
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') continue;
    size_t start = line.find_first_not_of(" \t", key.size() + 1);
    if (start == std::string_view::npos) return std::nullopt;
    T number{};
    auto [end, error] = std::from_chars(line.data() + start, line.data() + line.size(), number, base);
    if (error != std::errc{}) return std::nullopt;
    return number;
  }
  return std::nullopt;
}

Details eventfd(std::string_view fdinfo) {
  auto count = number_of<uint64_t>(fdinfo, "eventfd-count", 16);
  auto id = number_of<int32_t>(fdinfo, "eventfd-id", 10);
  auto semaphore = number_of<int32_t>(fdinfo, "eventfd-semaphore", 10);
  if (!count || !id) return {};
  return EventfdTarget{*count, *id, semaphore.value_or(0) != 0};
}

Details device(Tid tid, int fd, std::string_view path) {
  struct stat64 found;
  if (::stat64(proc_path(raw(tid), "fd", fd), &found) != 0) return {};
  if (!S_ISCHR(found.st_mode) && !S_ISBLK(found.st_mode)) return {};
  DeviceTarget device{S_ISBLK(found.st_mode), gnu_dev_major(found.st_rdev), gnu_dev_minor(found.st_rdev), {}};
  if (path.ends_with("/ptmx"))
    if (auto fdinfo = read_proc_file(proc_path(raw(tid), "fdinfo", fd), kLongestFdinfo))
      device.peer = parse_pty_peer(*fdinfo);
  return device;
}

}  // namespace

Details parse_fdinfo(std::string_view path, std::string_view fdinfo) {
  if (path == "anon_inode:[eventfd]") return eventfd(fdinfo);
  if (path == "anon_inode:[pidfd]") {
    auto pid = number_of<int32_t>(fdinfo, "Pid", 10);  // -1: reaped, 0: in another pid namespace
    if (pid && *pid > 0) return PidfdTarget{*pid, {}};
  }
  if (path == "anon_inode:[signalfd]")
    if (auto mask = number_of<uint64_t>(fdinfo, "sigmask", 16)) return SignalfdTarget{*mask};
  return {};
}

std::string parse_pty_peer(std::string_view fdinfo) {
  auto index = number_of<uint32_t>(fdinfo, "tty-index", 10);
  return index ? "/dev/pts/" + std::to_string(*index) : std::string();
}

Details fd_details(Tid tid, int fd, std::string_view path) {
  if (path.starts_with('/')) return device(tid, fd, path);
  if (!path.starts_with("anon_inode:[")) return {};
  auto fdinfo = read_proc_file(proc_path(raw(tid), "fdinfo", fd), kLongestFdinfo);
  return fdinfo ? parse_fdinfo(path, *fdinfo) : Details{};
}

}  // namespace strut

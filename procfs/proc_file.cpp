#include "procfs/proc_file.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "procfs/proc_root.hpp"

namespace strut {

namespace {
constexpr size_t kChunkBytes = 4096;
constexpr size_t kLongestLink = 64 * 1024;

ssize_t read_retrying(int fd, char* to, size_t bytes) {
  ssize_t got;
  do got = ::read(fd, to, bytes);
  while (got < 0 && errno == EINTR);
  return got;
}
}  // namespace

std::optional<std::string> read_proc_file(const char* path, size_t limit) {
  int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  ssize_t got = 0;
  do {
    size_t have = text.size();
    size_t want = std::min(kChunkBytes, limit - have);
    text.resize(have + want);
    got = want ? read_retrying(fd, text.data() + have, want) : 0;
    text.resize(have + (got > 0 ? static_cast<size_t>(got) : 0));
  } while (got > 0);
  int error = errno;
  ::close(fd);
  errno = error;
  if (got < 0) return std::nullopt;
  return text;
}

std::optional<std::string> read_proc_link(const char* path) {
  char near[512];
  ssize_t got = ::readlink(path, near, sizeof near);
  if (got < 0) return std::nullopt;
  if (static_cast<size_t>(got) < sizeof near) return std::string(near, static_cast<size_t>(got));
  std::string far(kLongestLink, '\0');
  got = ::readlink(path, far.data(), far.size());
  if (got < 0) return std::nullopt;
  far.resize(static_cast<size_t>(got));
  return far;
}

ProcPath proc_path(int32_t id, const char* name) {
  ProcPath path;
  std::snprintf(path.text, sizeof path.text, "%s/%d/%s", proc_root(), id, name);
  return path;
}

ProcPath proc_path(int32_t id, const char* folder, int32_t number) {
  ProcPath path;
  std::snprintf(path.text, sizeof path.text, "%s/%d/%s/%d", proc_root(), id, folder, number);
  return path;
}

ProcPath thread_stat_path(int32_t tid) {
  ProcPath path;
  std::snprintf(path.text, sizeof path.text, "%s/%d/task/%d/stat", proc_root(), tid, tid);
  return path;
}

}  // namespace strut

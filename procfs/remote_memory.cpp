#include "procfs/remote_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"

namespace strut {

namespace {
constexpr uint64_t kPageBytes = 4096;
/// First bite of a string: nearly every path is shorter.
constexpr size_t kFirstBiteBytes = 256;
}  // namespace

RemoteMemory::~RemoteMemory() { move_to(id_); }

void RemoteMemory::move_to(Tid id) {
  if (mem_fd_ >= 0) ::close(mem_fd_);
  mem_fd_ = -1;
  gone_ = false;
  id_ = id;
}

size_t RemoteMemory::copy_by_file(uint64_t at, void* to, size_t bytes) {
  if (mem_fd_ < 0) mem_fd_ = ::open(proc_path(raw(id_), "mem"), O_RDONLY | O_CLOEXEC);
  gone_ = mem_fd_ < 0;
  if (gone_ || at > INT64_MAX) return 0;
  ssize_t got = ::pread(mem_fd_, to, bytes, static_cast<off_t>(at));
  gone_ = got == 0;  // proc(5): a file without memory behind it; where nothing is mapped it is EIO
  return got > 0 ? static_cast<size_t>(got) : 0;
}

size_t RemoteMemory::copy(uint64_t at, void* to, size_t bytes) {
  if (bytes == 0) return 0;
  if (mem_fd_ >= 0) return copy_by_file(at, to, bytes);
  iovec local{to, bytes};
  iovec remote{reinterpret_cast<void*>(at), bytes};
  ssize_t got = ::process_vm_readv(raw(id_), &local, 1, &remote, 1, 0);
  gone_ = got < 0 && errno != EFAULT;
  if (got >= 0) return static_cast<size_t>(got);
  if (errno == ENOSYS || errno == EPERM) return copy_by_file(at, to, bytes);
  return 0;
}

ReadOutcome RemoteMemory::read(Addr at, std::span<std::byte> out) {
  return {copy(raw(at), out.data(), out.size()), false};
}

ReadOutcome RemoteMemory::read_string(Addr at, std::span<char> out) {
  size_t done = 0;
  size_t bite = kFirstBiteBytes;
  while (done < out.size()) {
    uint64_t from = raw(at) + done;
    if (from < done) break;  // wrapped around the end of the address space
    size_t want = std::min({out.size() - done, bite, static_cast<size_t>(kPageBytes - from % kPageBytes)});
    size_t got = copy(from, out.data() + done, want);
    const void* nul = std::memchr(out.data() + done, 0, got);
    if (nul) return {static_cast<size_t>(static_cast<const char*>(nul) - out.data()) + 1, false};
    done += got;
    if (got < want) break;
    bite = kPageBytes;
  }
  return {done, false};
}

}  // namespace strut

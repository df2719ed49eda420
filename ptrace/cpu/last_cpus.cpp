#include "ptrace/cpu/last_cpus.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {

LastCpus::~LastCpus() {
  for (const File& file : files_)
    if (file.fd >= 0) ::close(file.fd);
}

std::optional<int> LastCpus::of(Tid tid) {
  File& file = files_[static_cast<uint32_t>(raw(tid)) % files_.size()];
  char text[1024];
  ssize_t got = -1;
  // The open file of an ended thread is not that of a new thread with the same id: it is opened again.
  if (file.fd >= 0 && file.tid == raw(tid)) got = ::pread(file.fd, text, sizeof text, 0);
  if (got <= 0) {
    if (file.fd >= 0) ::close(file.fd);
    file = {raw(tid), ::open(thread_stat_path(raw(tid)), O_RDONLY | O_CLOEXEC)};
    if (file.fd >= 0) got = ::pread(file.fd, text, sizeof text, 0);
  }
  return got > 0 ? parse_last_cpu({text, static_cast<size_t>(got)}) : std::nullopt;
}

}  // namespace strut

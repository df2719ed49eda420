#include "ptrace/engine/kin.hpp"

#include <cstdlib>
#include <string>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr size_t kMaxText_bytes = 64 * 1024;

/// /proc/PID/task/TID/children (CONFIG_PROC_CHILDREN): ids with a blank behind each.
bool children_are_among(Tid parent, const TraceeTable& tracees) {
  std::string path = proc_path(raw(parent), "task", raw(parent)).text;
  auto text = read_proc_file((path + "/children").c_str(), kMaxText_bytes);
  if (!text || text->size() >= kMaxText_bytes) return false;
  const char* at = text->c_str();
  for (char* end; *at != '\0'; at = *end == ' ' ? end + 1 : end) {
    long child = std::strtol(at, &end, 10);
    if (end == at || !tracees.contains(Tid{static_cast<int32_t>(child)})) return false;
  }
  return true;
}

}  // namespace

bool kin_is_among(Pid pid, const TraceeTable& tracees) {
  auto threads = threads_of(pid);
  if (!threads) return false;
  for (Tid thread : *threads)
    if (!tracees.contains(thread) || !children_are_among(thread, tracees)) return false;
  return true;
}

}  // namespace strut

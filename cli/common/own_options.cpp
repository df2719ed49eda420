#include "cli/common/own_options.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <vector>

#include "process/accounts.hpp"
#include "procfs/cgroups.hpp"
#include "procfs/proc_file.hpp"

namespace strut {

namespace {

constexpr size_t kMaxMounts_bytes = 4 << 20;

/// The kernel's ring takes a power of two of pages; below a megabyte one call's record could fill it.
Result<void> take_ring_size(OwnOptions& options, std::string_view value) {
  constexpr uint32_t kLeast_mb = 1, kMost_mb = 1024;
  uint32_t megabytes = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), megabytes);
  bool number = error == std::errc{} && end == value.data() + value.size();
  if (!number || !std::has_single_bit(megabytes) || megabytes < kLeast_mb || megabytes > kMost_mb)
    return fail_because("invalid --ring-size argument: '" + std::string(value) + "': it is 1, 2, 4 … 1024 (megabytes)");
  options.ring_bytes = megabytes << 20;
  return {};
}

Result<void> take_stack_bytes(OwnOptions& options, std::string_view value) {
  constexpr uint32_t kLeast = 4 << 10, kMost = 252 << 10;
  constexpr uint32_t kFurthest = 8 << 20;  // frame pointers may lead through a whole stack
  options.frames_only = value == "frames";
  if (options.frames_only) {
    options.stack_bytes = kFurthest;
    return {};
  }
  uint32_t bytes = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
  if (error != std::errc{} || end != value.data() + value.size() || bytes < kLeast || bytes > kMost)
    return fail_because("invalid --stack-bytes argument: '" + std::string(value) +
                        "': it is 4096 to 258048, or frames");
  options.stack_bytes = bytes;
  return {};
}

Result<void> take_format(OwnOptions& options, std::string_view value) {
  const OutputFormat* format = find_format(value);
  if (!format) return fail_because("invalid --format argument: '" + std::string(value) + "': it is " + format_names());
  options.format = format;
  return {};
}

Result<void> take_filter(OwnOptions& options, int id, std::string_view value) {
  if (value.empty()) return fail_because("--uid, --cgroup, --container and --comm need a value");
  if (id == kOwnUid) options.uid = value;
  if (id == kOwnCgroup) options.filter.cgroup = value;
  if (id == kOwnContainer) options.container = value;
  if (id == kOwnComm) options.filter.comm = value;
  return {};
}

/// A directory that --cgroup takes.
Result<std::string> cgroup_of_container(const OwnOptions& own) {
  if (own.filter.cgroup) return fail_because("--container and --cgroup each choose a cgroup: give one of them");
  std::vector<std::string> found;
  for (const std::string& mount : cgroup_mounts(read_proc_file("/proc/self/mounts", kMaxMounts_bytes).value_or("")))
    std::ranges::move(cgroups_of_container(mount, own.container), std::back_inserter(found));
  if (found.empty())
    return fail_because("--container: no cgroup of version 2 is of a container '" + own.container +
                        "'; Docker's, Podman's and Kubernetes' have the container's id, not its name");
  if (found.size() == 1) return found[0];
  std::string all;
  for (const std::string& one : found) all += (all.empty() ? "" : ", ") + one;
  return fail_because("--container: several cgroups are of a container '" + own.container + "': " + all +
                      "; --cgroup takes one");
}

}  // namespace

Result<void> check_counts(const OutputFormat& format) {
  if (format.summary != nullptr) return {};
  return fail_because("counts cannot be shown with --format=" + std::string(format.name));
}

Result<void> take_own_option(OwnOptions& options, const ScannedOption& option) {
  std::string_view value = option.value.value_or("");
  if (option.id == kOwnNoBrake) {
    options.brake = false;
    return {};
  }
  if (option.id == kOwnAll) {
    options.all = true;
    return {};
  }
  if (chooses_among_all(option.id)) return take_filter(options, option.id, value);
  if (option.id == kOwnFormat) return take_format(options, value);
  if (option.id == kOwnRingSize) return take_ring_size(options, value);
  if (option.id == kOwnStackBytes) return take_stack_bytes(options, value);
  if (option.id == kOwnStats) {
    if (value.empty()) return fail_because("--stats needs the name of a file");
    options.stats_file = value;
    return {};
  }
  if (value == "auto") options.backend = BackendChoice::Auto;
  else if (value == "ptrace") options.backend = BackendChoice::Ptrace;
  else if (value == "kassist") options.backend = BackendChoice::Kassist;
  else return fail_because("invalid --backend argument: '" + std::string(value) + "': it is auto, ptrace or kassist");
  return {};
}

Result<SystemWide> asked_for(const OwnOptions& own) {
  SystemWide system_wide = own.filter;
  if (!own.container.empty()) system_wide.cgroup = TRY(cgroup_of_container(own));
  if (own.uid.empty()) return system_wide;
  uid_t uid = 0;
  auto [end, error] = std::from_chars(own.uid.data(), own.uid.data() + own.uid.size(), uid);
  if (error == std::errc{} && end == own.uid.data() + own.uid.size()) system_wide.uid = uid;
  else if (auto account = find_account(own.uid)) system_wide.uid = account->uid;
  else return fail_because("--uid: there is no user '" + own.uid + "'");
  return system_wide;
}

}  // namespace strut

#include "dtrace/providers/process_members.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>

#include <unistd.h>

#include "dlang/machine/text_functions.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

constexpr size_t kMaxText_bytes = 64 * 1024;
constexpr int kDeepest = 1000;  // generations: /proc is read while it changes

int64_t stat_of(int32_t id, int field) {
  auto text = read_proc_file(proc_path(id, "stat"), 4096);
  return text ? stat_field(*text, field).value_or(0) : 0;
}

/// Field 22 of /proc/PID/stat counts ticks since the machine started (proc(5)).
uint64_t start_time_ns(Pid pid) {
  auto ticks = static_cast<uint64_t>(stat_of(raw(pid), 22));
  timespec real{}, boot{};
  ::clock_gettime(CLOCK_REALTIME, &real);
  ::clock_gettime(CLOCK_BOOTTIME, &boot);
  int64_t booted_ns = (real.tv_sec - boot.tv_sec) * 1'000'000'000 + (real.tv_nsec - boot.tv_nsec);
  return static_cast<uint64_t>(booted_ns) + ticks * (1'000'000'000 / static_cast<uint64_t>(::sysconf(_SC_CLK_TCK)));
}

/// The number of the call that a thread is in; 0: none, or not known.
uint64_t call_of(Tid tid) {
  auto text = read_proc_file(proc_path(raw(tid), "syscall"), 256);
  int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return static_cast<uint64_t>(std::max<int64_t>(number, 0));
}

/// The rest of the first line that begins with `key`, without leading blanks.
std::string line_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(key)) continue;
    size_t value = line.find_first_not_of(" \t", key.size());
    return value == std::string_view::npos ? std::string{} : std::string(line.substr(value));
  }
  return {};
}

std::string fdinfo(Pid pid, int fd, std::string_view key) {
  return line_of(read_proc_file(proc_path(raw(pid), "fdinfo", fd), kMaxText_bytes).value_or(""), key);
}

uint64_t number_of(const std::string& text, int base) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

/// The mount that a descriptor's file lies in (proc(5), /proc/PID/mountinfo): its directory, and the type behind " - ".
struct Mount {
  std::string directory, type;
};
Mount mount_of(Pid pid, int fd) {
  std::string id = fdinfo(pid, fd, "mnt_id:");
  if (id.empty()) return {};
  std::string rest = line_of(read_proc_file(proc_path(raw(pid), "mountinfo"), 1024 * 1024).value_or(""), id + ' ');
  for (int skipped = 0; skipped < 3; skipped++)
    rest.erase(0, std::min(rest.find(' '), rest.size() - 1) + 1);  // parent, device, root
  Mount mount{rest.substr(0, rest.find(' ')), {}};
  size_t dash = rest.find(" - ");
  if (dash != std::string::npos) mount.type = rest.substr(dash + 3, rest.find(' ', dash + 3) - dash - 3);
  return mount;
}

std::string path_of(Pid pid, int fd) { return read_proc_link(proc_path(raw(pid), "fd", fd)).value_or(""); }

/// A file without a directory is in an internal file system of the kernel, which no mountinfo lists.
struct OwnFileSystem {
  std::string_view beginning;  ///< for the descriptor's link
  std::string_view name;
};
constexpr OwnFileSystem kOwnFileSystems[] = {
    {"pipe:[", "pipefs"}, {"socket:[", "sockfs"}, {"anon_inode:", "anon_inodefs"}, {"/memfd:", "tmpfs"}};

std::string type_of_file_system(Pid pid, int fd) {
  std::string type = mount_of(pid, fd).type, path = type.empty() ? path_of(pid, fd) : std::string();
  for (const OwnFileSystem& own : kOwnFileSystems)
    if (type.empty() && path.starts_with(own.beginning)) type = own.name;
  return type;
}

}  // namespace

uint64_t process_member(Pid pid, Tid tid, DMemberName member) {
  auto status = [&] { return process_status(leader_of(pid)).value_or(ProcessStatus{}); };
  switch (member) {
    case DMemberName::ProcessPid: return static_cast<uint64_t>(raw(pid));
    case DMemberName::ProcessParent: return static_cast<uint64_t>(raw(status().parent));
    case DMemberName::ProcessGroup: return static_cast<uint64_t>(stat_of(raw(pid), 5));
    case DMemberName::ProcessSession: return static_cast<uint64_t>(stat_of(raw(pid), 6));
    case DMemberName::ProcessUid: return status().uid;
    case DMemberName::ProcessEuid: return status().effective_uid;
    case DMemberName::ProcessGid: return status().gid;
    case DMemberName::ProcessEgid: return status().effective_gid;
    case DMemberName::ProcessThreads: return status().threads;
    case DMemberName::ProcessStart: return start_time_ns(pid);
    case DMemberName::ThreadId: return static_cast<uint64_t>(raw(tid));
    case DMemberName::ThreadPriority: return static_cast<uint64_t>(stat_of(raw(tid), 18));
    case DMemberName::ThreadNice: return static_cast<uint64_t>(stat_of(raw(tid), 19));
    case DMemberName::ThreadCpu: return static_cast<uint64_t>(stat_of(raw(tid), 39));
    case DMemberName::ThreadSyscall: return call_of(tid);
    default: return 0;
  }
}

std::string process_member_text(Pid pid, Tid tid, DMemberName member) {
  switch (member) {
    case DMemberName::ProcessName: return comm_of(raw(pid)).value_or("");
    case DMemberName::ProcessArguments: return arguments_of(pid);
    case DMemberName::ThreadName: return comm_of(raw(tid)).value_or("");
    default: return {};
  }
}

uint64_t file_member(Pid pid, int fd, DMemberName member) {
  switch (member) {
    case DMemberName::FileOffset: return number_of(fdinfo(pid, fd, "pos:"), 10);
    case DMemberName::FileFlags: return number_of(fdinfo(pid, fd, "flags:"), 8);
    default: return 0;
  }
}

std::string file_member_text(Pid pid, int fd, DMemberName member) {
  switch (member) {
    case DMemberName::FilePath: return path_of(pid, fd);
    case DMemberName::FileName: return std::string(base_of(path_of(pid, fd)));
    case DMemberName::FileFolder: return std::string(folder_of(path_of(pid, fd)));
    case DMemberName::FileMount: return mount_of(pid, fd).directory;
    case DMemberName::FileSystem: return type_of_file_system(pid, fd);
    default: return {};
  }
}

std::string arguments_of(Pid pid) {
  std::string text = read_proc_file(proc_path(raw(pid), "cmdline"), kMaxText_bytes).value_or("");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

bool is_progeny(Pid process, int64_t of) {
  for (int generation = 0; generation < kDeepest && raw(process) > 0; generation++) {
    if (raw(process) == of) return true;
    auto status = process_status(leader_of(process));
    if (!status) return false;
    process = status->parent;
  }
  return false;
}

}  // namespace strut

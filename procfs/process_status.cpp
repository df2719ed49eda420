#include "procfs/process_status.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include <dirent.h>

#include "procfs/proc_file.hpp"
#include "procfs/proc_root.hpp"

namespace strut {

namespace {

/// "Groups:" alone may hold 65,536 numbers.
constexpr size_t kLongestStatus = 1024 * 1024;
constexpr size_t kDeepestNamespace = 32;  // MAX_PID_NS_LEVEL of pid_namespaces(7)

std::string_view skip_blanks(std::string_view text) {
  size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

template <typename T>
bool take_number(std::string_view& text, T& number) {
  text = skip_blanks(text);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

int32_t number_in(std::string_view text) {
  int32_t number = 0;
  take_number(text, number);
  return number;
}

uint64_t hex_in(std::string_view text) {
  text = skip_blanks(text);
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

std::vector<int32_t> numbers_in(std::string_view text) {
  std::vector<int32_t> numbers;
  int32_t number;
  while (numbers.size() < kDeepestNamespace && take_number(text, number)) numbers.push_back(number);
  return numbers;
}

struct Seen {
  bool tid = false, pid = false, memory = false, kernel_line = false;
};

using TakeLine = void (*)(std::string_view value, ProcessStatus& status, Seen& seen);
template <uint64_t ProcessStatus::* kMember>
void take_set(std::string_view value, ProcessStatus& status, Seen&) {
  status.*kMember = hex_in(value);
}
template <auto... kMembers>
void take_numbers(std::string_view value, ProcessStatus& status, Seen&) {
  (take_number(value, status.*kMembers), ...);
}
template <std::vector<int32_t> ProcessStatus::* kMember>
void take_ids(std::string_view value, ProcessStatus& status, Seen&) {
  status.*kMember = numbers_in(value);
}
void take_tid(std::string_view value, ProcessStatus& status, Seen& seen) {
  status.tid = Tid{number_in(value)};
  seen.tid = true;
}
void take_pid(std::string_view value, ProcessStatus& status, Seen& seen) {
  status.pid = Pid{number_in(value)};
  seen.pid = true;
}
void take_parent(std::string_view value, ProcessStatus& status, Seen&) { status.parent = Pid{number_in(value)}; }
void take_state(std::string_view value, ProcessStatus& status, Seen&) {
  value = skip_blanks(value);
  if (!value.empty()) status.state = value[0];
}
void take_kernel_thread(std::string_view value, ProcessStatus& status, Seen& seen) {
  status.kernel_thread = number_in(value) == 1;
  seen.kernel_line = true;
}
void take_memory(std::string_view, ProcessStatus&, Seen& seen) { seen.memory = true; }

struct Line {
  std::string_view key;
  TakeLine take;
};
constexpr Line kLines[] = {
    {"Pid", take_tid},
    {"Tgid", take_pid},
    {"PPid", take_parent},
    {"TracerPid", take_numbers<&ProcessStatus::tracer>},
    {"State", take_state},
    {"Uid", take_numbers<&ProcessStatus::uid, &ProcessStatus::effective_uid>},
    {"Gid", take_numbers<&ProcessStatus::gid, &ProcessStatus::effective_gid>},
    {"Threads", take_numbers<&ProcessStatus::threads>},
    {"SigPnd", take_set<&ProcessStatus::pending>},
    {"ShdPnd", take_set<&ProcessStatus::process_pending>},
    {"SigBlk", take_set<&ProcessStatus::blocked>},
    {"SigIgn", take_set<&ProcessStatus::ignored>},
    {"SigCgt", take_set<&ProcessStatus::caught>},
    {"Seccomp", take_numbers<&ProcessStatus::seccomp>},
    {"Kthread", take_kernel_thread},
    {"VmSize", take_memory},
    {"NSpid", take_ids<&ProcessStatus::nested_tids>},
    {"NStgid", take_ids<&ProcessStatus::nested_pids>},
};

void take_line(std::string_view key, std::string_view value, ProcessStatus& status, Seen& seen) {
  auto line = std::ranges::find(kLines, key, &Line::key);
  if (line != std::end(kLines)) line->take(value, status, seen);
}

}  // namespace

int32_t own_tid(Tid tid, const Result<ProcessStatus>& status) {
  return status && !status->nested_tids.empty() ? status->nested_tids.back() : raw(tid);
}

std::optional<ProcessStatus> parse_process_status(std::string_view text) {
  ProcessStatus status;
  Seen seen;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    size_t colon = line.find(':');
    if (colon != std::string_view::npos) take_line(line.substr(0, colon), line.substr(colon + 1), status, seen);
  }
  if (!seen.tid || !seen.pid) return std::nullopt;
  if (!seen.kernel_line) status.kernel_thread = !seen.memory && status.state != 'Z' && status.state != 'X';
  return status;
}

Result<ProcessStatus> process_status(Tid tid) {
  auto text = read_proc_file(proc_path(raw(tid), "status"), kLongestStatus);
  int error = errno == ENOENT ? ESRCH : errno;
  if (text) {
    if (auto status = parse_process_status(*text)) return *status;
    error = ESRCH;
  }
  return fail({.code = error, .op = "read status of process", .subject = std::to_string(raw(tid))});
}

char state_of(Tid tid) {
  constexpr size_t kMost = 1024;
  auto text = read_proc_file(thread_stat_path(raw(tid)), kMost);
  size_t close = text ? text->rfind(')') : std::string::npos;
  return close == std::string::npos || close + 2 >= text->size() ? '\0' : (*text)[close + 2];
}

bool is_asleep(Tid tid) {
  char state = state_of(tid);
  return state == 'S' || state == 'D';
}

namespace {

/// The entries of a folder that are ids. nullopt: errno says why.
template <typename Id>
std::optional<std::vector<Id>> ids_in(const char* path) {
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path), ::closedir);
  if (!folder) return std::nullopt;
  std::vector<Id> ids;
  while (const dirent* entry = ::readdir(folder.get())) {
    std::string_view name = entry->d_name;
    int32_t id = 0;
    if (take_number(name, id) && name.empty() && id > 0) ids.push_back(Id{id});
  }
  return ids;
}

}  // namespace

Result<std::vector<Tid>> threads_of(Pid pid) {
  if (auto threads = ids_in<Tid>(proc_path(raw(pid), "task"))) return *std::move(threads);
  return fail(
      {.code = errno == ENOENT ? ESRCH : errno, .op = "list threads of process", .subject = std::to_string(raw(pid))});
}

std::vector<Pid> processes() { return ids_in<Pid>(proc_root()).value_or(std::vector<Pid>()); }

std::optional<std::string> comm_of(int32_t id) {
  auto text = read_proc_file(proc_path(id, "comm"), 256);
  constexpr size_t kMaxBytes = 15;  // TASK_COMM_LEN; /proc says more of kernel threads than they have room for
  if (text && !text->empty() && text->back() == '\n') text->pop_back();
  if (text && text->size() > kMaxBytes) text->resize(kMaxBytes);
  return text;
}

std::optional<int64_t> stat_field(std::string_view stat, int field) {
  size_t close = stat.rfind(')');
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view rest = stat.substr(close + 1);
  // Field 3, the state, is the first behind the parenthesis; it is the only one that is no number. One blank is before
  // each.
  for (int skipped = 3; skipped <= field; skipped++) {
    const void* blank = std::memchr(rest.data(), ' ', rest.size());
    if (!blank) return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(static_cast<const char*>(blank) - rest.data()) + 1);
  }
  int64_t number = 0;
  if (!take_number(rest, number)) return std::nullopt;
  return number;
}

std::optional<int> parse_last_cpu(std::string_view stat) {
  auto cpu = stat_field(stat, 39);
  if (!cpu || *cpu < 0 || *cpu > INT32_MAX) return std::nullopt;
  return static_cast<int>(*cpu);
}

}  // namespace strut

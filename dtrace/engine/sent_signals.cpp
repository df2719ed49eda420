#include "dtrace/engine/sent_signals.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "dtrace/providers/process_members.hpp"
#include "procfs/pid_namespace.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

int32_t number(const Call& call, int argument) {
  return static_cast<int32_t>(call.regs[static_cast<size_t>(argument)]);
}

/// In strut's numbers; nullopt: it is gone.
std::optional<int32_t> translated(Tid sender, int32_t id) {
  return shares_our_pid_namespace(sender) ? id : find_in_pid_namespace(sender, id);
}

/// pidfd_open(2): "Pid:" of the descriptor's fdinfo, in the reader's numbers.
std::optional<int32_t> process_of_descriptor(Pid owner, int fd) {
  constexpr std::string_view kKey = "\nPid:\t";
  auto text = read_proc_file(proc_path(raw(owner), "fdinfo", fd), 4096);
  size_t at = text ? text->find(kKey) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  int32_t pid = 0;
  std::from_chars(text->data() + at + kKey.size(), text->data() + text->size(), pid);
  return pid > 0 ? std::optional(pid) : std::nullopt;
}

std::vector<SentSignal> to_group(int32_t group, uint32_t signal) {
  std::vector<SentSignal> sent;
  for (Pid pid : processes())
    if (process_member(pid, leader_of(pid), DMemberName::ProcessGroup) == static_cast<uint64_t>(group))
      sent.push_back({pid, leader_of(pid), signal});
  return sent;
}

std::vector<SentSignal> to_thread(int32_t tid, uint32_t signal) {
  auto status = process_status(Tid{tid});
  Pid pid = status && !status->nested_pids.empty() ? Pid{status->nested_pids[0]} : Pid{tid};
  return {{pid, Tid{tid}, signal}};
}

}  // namespace

std::vector<SentSignal> sent_signals(const Call& call) {
  const SignalArguments& of = call.effects().signal;
  if (of.signal == SignalArguments::kAbsent || call.error != 0) return {};
  auto signal = static_cast<uint32_t>(number(call, of.signal));
  if (signal == 0) return {};
  if (of.descriptor != SignalArguments::kAbsent) {
    auto pid = process_of_descriptor(call.pid, number(call, of.descriptor));
    return pid ? std::vector{SentSignal{Pid{*pid}, Tid{*pid}, signal}} : std::vector<SentSignal>{};
  }
  if (of.thread != SignalArguments::kAbsent) {
    auto tid = translated(call.tid, number(call, of.thread));
    return tid ? to_thread(*tid, signal) : std::vector<SentSignal>{};
  }
  int32_t target = number(call, of.process);
  if (target == -1) return {};
  if (target == 0)
    return to_group(static_cast<int32_t>(process_member(call.pid, call.tid, DMemberName::ProcessGroup)), signal);
  auto id = translated(call.tid, target < 0 ? -target : target);
  if (!id) return {};
  return target < 0 ? to_group(*id, signal) : to_thread(*id, signal);
}

}  // namespace strut

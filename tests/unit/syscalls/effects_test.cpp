// The effects of calls by their rows, in every ABI: the BPF programs' numbers come from these, too.
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "syscalls/syscall.hpp"

namespace strut::test {
namespace {

using Names = std::set<std::string>;

Names names_of(Abi abi, bool (*is_so)(const Effects&)) {
  Names names;
  for (const SyscallSlot& slot : syscalls_of(abi))
    if (is_so(slot.desc->effects)) names.insert(slot.desc->name);
  return names;
}

}  // namespace

TEST_CASE("effects: calls that replace the program") {
  auto replaces = [](const Effects& effects) { return effects.replace_program(); };
  CHECK(names_of(Abi::X86_64, replaces) == Names{"execve", "execveat"});
  CHECK(names_of(Abi::I386, replaces) == Names{"execve", "execveat"});
  CHECK(names_of(Abi::X32, replaces) == Names{"execve", "execveat", "execve#64", "execveat#64"});
  CHECK(find_syscall(Abi::X32, "execve")->desc->effects.program == 0);
  CHECK(find_syscall(Abi::I386, "execveat")->desc->effects.program == 1);
}

TEST_CASE("effects: calls that make a process") {
  auto makes = [](const Effects& effects) { return effects.make_process(); };
  for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32})
    CHECK(names_of(abi, makes) == Names{"clone", "clone3", "fork", "vfork"});
  CHECK(find_syscall(Abi::I386, "clone3")->desc->effects.makes == Makes::ByMemory);
}

TEST_CASE("effects: calls that map code") {
  auto maps = [](const Effects& effects) { return effects.have(kMapsCode); };
  auto in_memory = [](const Effects& effects) { return effects.have(kArgumentsInMemory); };
  CHECK(names_of(Abi::X86_64, maps) == Names{"mmap", "mprotect", "pkey_mprotect"});
  CHECK(names_of(Abi::I386, maps) == Names{"mmap", "mmap2", "mprotect", "pkey_mprotect"});
  CHECK(names_of(Abi::I386, in_memory) == Names{"mmap"});
}

TEST_CASE("effects: the arguments with a signal and its receiver") {
  auto signals = [](const Effects& effects) { return effects.signal.signal != SignalArguments::kAbsent; };
  Names all{"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"};
  CHECK(names_of(Abi::X86_64, signals) == all);
  CHECK(names_of(Abi::I386, signals) == all);
  const SignalArguments& of = find_syscall(Abi::X86_64, "tgkill")->desc->effects.signal;
  CHECK(of.process == 0);
  CHECK(of.thread == 1);
  CHECK(of.signal == 2);
}

TEST_CASE("effects: x86-64's calls made by x32 code move no data that strut could read") {
  for (const SyscallSlot& slot : syscalls_of(Abi::X32))
    if (std::string(slot.desc->name).ends_with("#64"))
      CHECK_MESSAGE(slot.desc->effects.transfer.way == Transfer::Way::Nothing, slot.desc->name);
}

TEST_CASE("effects: a call that goes on as restart_syscall(2) after a stop") {
  auto restarts = [](const Effects& effects) { return effects.after_stop == AfterStop::AsRestart; };
  CHECK(names_of(Abi::X86_64, restarts) == Names{"nanosleep", "poll", "restart_syscall"});
  CHECK(find_syscall(Abi::I386, "futex_time64")->desc->effects.after_stop == AfterStop::AsRestartFutex);
  CHECK(find_syscall(Abi::X86_64, "epoll_wait")->desc->effects.after_stop == AfterStop::Fails);
}

}  // namespace strut::test

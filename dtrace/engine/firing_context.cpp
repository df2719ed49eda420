#include "dtrace/engine/firing_context.hpp"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <sched.h>
#include <sys/user.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "dlang/machine/record.hpp"
#include "dtrace/providers/process_members.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {
namespace {

static_assert(sizeof(user_regs_struct) == sizeof(AllRegisters));

#define PLACE(name) offsetof(user_regs_struct, name) / sizeof(uint64_t)
/// By their DWARF numbers, as unwinders want them (trace/unwinder.hpp).
constexpr size_t kPlaces[] = {PLACE(rax), PLACE(rdx), PLACE(rcx), PLACE(rbx), PLACE(rsi), PLACE(rdi),
                              PLACE(rbp), PLACE(rsp), PLACE(r8),  PLACE(r9),  PLACE(r10), PLACE(r11),
                              PLACE(r12), PLACE(r13), PLACE(r14), PLACE(r15), PLACE(rip)};
#undef PLACE

UserRegisters user_registers(const AllRegisters& all) {
  UserRegisters registers{};
  for (size_t i = 0; i < registers.size(); i++) registers[i] = all[kPlaces[i]];
  return registers;
}

/// CPU time of another process's thread, which has no clock that can be read (the kernel shows clocks of threads to
/// their own process only): the first number of /proc/ID/schedstat, exact while it stands still. 0: the kernel counts
/// none.
uint64_t scheduled_ns(Tid tid) {
  auto text = read_proc_file(proc_path(raw(tid), "schedstat"), 128);
  return text ? std::strtoull(text->c_str(), nullptr, 10) : 0;
}

}  // namespace

void FiringContext::begin(const FiringFacts& facts) {
  facts_ = facts;
  cpu_ = -1;
  pid_ = facts.thread ? facts.thread->pid() : self_;
  tid_ = facts.thread ? facts.thread->tid() : leader_of(self_);
}

uint32_t FiringContext::cpu() {
  if (cpu_ < 0) {
    auto stat = facts_.thread ? read_proc_file(thread_stat_path(raw(tid_)), 1024) : std::nullopt;
    cpu_ = stat ? parse_last_cpu(*stat).value_or(0) : ::sched_getcpu();
  }
  return static_cast<uint32_t>(cpu_);
}

uint64_t FiringContext::thread_time_ns() const {
  if (facts_.thread) return scheduled_ns(tid_);
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t FiringContext::caller() {
  uint64_t frames[2] = {};
  return user_stack(frames) == 2 ? address_of_frame(frames[1]) : 0;
}

uint64_t FiringContext::integer(DBuiltin which) {
  uint64_t frames[512];
  switch (which) {
    case DBuiltin::Pid: return static_cast<uint64_t>(raw(pid_));
    case DBuiltin::Tid: return static_cast<uint64_t>(raw(tid_));
    case DBuiltin::Timestamp: return facts_.time_ns;
    case DBuiltin::Walltimestamp: return now().realtime_ns;
    case DBuiltin::Vtimestamp: return thread_time_ns();
    case DBuiltin::Cpu: return cpu();
    case DBuiltin::CallAbi: return static_cast<uint64_t>(facts_.abi);
    case DBuiltin::Errno: return static_cast<uint64_t>(facts_.error);
    case DBuiltin::Id: return facts_.probe->id;
    case DBuiltin::Epid: return epid_;
    case DBuiltin::Ppid: return member(DSubject::Current, 0, DMemberName::ProcessParent);
    case DBuiltin::Uid: return process_member(pid_, tid_, DMemberName::ProcessUid);
    case DBuiltin::Gid: return process_member(pid_, tid_, DMemberName::ProcessGid);
    case DBuiltin::Ucaller: return caller();
    case DBuiltin::Ustackdepth: return user_stack(frames);
    default: return 0;
  }
}

std::string_view FiringContext::keep(std::string text) {
  text_ = std::move(text);
  return text_;
}

std::string_view FiringContext::text(DBuiltin which) {
  switch (which) {
    case DBuiltin::Probeprov: return facts_.probe->provider;
    case DBuiltin::Probemod: return facts_.probe->module;
    case DBuiltin::Probefunc: return facts_.probe->function;
    case DBuiltin::Probename: return facts_.probe->name;
    case DBuiltin::Execname: return keep(comm_of(raw(pid_)).value_or(""));
    case DBuiltin::Execargs: return keep(arguments_of(pid_));
    case DBuiltin::Cwd: return keep(read_proc_link(proc_path(raw(pid_), "cwd")).value_or(""));
    case DBuiltin::Root: return keep(read_proc_link(proc_path(raw(pid_), "root")).value_or(""));
    case DBuiltin::Zonename: return "global";
    default: return {};
  }
}

uint64_t FiringContext::argument(uint32_t index) {
  size_t known = facts_.arguments.size();
  if (index < known) return facts_.arguments[index];
  uint64_t value = 0;
  if (raw(facts_.more_arguments) == 0) return 0;
  bool read =
      memory()
          .read(facts_.more_arguments + (index - known) * sizeof value, std::as_writable_bytes(std::span(&value, 1)))
          .bytes == sizeof value;
  return read ? value : 0;
}

/// Strings of args[] lie where the argument says: the path of an execve.
std::string_view FiringContext::typed_argument_text(uint32_t index) {
  char text[PATH_MAX];
  size_t read = memory().read_string(Addr{argument(index)}, text).bytes;
  return keep(std::string(text, ::strnlen(text, read)));
}

SiteValue FiringContext::program_variable(uint32_t index) {
  if (!facts_.thread || index >= facts_.variables.size()) return {};
  return value_of(facts_.variables[index], facts_.thread->registers(), memory());
}

uint64_t FiringContext::user_register(uint32_t index) { return facts_.thread ? facts_.thread->registers()[index] : 0; }

/// Commands and children of system() have the process for a parent that users know as strut.
uint64_t FiringContext::known(DMemberName member, uint64_t value) const {
  bool is_tracer = member == DMemberName::ProcessParent && value == static_cast<uint64_t>(::getpid());
  return is_tracer ? static_cast<uint64_t>(raw(self_)) : value;
}

uint64_t FiringContext::member(DSubject subject, uint64_t which, DMemberName member) {
  if (subject == DSubject::Current) return known(member, process_member(pid_, tid_, member));
  if (subject == DSubject::Descriptor) return file_member(pid_, static_cast<int>(which), member);
  auto id = static_cast<int32_t>(argument(static_cast<uint32_t>(which)));
  return known(member, process_member(Pid{id}, Tid{id}, member));
}

std::string_view FiringContext::member_text(DSubject subject, uint64_t which, DMemberName member) {
  if (subject == DSubject::Current) return keep(process_member_text(pid_, tid_, member));
  if (subject == DSubject::Descriptor) return keep(file_member_text(pid_, static_cast<int>(which), member));
  auto id = static_cast<int32_t>(argument(static_cast<uint32_t>(which)));
  return keep(process_member_text(Pid{id}, Tid{id}, member));
}

Memory& FiringContext::memory() {
  if (facts_.thread) return facts_.thread->memory();
  if (!own_memory_) own_memory_ = std::make_unique<RemoteMemory>(leader_of(Pid{::getpid()}));
  return *own_memory_;
}

size_t FiringContext::user_stack(std::span<uint64_t> frames) {
  if (!facts_.thread || !unwinder_ || frames.empty()) return 0;
  const Stack& stack = unwinder_->unwind(pid_, user_registers(facts_.thread->registers()), memory(), frames.size());
  size_t count = std::min(stack.frames.size(), frames.size());
  for (size_t i = 0; i < count; i++) {
    const StackFrame& frame = stack.frames[i];
    frames[i] = i == 0 || frame.is_return ? raw(frame.pc) : interrupted_at(raw(frame.pc));
  }
  return count;
}

bool FiringContext::is_progeny_of(int64_t pid) { return is_progeny(pid_, pid); }

bool FiringContext::raise(int64_t signal) { return facts_.thread && ::kill(raw(pid_), static_cast<int>(signal)) == 0; }

bool FiringContext::stop() {
  if (facts_.thread) facts_.thread->stop();
  return facts_.thread != nullptr;
}

bool FiringContext::chill(uint64_t ns) {
  uint64_t until = monotonic_ns() + ns;
  timespec time{static_cast<time_t>(until / 1'000'000'000), static_cast<long>(until % 1'000'000'000)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
  return true;
}

bool FiringContext::write_memory(Addr at, std::span<const std::byte> bytes) {
  return facts_.thread && facts_.thread->write(at, bytes);
}

}  // namespace strut

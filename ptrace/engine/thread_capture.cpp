#include "ptrace/engine/thread_capture.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/owned_fd.hpp"
#include "procfs/blocked_call.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/brief_seize.hpp"
#include "ptrace/requests/call_number.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
/// Memory below the stack pointer that is copied, too: in an epilogue, frame descriptions name the places of registers
/// that were popped already. Twice the red zone.
constexpr uint64_t kBytesBelow = 256;
constexpr uint64_t kCapturePatience_ns = 2'000'000'000;  ///< for a thread that waits for a CPU
constexpr uint64_t kSpin_ns = 200'000;
constexpr useconds_t kLookEvery_us = 50;
/// Arguments of int $0x80 and of 32-bit code by their places in UserRegisters: ebx, ecx, edx, esi, edi, ebp.
constexpr size_t kI386Arguments[] = {3, 2, 1, 4, 5, 6};
constexpr size_t kArguments[] = {5, 4, 1, 10, 8, 9};  ///< for x86-64: rdi, rsi, rdx, r10, r8, r9
constexpr int kMaxCaptureLooks = 10;                  ///< at /proc/PID/task, for threads made meanwhile

/// Whether the program of the process is one for i386.
bool is_i386(Pid pid) {
  Elf32_Ehdr header{};
  OwnedFd file(::open(proc_path(raw(pid), "exe"), O_RDONLY | O_CLOEXEC));
  return file && ::pread(file.number(), &header, sizeof header, 0) == sizeof header && header.e_machine == EM_386;
}

class Capturing {
 public:
  Capturing(Pid pid, const CaptureMeans& means, CaptureReader& reader)
      : pid_(pid), means_(means), reader_(reader), memory_(leader_of(pid)), stack_(kStackBytes) {}

  /// The threads that have not run while they were looked at.
  std::map<Tid, ThreadCapture> capture_blocked();
  ThreadCapture capture(Tid tid);

 private:
  ThreadCapture by_kernel(Tid tid, const BlockedThread& blocked);
  void finish(ThreadCapture& thread) const;
  int seize(Tid tid);
  bool by_stop(ThreadCapture& thread);
  bool at_stop(ThreadCapture& thread, const Stop& stop);
  void take_call(ThreadCapture& thread, AllRegisters& registers, const SyscallInfo& info, const Stop& stop);
  bool by_proc(ThreadCapture& thread);
  void copy_stack(ThreadCapture& thread);

  Pid pid_;
  const CaptureMeans& means_;
  CaptureReader& reader_;
  RemoteMemory memory_;
  BriefSeize brief_;
  std::vector<std::byte> stack_;  ///< the pages are there before the first stop
  size_t copied_ = 0;
};

/// `running_ns`: when the thread was last seen not to be stopped.
std::optional<Waited> await_stop(Tid tid, uint64_t& running_ns) {
  uint64_t began = running_ns = monotonic_ns();
  for (;;) {
    uint64_t look_at_ns = monotonic_ns();
    if (auto waited = look_at(tid, Usage::Omit)) return waited;
    running_ns = look_at_ns;
    if (running_ns - began > kCapturePatience_ns) return std::nullopt;
    if (running_ns - began < kSpin_ns) ::sched_yield();
    else ::usleep(kLookEvery_us);
  }
}

void Capturing::copy_stack(ThreadCapture& thread) {
  Addr top{thread.registers[user_register::kStackPointer]};
  thread.stack_at = Addr{raw(top) - kBytesBelow};
  copied_ = memory_.read(thread.stack_at, stack_).bytes;
  if (copied_ <= kBytesBelow) {  // the page below is not mapped
    thread.stack_at = top;
    copied_ = memory_.read(top, stack_).bytes;
  }
  reader_.read(thread.tid, memory_);
}

void Capturing::take_call(ThreadCapture& thread, AllRegisters& registers, const SyscallInfo& info, const Stop& stop) {
  auto nr = static_cast<int64_t>(registers[kOrigRax]);
  auto result = static_cast<int64_t>(registers[kRax]);
  if (nr < 0) return;
  SyscallInfo number = info;
  number.entry.nr = static_cast<uint64_t>(nr);
  take_number(thread.call, number);
  bool i386 = thread.call.abi == Abi::I386;
  if (i386) result = static_cast<int32_t>(result);
  bool again = result == -EINTR && thread.call.effects().after_stop == AfterStop::Fails &&
               std::holds_alternative<TrapStop>(stop) && !has_signal_to_deliver(thread.tid);
  thread.in_call = is_restart_code(result) || again;
  for (size_t i = 0; i < kRegisters; i++)
    thread.call.regs[i] =
        i386 ? static_cast<uint32_t>(thread.registers[kI386Arguments[i]]) : registers[kCallArguments[i]];
  if (!again) return;
  put_before_call(registers);
  write_all_registers(thread.tid, registers);
}

bool Capturing::at_stop(ThreadCapture& thread, const Stop& stop) {
  AllRegisters registers;
  SyscallInfo info{};
  if (!read_all_registers(thread.tid, registers) || !read_syscall_info(thread.tid, info)) return false;
  thread.registers = user_registers(registers);
  copy_stack(thread);
  take_call(thread, registers, info, stop);
  if (const auto* group = std::get_if<GroupStop>(&stop)) thread.stopped = group->signal;
  return true;
}

/// 0, or errno. A seize that was cut short may have taken hold: that of a stopped thread ends when it has moved to its
/// tracing stop, which takes long where there is no CPU for it.
int Capturing::seize(Tid tid) {
  uint64_t began = monotonic_ns();
  int error = brief_.seize(tid, 0);
  while (error == EINTR && monotonic_ns() - began < kCapturePatience_ns) {
    auto status = process_status(tid);
    error = status && status->tracer == ::getpid() ? 0 : brief_.seize(tid, 0);
  }
  return error;
}

/// False: the thread could not be stopped.
bool Capturing::by_stop(ThreadCapture& thread) {
  if (int error = seize(thread.tid)) {
    thread.seize_error = error;
    thread.why = std::string("ptrace(PTRACE_SEIZE): ") + strerrordesc_np(error);
    return false;
  }
  uint64_t running_ns = 0;
  interrupt(thread.tid);
  auto waited = await_stop(thread.tid, running_ns);
  if (!waited) {
    thread.why = "it did not stop within two seconds";
    return false;
  }
  Stop stop = classify(waited->status);
  if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) {
    take(thread.tid);
    thread.why = "it has exited";
    return false;
  }
  bool captured = at_stop(thread, stop);
  detach(thread.tid, pending_signal(stop));
  thread.stopped_ns = monotonic_ns() - running_ns;
  if (captured) thread.stack.assign(stack_.begin(), stack_.begin() + static_cast<ptrdiff_t>(copied_));
  else thread.why = "it has exited";
  return captured;
}

/// False: it runs, or may not be looked at.
bool Capturing::by_proc(ThreadCapture& thread) {
  auto blocked = blocked_call(thread.tid);
  if (!blocked) return false;
  thread.registers[user_register::kStackPointer] = blocked->sp;
  thread.registers[user_register::kInstructionPointer] = blocked->ip;
  copy_stack(thread);
  thread.stack.assign(stack_.begin(), stack_.begin() + static_cast<ptrdiff_t>(copied_));
  thread.in_call = blocked->nr >= 0;
  if (!thread.in_call) return true;
  auto nr = static_cast<uint32_t>(blocked->nr);
  if (is_i386(pid_)) set_number(thread.call, Abi::I386, nr);
  else set_number(thread.call, nr & kX32Bit ? Abi::X32 : Abi::X86_64, nr & ~kX32Bit);
  std::ranges::copy(blocked->arguments, thread.call.regs.begin());
  return true;
}

ThreadCapture Capturing::capture(Tid tid) {
  ThreadCapture thread;
  thread.tid = tid;
  thread.state = state_of(tid);
  reader_.before(tid);
  bool never_stops = thread.state == 't' || thread.state == 'D' || thread.state == 'Z' || thread.state == 'X';
  if (means_.stops && !never_stops && by_stop(thread)) thread.by = ThreadCapture::By::Stop;
  else if (by_proc(thread)) thread.by = ThreadCapture::By::Proc;
  else if (thread.state == 'Z' || thread.state == 'X' || thread.state == '\0') thread.why = "it has exited";
  else if (!means_.stops) thread.why = "it runs, and is not stopped";
  finish(thread);
  return thread;
}

void Capturing::finish(ThreadCapture& thread) const {
  thread.call.pid = pid_;
  thread.call.tid = thread.tid;
  thread.call.ip = thread.registers.back();
  thread.call.sp = thread.registers[user_register::kStackPointer];
}

/// Whether a blocked thread is in the call of its call number.
bool is_in_call(char state, const BlockedThread& blocked) {
  bool stopped = state == 't' || state == 'T';
  auto result = static_cast<int64_t>(blocked.registers[0]);
  if (blocked.abi == Abi::I386) result = static_cast<int32_t>(result);
  // A stopped thread may have come from a call that has returned. -ENOSYS stands there until it returns.
  return blocked.nr >= 0 && (!stopped || result == -ENOSYS || result == -EINTR || is_restart_code(result));
}

ThreadCapture Capturing::by_kernel(Tid tid, const BlockedThread& blocked) {
  ThreadCapture thread;
  thread.tid = tid;
  thread.by = ThreadCapture::By::Kernel;
  thread.state = state_of(tid);
  thread.stopped = blocked.stopped;
  thread.registers = blocked.registers;
  reader_.before(tid);
  copy_stack(thread);
  thread.stack.assign(stack_.begin(), stack_.begin() + static_cast<ptrdiff_t>(copied_));
  thread.in_call = is_in_call(thread.state, blocked);
  if (thread.in_call) {
    bool i386 = blocked.abi == Abi::I386;
    set_number(thread.call, blocked.abi, static_cast<uint32_t>(blocked.nr));
    for (size_t i = 0; i < kRegisters; i++)
      thread.call.regs[i] =
          i386 ? static_cast<uint32_t>(blocked.registers[kI386Arguments[i]]) : blocked.registers[kArguments[i]];
  }
  finish(thread);
  return thread;
}

std::map<Tid, ThreadCapture> Capturing::capture_blocked() {
  std::map<Tid, ThreadCapture> captures;
  auto before = means_.blocked ? means_.blocked->read() : std::map<Tid, BlockedThread>();
  if (!before) return captures;
  for (const auto& [tid, blocked] : *before) captures.emplace(tid, by_kernel(tid, blocked));
  auto after = captures.empty() ? before : means_.blocked->read();
  if (!after) return {};
  std::erase_if(captures, [&](const auto& capture) {
    auto now = after->find(capture.first);
    return now == after->end() || now->second != before->at(capture.first);
  });
  return captures;
}

}  // namespace

std::vector<ThreadCapture> capture_threads(Pid pid, const CaptureMeans& means, CaptureReader& reader) {
  Capturing capturing(pid, means, reader);
  std::map<Tid, ThreadCapture> blocked = capturing.capture_blocked();
  std::vector<ThreadCapture> captures;
  std::set<Tid> seen;
  bool news = true;
  for (int look = 0; news && look < kMaxCaptureLooks; look++) {
    news = false;
    auto threads = threads_of(pid);
    if (!threads) break;
    for (Tid tid : *threads) {
      if (!seen.insert(tid).second) continue;
      auto known = blocked.find(tid);
      captures.push_back(known != blocked.end() ? std::move(known->second) : capturing.capture(tid));
      news = true;
    }
  }
  return captures;
}

}  // namespace strut

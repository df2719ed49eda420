#include "ptrace/observers/syscall_watch.hpp"

#include "base/clock.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/call_number.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "syscalls/argument_rules.hpp"
#include "syscalls/call_parts.hpp"
#include "trace/filter.hpp"

namespace strut {

Result<Resumption> SyscallWatch::at_stop(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) {
  switch (info.op) {
    case PTRACE_SYSCALL_INFO_ENTRY:
    case PTRACE_SYSCALL_INFO_SECCOMP: tracee.system_time_at_enter_ns = system_time_ns; return enter(tracee, info);
    case PTRACE_SYSCALL_INFO_EXIT:
      tracee.call.system_time_ns = system_time_ns - tracee.system_time_at_enter_ns;
      return leave(tracee, info);
    default: return Resumption{};
  }
}

void SyscallWatch::at_attach(Tracee& tracee, const SyscallInfo& info) {
  auto nr = read_syscall_number(tracee.tid);
  if (!nr || *nr < 0) return;
  Call before;
  SyscallInfo number = info;
  number.entry.nr = static_cast<uint64_t>(*nr);
  take_number(before, number);
  tracee.call.interrupted = before.desc;
  AllRegisters registers;
  if (!read_all_registers(tracee.tid, registers)) return;
  auto result = static_cast<int64_t>(registers[kRax]);
  tracee.resumes = is_restart_code(before.abi == Abi::I386 ? static_cast<int32_t>(result) : result);
}

Result<void> SyscallWatch::follow_abi(Tracee& tracee) {
  const Call& call = tracee.call;
  // The kernel takes the number as a signed int.
  tracee.last_nr = static_cast<int32_t>(kernel_number(call));
  if (call.abi == tracee.last_abi) return {};
  tracee.last_abi = call.abi;
  if (tracee.visibility == Visibility::Hidden) return {};
  return emitter_.report(tracee, now(), call.ip, AbiEvent{call.abi});
}

bool SyscallWatch::decode_and_filter(Tracee& tracee) {
  if (!request_.decode_arguments) return true;
  decode_enter(tracee.call, scene(tracee), tracee.decoded);
  return touches(request_, tracee.call, scene(tracee), tracee.decoded);
}

/// The call, whether or not it is reported.
void SyscallWatch::note_call(Tracee& tracee, const SyscallInfo& info) {
  Call& call = tracee.call;
  note_entry(call, info);
  resolve_part(call, tracee.memory);
  call.sp = info.stack_pointer;
  tracee.move_to(Place::Inside);
  tracee.exposure = Exposure::Unknown;
  tracee.announced = false;
  tracee.sleep_reported = false;
  tracee.injection = nullptr;
}

Result<Resumption> SyscallWatch::enter(Tracee& tracee, const SyscallInfo& info) {
  Call& call = tracee.call;
  note_call(tracee, info);
  TRY_VOID(follow_abi(tracee));
  tracee.wanted = tracee.visibility != Visibility::Hidden && request_.calls.contains(call.abi, call.nr);
  if (!tracee.wanted) return Resumption{};
  call.pid = tracee.pid;
  call.tid = tracee.tid;
  call.returned = false;
  call.unavailable = false;
  call.tampering = 0;
  call.error = 0;
  call.entered = now();
  tracee.wanted = decode_and_filter(tracee);
  if (!tracee.wanted) return Resumption{};
  if (!injector_.idle() && tracee.visibility == Visibility::Shown) {
    injector_.choose(tracee);
    if (injector_.poke_at_enter(tracee)) decode_and_filter(tracee);
  }
  stacks_.at_enter(tracee);
  if (request_.status.all()) {
    tracee.announced = true;
    TRY_VOID(emitter_.report(tracee, call.entered, call.ip, EnterEvent{&call, &tracee.decoded}));
  }
  return injector_.at_enter(tracee);
}

Result<Resumption> SyscallWatch::leave(Tracee& tracee, const SyscallInfo& info) {
  if (tracee.place() != Place::Inside) return Resumption{};
  tracee.move_to(Place::Outside);
  tracee.resumes = false;
  stacks_.after_call(tracee);
  Call& call = tracee.call;
  if (call.desc->custom != decode_resumed) call.interrupted = call.desc;
  if (!tracee.wanted) return Resumption{};
  tracee.wanted = false;
  set_result(call, info.exit.rval);
  injector_.change_result(tracee);
  call.ip = info.instruction_pointer;
  call.sp = info.stack_pointer;
  call.left = now();
  TRY_VOID(report_exit(tracee, call.left));
  return injector_.at_exit(tracee);
}

Result<void> SyscallWatch::report_exit(Tracee& tracee, const Timestamp& at) {
  if (!passes(request_.status, tracee.call)) return {};
  if (request_.decode_arguments) {
    decode_exit(tracee.call, scene(tracee), tracee.decoded);
    unseen_ += tracee.decoded.unseen;
  }
  calls_reported_++;
  // A call that is reported as a whole has the time of its beginning.
  const Timestamp& when = tracee.announced ? at : tracee.call.entered;
  return emitter_.report(tracee, when, tracee.call.ip, ExitEvent{&tracee.call, &tracee.decoded},
                         stacks_.at_exit(tracee));
}

Result<void> SyscallWatch::at_unreadable_stop(Tracee& tracee) {
  tracee.call.unavailable = tracee.place() == Place::Inside;
  return at_death(tracee, now());
}

Result<void> SyscallWatch::at_death(Tracee& tracee, const Timestamp& at) {
  if (tracee.place() != Place::Inside) return {};
  tracee.move_to(Place::Outside);
  if (!tracee.wanted) return {};
  tracee.wanted = false;
  tracee.call.left = at;
  return report_exit(tracee, at);
}

Result<void> SyscallWatch::at_detach(Tracee& tracee) {
  if (tracee.place() != Place::Inside || !tracee.wanted || tracee.announced || !request_.status.detached) return {};
  tracee.announced = true;
  const Call& call = tracee.call;
  return emitter_.report(tracee, call.entered, call.ip, EnterEvent{&call, &tracee.decoded});
}

}  // namespace strut

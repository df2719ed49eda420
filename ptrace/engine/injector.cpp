#include "ptrace/engine/injector.hpp"

#include <array>
#include <charconv>

#include "ptrace/requests/control.hpp"
#include "syscalls/call_parts.hpp"

namespace strut {

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;

bool falls_on(const InjectWhen& when, uint32_t invocation) {
  if (invocation < when.first || invocation > when.last) return false;
  return when.step == 0 ? invocation == when.first : (invocation - when.first) % when.step == 0;
}

bool replaces_result(const Injection& injection) { return injection.error || injection.retval; }

/// Memory ended within the bytes: those before its end are written.
std::string short_write(Tid tid, Addr at, size_t written, const Poke& poke) {
  std::array<char, 16> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), raw(at), 16).ptr;
  return "upoken: pid:" + std::to_string(raw(tid)) + " short write (" + std::to_string(written) + " < " +
         std::to_string(poke.bytes.size()) + ") @0x" + std::string(digits.data(), end);
}

}  // namespace

void Injector::choose(Tracee& tracee) {
  tracee.injection = nullptr;
  const Call& call = tracee.call;
  for (size_t i = request_.injections.size(); i-- > 0;) {
    const Injection& injection = request_.injections[i];
    if (!injection.calls.contains(call.abi, call.nr)) continue;
    uint32_t key = static_cast<uint32_t>(call.abi) << 30 ^ call.nr;
    if (falls_on(injection.when, ++tracee.invocations[key])) tracee.injection = &injection;
    return;
  }
}

void Injector::poke(Tracee& tracee, const std::vector<Poke>& pokes) {
  auto complain = [&](const std::string& why) {
    listener_.say("poke_tcb: Failed to tamper with process " + std::to_string(raw(tracee.tid)) + ": " + why);
  };
  const Call& call = tracee.call;
  for (const Poke& poke : pokes) {
    size_t known = call.desc->count;
    if (poke.arg >= known) {
      complain("requested to tamper with argument #" + std::to_string(poke.arg + 1) + ", but system call '" +
               name_of(call) + "' has only " + std::to_string(known) + " arguments");
      continue;
    }
    Addr at{poke.arg < kRegisters ? call.regs[poke.arg] : 0};
    size_t written = poke.arg < kRegisters ? write_memory(tracee.tid, at, poke.bytes) : 0;
    if (written == 0) complain("couldn't poke");
    else tracee.call.tampering |= kInjectedArgs;
    if (written != 0 && written < poke.bytes.size()) listener_.say(short_write(tracee.tid, at, written, poke));
  }
}

bool Injector::poke_at_enter(Tracee& tracee) {
  if (!tracee.injection || tracee.injection->poke_enter.empty()) return false;
  poke(tracee, tracee.injection->poke_enter);
  return (tracee.call.tampering & kInjectedArgs) != 0;
}

Resumption Injector::at_enter(Tracee& tracee) {
  const Injection* injection = tracee.injection;
  if (!injection) return {};
  if (replaces_result(*injection)) {
    int64_t instead = injection->syscall ? static_cast<int64_t>(*injection->syscall) : -1;
    // The mark keeps the changed result from being given to a call that could not be replaced.
    if (write_syscall_number(tracee.tid, instead)) tracee.call.tampering |= kInjectedRetval;
  }
  if (injection->delay_enter_us || injection->delay_exit_us) tracee.call.tampering |= kDelayed;
  return {injection->signal.value_or(0), injection->delay_enter_us.value_or(0) * kNanosecondsPerMicrosecond};
}

void Injector::change_result(Tracee& tracee) {
  const Injection* injection = tracee.injection;
  if (!injection) return;
  Call& call = tracee.call;
  if (call.tampering & kInjectedRetval) {
    call.error = injection->error.value_or(0);
    call.result = injection->error ? -*injection->error : *injection->retval;
    if (!write_result(tracee.tid, call.result)) call.tampering &= static_cast<uint8_t>(~kInjectedRetval);
  }
  poke(tracee, injection->poke_exit);
}

Resumption Injector::at_exit(const Tracee& tracee) const {
  if (!tracee.injection) return {};
  return {0, tracee.injection->delay_exit_us.value_or(0) * kNanosecondsPerMicrosecond};
}

}  // namespace strut

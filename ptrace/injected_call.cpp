#include "ptrace/injected_call.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/syscall.h>
#include <unistd.h>

#include "core/proc/maps.hpp"
#include "ptrace/all_registers.hpp"
#include "ptrace/control.hpp"
#include "ptrace/stop.hpp"
#include "ptrace/waiting.hpp"

namespace strut {
namespace {

constexpr size_t kMostSearched_bytes = 1 << 20;

std::optional<uint64_t> search(const AddressSpace& space, const Mapping& mapping) {
  static constexpr std::byte kSyscall[] = {std::byte{0x0f}, std::byte{0x05}};
  std::vector<std::byte> code(std::min<uint64_t>(raw(mapping.end) - raw(mapping.start), kMostSearched_bytes));
  code.resize(space.read_raw(raw(mapping.start), code));
  auto found = std::search(code.begin(), code.end(), std::begin(kSyscall), std::end(kSyscall));
  if (found == code.end()) return std::nullopt;
  return raw(mapping.start) + static_cast<uint64_t>(found - code.begin());
}

/// A tracee while it makes somebody else's call. All signals are blocked but SIGSTOP, which cannot be and comes later.
class Borrowed {
 public:
  explicit Borrowed(Tid tid) : tid_(tid) {}

  std::optional<int64_t> make(uint64_t instruction, const InjectedCall& call) {
    auto blocked = read_blocked(tid_);
    AllRegisters before;
    if (!blocked || !read_all_registers(tid_, before)) return std::nullopt;
    AllRegisters during = before;
    during[kRip] = instruction;
    during[kRax] = static_cast<uint64_t>(call.number);
    during[kOrigRax] = ~uint64_t{0};
    for (size_t i = 0; i < call.arguments.size(); i++) during[kCallArguments[i]] = call.arguments[i];
    write_blocked(tid_, ~uint64_t{0});
    bool made =
        write_all_registers(tid_, during) && go_to_call_stop() && go_to_call_stop() && read_all_registers(tid_, during);
    // A call that was interrupted is restarted on the way out of a signal-stop, never of a syscall-stop.
    if (made && static_cast<int64_t>(before[kOrigRax]) >= 0) made = go_to_trap_stop();
    write_all_registers(tid_, before);
    write_blocked(tid_, *blocked);
    if (stop_signal_ != 0) ::syscall(SYS_tkill, raw(tid_), stop_signal_);
    if (!made) return std::nullopt;
    return static_cast<int64_t>(during[kRax]);
  }

 private:
  /// Restarts it until the wanted stop; false: it is dead.
  template <typename Wanted>
  bool go_to(Restart how) {
    if (!restart(tid_, how)) return false;
    for (;;) {
      auto waited = take_next_of(tid_);
      if (!waited && errno == EINTR) continue;
      if (!waited) return false;
      Stop stop = classify(waited->status);
      if (std::holds_alternative<Wanted>(stop)) return true;
      if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) return false;
      if (auto* signal = std::get_if<SignalStop>(&stop)) stop_signal_ = signal->signal;
      if (!restart(tid_, how)) return false;
    }
  }
  bool go_to_call_stop() { return go_to<SyscallStop>(Restart::ToSyscall); }
  bool go_to_trap_stop() { return interrupt(tid_) && go_to<TrapStop>(Restart::Freely); }

  Tid tid_;
  int stop_signal_ = 0;
};

}  // namespace

std::optional<uint64_t> find_call_instruction(Pid pid, const AddressSpace& space) {
  auto mappings = maps_of(pid);
  if (!mappings) return std::nullopt;
  for (const Mapping& mapping : *mappings)
    if (mapping.path == "[vdso]")
      if (auto found = search(space, mapping)) return found;
  for (const Mapping& mapping : *mappings)
    if (mapping.executable && mapping.path != "[vsyscall]")
      if (auto found = search(space, mapping)) return found;
  return std::nullopt;
}

std::optional<int64_t> inject(Tid tid, uint64_t instruction, const InjectedCall& call) {
  return Borrowed(tid).make(instruction, call);
}

}  // namespace strut

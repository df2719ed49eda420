#include "formatters/truss/siginfo.hpp"

#include "formatters/common/value_text.hpp"
#include "formatters/truss/value.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/types/signal/siginfo_codes.hpp"

namespace strut {

namespace {

bool is_fault(const siginfo_t& info) {
  switch (info.si_signo) {
    case SIGILL:
    case SIGTRAP:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV: return info.si_code > 0;
    default: return false;
  }
}

void put_code(TextBuffer& out, const siginfo_t& info) {
  out.put(' ');
  auto code = static_cast<uint32_t>(info.si_code);
  if (const char* name = siginfo_codes(info.si_signo, info.si_code).name_of(code)) out.put(name);
  else out.decimal(int64_t{info.si_code});
}

void put_pair(TextBuffer& out, std::string_view name, int64_t number) {
  out.put(' ');
  out.put(name);
  out.put('=');
  out.decimal(number);
}

void put_sender(TextBuffer& out, const siginfo_t& info) {
  put_pair(out, "pid", info.si_pid);
  put_pair(out, "uid", info.si_uid);
}

void put_child(TextBuffer& out, const siginfo_t& info) {
  put_code(out, info);
  put_pair(out, "pid", info.si_pid);
  out.put(" status=0x");
  out.hex_at_least(static_cast<uint32_t>(info.si_status), 4);
}

void put_system_call(TextBuffer& out, const siginfo_t& info) {
  put_code(out, info);
  out.put(" addr=");
  put_truss_hex(out, reinterpret_cast<uint64_t>(info.si_call_addr));
  put_pair(out, "syscall", info.si_syscall);
}

}  // namespace

bool has_truss_siginfo(const siginfo_t& info) { return info.si_code != SI_KERNEL || is_fault(info); }

void put_truss_siginfo(TextBuffer& out, const siginfo_t& info) {
  out.put("siginfo: ");
  put_signal_name(out, info.si_signo);
  if (is_fault(info)) {
    put_code(out, info);
    out.put(" addr=");
    return put_truss_hex(out, reinterpret_cast<uint64_t>(info.si_addr));
  }
  if (info.si_signo == SIGCHLD && info.si_code > 0) return put_child(out, info);
  if (info.si_signo == SIGSYS && info.si_code > 0) return put_system_call(out, info);
  if (info.si_code == SI_USER) return put_sender(out, info);
  put_code(out, info);
  if (info.si_code == SI_TIMER) return put_pair(out, "timer", info.si_timerid);
  if (info.si_code == SI_SIGIO || (info.si_signo == SIGIO && info.si_code > 0)) return put_pair(out, "fd", info.si_fd);
  if (info.si_code < 0) put_sender(out, info);
}

}  // namespace strut

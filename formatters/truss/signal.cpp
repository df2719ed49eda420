#include "formatters/truss/signal.hpp"

#include <csignal>

#include "formatters/common/value_text.hpp"
#include "formatters/truss/siginfo.hpp"
#include "formatters/truss/value.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {

namespace {

std::string_view disposition_text(Disposition disposition) {
  switch (disposition) {
    case Disposition::Default: return " [default]";
    case Disposition::Ignored: return " [ignored]";
    case Disposition::Caught: return " [caught]";
    case Disposition::Unknown: break;
  }
  return {};
}

void put_what(TextBuffer& out, std::string_view what, int signal, std::string_view call) {
  out.put("    ");
  out.put(what);
  out.put(" signal #");
  out.decimal(int64_t{signal});
  out.put(", ");
  put_signal_name(out, signal);
  if (call.empty()) return;
  out.put(", in ");
  out.put(call);
  out.put("()");
}

}  // namespace

void put_truss_fault(TextBuffer& out, int fault, uint64_t ip) {
  out.put("    Incurred fault #");
  out.decimal(int64_t{fault});
  out.put(", ");
  out.put(fault_name(fault));
  out.put("  %pc = ");
  put_truss_hex(out, ip);
}

void put_truss_signal(TextBuffer& out, const SignalEvent& signal, std::string_view call) {
  put_what(out, signal.number == SIGCONT ? "Continued with" : "Received", signal.number, call);
  out.put(disposition_text(signal.disposition));
}

void put_truss_stop(TextBuffer& out, int signal, std::string_view call) { put_what(out, "Stopped by", signal, call); }

void put_truss_siginfo_line(TextBuffer& out, const siginfo_t& info) {
  out.put("      ");
  put_truss_siginfo(out, info);
}

}  // namespace strut

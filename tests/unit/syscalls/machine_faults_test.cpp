// Machine faults by number, name and signal.
#include "syscalls/machine_faults.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

std::optional<int> fault(int signal, int code) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  return fault_of(info);
}

}  // namespace

TEST_CASE("machine faults: what a siginfo says") {
  CHECK(fault(SIGSEGV, SEGV_MAPERR) == 6);
  CHECK(fault(SIGSEGV, SEGV_ACCERR) == 5);
  CHECK(fault(SIGSEGV, SI_KERNEL) == 6);
  CHECK(fault(SIGTRAP, SI_KERNEL) == 3);
  CHECK(fault(SIGTRAP, TRAP_TRACE) == 4);
  CHECK(fault(SIGFPE, FPE_INTDIV) == 8);
  CHECK(fault(SIGFPE, FPE_FLTDIV) == 9);
  CHECK(fault(SIGILL, ILL_PRVOPC) == 2);
  CHECK(fault(SIGILL, ILL_ILLOPN) == 1);
  CHECK(fault(SIGBUS, BUS_ADRERR) == 5);
  CHECK_FALSE(fault(SIGSEGV, SI_USER));
  CHECK_FALSE(fault(SIGSEGV, SI_TKILL));
  CHECK_FALSE(fault(SIGINT, SI_KERNEL));
  CHECK(fault_signals().count() == 5);
}

TEST_CASE("machine faults: names and numbers") {
  CHECK(std::string_view(fault_name(6)) == "FLTBOUNDS");
  CHECK(fault_name(0) == nullptr);
  CHECK(fault_name(14) == nullptr);
  CHECK(fault_number("FLTPAGE") == 11);
  CHECK(fault_number("page") == 11);
  CHECK(fault_number("13") == 13);
  CHECK_FALSE(fault_number("14"));
  CHECK_FALSE(fault_number("FLT"));
}

}  // namespace strut::test

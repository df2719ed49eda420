#include "syscalls/machine_faults.hpp"

#include "base/plain_text.hpp"

namespace strut {

namespace {

enum Fault : int {
#define FAULT(number, name) name = number,
#include "syscalls/machine_faults.inc"
#undef FAULT
};

struct FaultName {
  int number;
  const char* name;
};
constexpr FaultName kFaults[] = {
#define FAULT(number, name) {number, #name},
#include "syscalls/machine_faults.inc"
#undef FAULT
};
constexpr size_t kPrefix = 3;  // "FLT"

constexpr int kAnyCode = -1;

/// The signals of x86's exceptions; the first row that fits. SI_KERNEL stands for exceptions without an address: int3,
/// and a general protection fault (a non-canonical address, a privileged instruction).
struct Row {
  int signal, code, fault;
};
constexpr Row kRows[] = {
    {SIGILL, ILL_PRVOPC, FLTPRIV},   {SIGILL, ILL_PRVREG, FLTPRIV},     {SIGILL, kAnyCode, FLTILL},
    {SIGTRAP, TRAP_TRACE, FLTTRACE}, {SIGTRAP, TRAP_HWBKPT, FLTWATCH},  {SIGTRAP, kAnyCode, FLTBPT},
    {SIGBUS, kAnyCode, FLTACCESS},   {SIGFPE, FPE_INTDIV, FLTIZDIV},    {SIGFPE, FPE_INTOVF, FLTIOVF},
    {SIGFPE, kAnyCode, FLTFPE},      {SIGSEGV, SEGV_ACCERR, FLTACCESS}, {SIGSEGV, kAnyCode, FLTBOUNDS},
};

}  // namespace

const char* fault_name(int number) {
  for (const FaultName& fault : kFaults)
    if (fault.number == number) return fault.name;
  return nullptr;
}

std::optional<int> fault_number(std::string_view text) {
  std::optional<uint32_t> number = parse_decimal(text);
  for (const FaultName& fault : kFaults) {
    bool named = same_ignoring_case(text, fault.name) || same_ignoring_case(text, fault.name + kPrefix);
    if (named || number == static_cast<uint32_t>(fault.number)) return fault.number;
  }
  return std::nullopt;
}

std::optional<int> fault_of(const siginfo_t& info) {
  if (info.si_code <= 0) return std::nullopt;
  for (const Row& row : kRows)
    if (row.signal == info.si_signo && (row.code == kAnyCode || row.code == info.si_code)) return row.fault;
  return std::nullopt;
}

std::bitset<65> fault_signals() {
  std::bitset<65> signals;
  for (const Row& row : kRows) signals.set(static_cast<size_t>(row.signal));
  return signals;
}

}  // namespace strut

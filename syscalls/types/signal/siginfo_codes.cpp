#include "syscalls/types/signal/siginfo_codes.hpp"

#include <signal.h>

namespace strut {
namespace {

// <asm-generic/siginfo.h>. Codes are shown as unsigned 32-bit numbers where they have no name.
constexpr Constant kKernel = {0x80, "SI_KERNEL"};

constexpr Constant kGeneric[] = {
    kKernel,
    {0xffffffc4, "SI_ASYNCNL"}, {0xfffffff9, "SI_DETHREAD"}, {0xfffffffa, "SI_TKILL"}, {0xfffffffb, "SI_SIGIO"},
    {0xfffffffc, "SI_ASYNCIO"}, {0xfffffffd, "SI_MESGQ"}, {0xfffffffe, "SI_TIMER"}, {0xffffffff, "SI_QUEUE"},
    {0, "SI_USER"},
};
constexpr Constant kIll[] = {
    {1, "ILL_ILLOPC"}, {2, "ILL_ILLOPN"}, {3, "ILL_ILLADR"}, {4, "ILL_ILLTRP"}, {5, "ILL_PRVOPC"},
    {6, "ILL_PRVREG"}, {7, "ILL_COPROC"}, {8, "ILL_BADSTK"}, {9, "ILL_BADIADDR"}, kKernel,
};
constexpr Constant kFpe[] = {
    {1, "FPE_INTDIV"}, {2, "FPE_INTOVF"}, {3, "FPE_FLTDIV"}, {4, "FPE_FLTOVF"}, {5, "FPE_FLTUND"}, {6, "FPE_FLTRES"},
    {7, "FPE_FLTINV"}, {8, "FPE_FLTSUB"}, {14, "FPE_FLTUNK"}, {15, "FPE_CONDTRAP"}, kKernel,
};
constexpr Constant kSegv[] = {
    {1, "SEGV_MAPERR"}, {2, "SEGV_ACCERR"}, {3, "SEGV_BNDERR"}, {4, "SEGV_PKUERR"}, {5, "SEGV_ACCADI"},
    {6, "SEGV_ADIDERR"}, {7, "SEGV_ADIPERR"}, {8, "SEGV_MTEAERR"}, {9, "SEGV_MTESERR"}, {10, "SEGV_CPERR"}, kKernel,
};
constexpr Constant kBus[] = {
    {1, "BUS_ADRALN"}, {2, "BUS_ADRERR"}, {3, "BUS_OBJERR"}, {4, "BUS_MCEERR_AR"}, {5, "BUS_MCEERR_AO"}, kKernel,
};
constexpr Constant kTrap[] = {
    {1, "TRAP_BRKPT"}, {2, "TRAP_TRACE"}, {3, "TRAP_BRANCH"}, {4, "TRAP_HWBKPT"}, {5, "TRAP_UNK"}, {6, "TRAP_PERF"},
    kKernel,
};
constexpr Constant kChild[] = {
    {1, "CLD_EXITED"}, {2, "CLD_KILLED"}, {3, "CLD_DUMPED"}, {4, "CLD_TRAPPED"}, {5, "CLD_STOPPED"},
    {6, "CLD_CONTINUED"}, kKernel,
};
constexpr Constant kPoll[] = {
    {1, "POLL_IN"}, {2, "POLL_OUT"}, {3, "POLL_MSG"}, {4, "POLL_ERR"}, {5, "POLL_PRI"}, {6, "POLL_HUP"}, kKernel,
};
constexpr Constant kSys[] = {{1, "SYS_SECCOMP"}, {2, "SYS_USER_DISPATCH"}, kKernel};

constinit const ConstantSet kGenericCodes = enumeration(nullptr, kGeneric);
constinit const ConstantSet kIllCodes = enumeration(nullptr, kIll);
constinit const ConstantSet kFpeCodes = enumeration(nullptr, kFpe);
constinit const ConstantSet kSegvCodes = enumeration(nullptr, kSegv);
constinit const ConstantSet kBusCodes = enumeration(nullptr, kBus);
constinit const ConstantSet kTrapCodes = enumeration(nullptr, kTrap);
constinit const ConstantSet kChildCodes = enumeration(nullptr, kChild);
constinit const ConstantSet kPollCodes = enumeration(nullptr, kPoll);
constinit const ConstantSet kSysCodes = enumeration(nullptr, kSys);

}  // namespace

const ConstantSet& siginfo_codes(int32_t signo, int32_t code) {
  if (code <= 0) return kGenericCodes;
  switch (signo) {
    case SIGILL: return kIllCodes;
    case SIGFPE: return kFpeCodes;
    case SIGSEGV: return kSegvCodes;
    case SIGBUS: return kBusCodes;
    case SIGTRAP: return kTrapCodes;
    case SIGCHLD: return kChildCodes;
    case SIGPOLL: return kPollCodes;
    case SIGSYS: return kSysCodes;
    default: return kGenericCodes;
  }
}

}  // namespace strut

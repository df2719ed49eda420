#include "syscalls/types/process/prctl_constants.hpp"

#include "syscalls/types/process/prctl.hpp"

namespace strut {
namespace {

constexpr Constant kPrctlOpsNames[] = {
    {1, "PR_SET_PDEATHSIG"}, {2, "PR_GET_PDEATHSIG"}, {3, "PR_GET_DUMPABLE"}, {4, "PR_SET_DUMPABLE"},
    {5, "PR_GET_UNALIGN"}, {6, "PR_SET_UNALIGN"}, {7, "PR_GET_KEEPCAPS"}, {8, "PR_SET_KEEPCAPS"}, {9, "PR_GET_FPEMU"},
    {10, "PR_SET_FPEMU"}, {11, "PR_GET_FPEXC"}, {12, "PR_SET_FPEXC"}, {13, "PR_GET_TIMING"}, {14, "PR_SET_TIMING"},
    {15, "PR_SET_NAME"}, {16, "PR_GET_NAME"}, {19, "PR_GET_ENDIAN"}, {20, "PR_SET_ENDIAN"}, {21, "PR_GET_SECCOMP"},
    {22, "PR_SET_SECCOMP"}, {23, "PR_CAPBSET_READ"}, {24, "PR_CAPBSET_DROP"}, {25, "PR_GET_TSC"}, {26, "PR_SET_TSC"},
    {27, "PR_GET_SECUREBITS"}, {28, "PR_SET_SECUREBITS"}, {29, "PR_SET_TIMERSLACK"}, {30, "PR_GET_TIMERSLACK"},
    {31, "PR_TASK_PERF_EVENTS_DISABLE"}, {32, "PR_TASK_PERF_EVENTS_ENABLE"}, {33, "PR_MCE_KILL"},
    {34, "PR_MCE_KILL_GET"}, {35, "PR_SET_MM"}, {36, "PR_SET_CHILD_SUBREAPER"}, {37, "PR_GET_CHILD_SUBREAPER"},
    {38, "PR_SET_NO_NEW_PRIVS"}, {39, "PR_GET_NO_NEW_PRIVS"}, {40, "PR_GET_TID_ADDRESS"}, {41, "PR_SET_THP_DISABLE"},
    {42, "PR_GET_THP_DISABLE"}, {43, "PR_MPX_ENABLE_MANAGEMENT"}, {44, "PR_MPX_DISABLE_MANAGEMENT"},
    {45, "PR_SET_FP_MODE"}, {46, "PR_GET_FP_MODE"}, {47, "PR_CAP_AMBIENT"}, {50, "PR_SVE_SET_VL"},
    {51, "PR_SVE_GET_VL"}, {52, "PR_GET_SPECULATION_CTRL"}, {53, "PR_SET_SPECULATION_CTRL"},
    {54, "PR_PAC_RESET_KEYS"}, {55, "PR_SET_TAGGED_ADDR_CTRL"}, {56, "PR_GET_TAGGED_ADDR_CTRL"},
    {57, "PR_SET_IO_FLUSHER"}, {58, "PR_GET_IO_FLUSHER"}, {59, "PR_SET_SYSCALL_USER_DISPATCH"},
    {60, "PR_PAC_SET_ENABLED_KEYS"}, {61, "PR_PAC_GET_ENABLED_KEYS"}, {62, "PR_SCHED_CORE"}, {63, "PR_SME_SET_VL"},
    {64, "PR_SME_GET_VL"}, {65, "PR_SET_MDWE"}, {66, "PR_GET_MDWE"}, {67, "PR_SET_MEMORY_MERGE"},
    {68, "PR_GET_MEMORY_MERGE"}, {69, "PR_RISCV_V_SET_CONTROL"}, {70, "PR_RISCV_V_GET_CONTROL"},
    {71, "PR_RISCV_SET_ICACHE_FLUSH_CTX"}, {72, "PR_PPC_GET_DEXCR"}, {73, "PR_PPC_SET_DEXCR"},
    {74, "PR_GET_SHADOW_STACK_STATUS"}, {75, "PR_SET_SHADOW_STACK_STATUS"}, {76, "PR_LOCK_SHADOW_STACK_STATUS"},
    {77, "PR_TIMER_CREATE_RESTORE_IDS"}, {78, "PR_FUTEX_HASH"}, {79, "PR_RSEQ_SLICE_EXTENSION"}, {80, "PR_GET_CFI"},
    {81, "PR_SET_CFI"}, {0x41555856, "PR_GET_AUXV"}, {0x53564d41, "PR_SET_VMA"}, {0x59616d61, "PR_SET_PTRACER"},
};
constexpr Constant kDumpableNames[] = {{0, "SUID_DUMP_DISABLE"}, {1, "SUID_DUMP_USER"}, {2, "SUID_DUMP_ROOT"}};
constexpr Constant kUnalignedNames[] = {{1, "PR_UNALIGN_NOPRINT"}, {2, "PR_UNALIGN_SIGBUS"}};
constexpr Constant kSecureBitsNames[] = {
    {1, "SECBIT_NOROOT"}, {2, "SECBIT_NOROOT_LOCKED"}, {4, "SECBIT_NO_SETUID_FIXUP"},
    {8, "SECBIT_NO_SETUID_FIXUP_LOCKED"}, {0x10, "SECBIT_KEEP_CAPS"}, {0x20, "SECBIT_KEEP_CAPS_LOCKED"},
    {0x40, "SECBIT_NO_CAP_AMBIENT_RAISE"}, {0x80, "SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED"},
    {0x100, "SECBIT_EXEC_RESTRICT_FILE"}, {0x200, "SECBIT_EXEC_RESTRICT_FILE_LOCKED"},
    {0x400, "SECBIT_EXEC_DENY_INTERACTIVE"}, {0x800, "SECBIT_EXEC_DENY_INTERACTIVE_LOCKED"},
};
constexpr Constant kTscModesNames[] = {{1, "PR_TSC_ENABLE"}, {2, "PR_TSC_SIGSEGV"}};
constexpr Constant kMceKillOpsNames[] = {{0, "PR_MCE_KILL_CLEAR"}, {1, "PR_MCE_KILL_SET"}};
constexpr Constant kMceKillPoliciesNames[] = {
    {0, "PR_MCE_KILL_LATE"}, {1, "PR_MCE_KILL_EARLY"}, {2, "PR_MCE_KILL_DEFAULT"},
};
constexpr Constant kSetMmOpsNames[] = {
    {1, "PR_SET_MM_START_CODE"}, {2, "PR_SET_MM_END_CODE"}, {3, "PR_SET_MM_START_DATA"}, {4, "PR_SET_MM_END_DATA"},
    {5, "PR_SET_MM_START_STACK"}, {6, "PR_SET_MM_START_BRK"}, {7, "PR_SET_MM_BRK"}, {8, "PR_SET_MM_ARG_START"},
    {9, "PR_SET_MM_ARG_END"}, {10, "PR_SET_MM_ENV_START"}, {11, "PR_SET_MM_ENV_END"}, {12, "PR_SET_MM_AUXV"},
    {13, "PR_SET_MM_EXE_FILE"}, {14, "PR_SET_MM_MAP"}, {15, "PR_SET_MM_MAP_SIZE"},
};
constexpr Constant kPtracersNames[] = {{~0ull, "PR_SET_PTRACER_ANY"}};
constexpr Constant kFpModesNames[] = {{1, "PR_FP_MODE_FR"}, {2, "PR_FP_MODE_FRE"}};
constexpr Constant kAmbientOpsNames[] = {
    {1, "PR_CAP_AMBIENT_IS_SET"}, {2, "PR_CAP_AMBIENT_RAISE"}, {3, "PR_CAP_AMBIENT_LOWER"},
    {4, "PR_CAP_AMBIENT_CLEAR_ALL"},
};
constexpr Constant kSveLengthsNames[] = {{0x40000, "PR_SVE_SET_VL_ONEXEC"}, {0x20000, "PR_SVE_VL_INHERIT"}};
constexpr Constant kSmeLengthsNames[] = {{0x40000, "PR_SME_SET_VL_ONEXEC"}, {0x20000, "PR_SME_VL_INHERIT"}};
constexpr Constant kSpeculationsNames[] = {
    {0, "PR_SPEC_STORE_BYPASS"}, {1, "PR_SPEC_INDIRECT_BRANCH"}, {2, "PR_SPEC_L1D_FLUSH"},
};
constexpr Constant kSpeculationStatesNames[] = {
    {0, "PR_SPEC_NOT_AFFECTED"}, {1, "PR_SPEC_PRCTL"}, {2, "PR_SPEC_ENABLE"}, {4, "PR_SPEC_DISABLE"},
    {8, "PR_SPEC_FORCE_DISABLE"}, {0x10, "PR_SPEC_DISABLE_NOEXEC"},
};
constexpr Constant kSpeculationOrdersNames[] = {
    {2, "PR_SPEC_ENABLE"}, {4, "PR_SPEC_DISABLE"}, {8, "PR_SPEC_FORCE_DISABLE"}, {0x10, "PR_SPEC_DISABLE_NOEXEC"},
};
constexpr Constant kPacKeysNames[] = {
    {1, "PR_PAC_APIAKEY"}, {2, "PR_PAC_APIBKEY"}, {4, "PR_PAC_APDAKEY"}, {8, "PR_PAC_APDBKEY"},
    {0x10, "PR_PAC_APGAKEY"},
};
constexpr std::span kPacSwitchesNames = std::span(kPacKeysNames).first<4>();  // the generic key cannot be switched off
constexpr Constant kDispatchModesNames[] = {
    {0, "PR_SYS_DISPATCH_OFF"}, {1, "PR_SYS_DISPATCH_EXCLUSIVE_ON"}, {2, "PR_SYS_DISPATCH_INCLUSIVE_ON"},
};
constexpr Constant kCoreOpsNames[] = {
    {0, "PR_SCHED_CORE_GET"}, {1, "PR_SCHED_CORE_CREATE"}, {2, "PR_SCHED_CORE_SHARE_TO"},
    {3, "PR_SCHED_CORE_SHARE_FROM"},
};
constexpr Constant kPidTypesNames[] = {
    {0, "PIDTYPE_PID"}, {1, "PIDTYPE_TGID"}, {2, "PIDTYPE_PGID"}, {3, "PIDTYPE_SID"},
};
constexpr Constant kMdweFlagsNames[] = {{1, "PR_MDWE_REFUSE_EXEC_GAIN"}, {2, "PR_MDWE_NO_INHERIT"}};
constexpr Constant kVmaOpsNames[] = {{0, "PR_SET_VMA_ANON_NAME"}};
constexpr Constant kIcacheFlushesNames[] = {{0, "PR_RISCV_CTX_SW_FENCEI_ON"}, {1, "PR_RISCV_CTX_SW_FENCEI_OFF"}};
constexpr Constant kIcacheScopesNames[] = {{0, "PR_RISCV_SCOPE_PER_PROCESS"}, {1, "PR_RISCV_SCOPE_PER_THREAD"}};
constexpr Constant kDexcrAspectsNames[] = {
    {0, "PR_PPC_DEXCR_SBHE"}, {1, "PR_PPC_DEXCR_IBRTPD"}, {2, "PR_PPC_DEXCR_SRAPD"}, {3, "PR_PPC_DEXCR_NPHIE"},
};
constexpr Constant kDexcrControlsNames[] = {
    {1, "PR_PPC_DEXCR_CTRL_EDITABLE"}, {2, "PR_PPC_DEXCR_CTRL_SET"}, {4, "PR_PPC_DEXCR_CTRL_CLEAR"},
    {8, "PR_PPC_DEXCR_CTRL_SET_ONEXEC"}, {0x10, "PR_PPC_DEXCR_CTRL_CLEAR_ONEXEC"},
};

}  // namespace

constinit const ConstantSet kPrctlOps = enumeration("PR_???", kPrctlOpsNames);
constinit const ConstantSet kDumpable = enumeration("SUID_DUMP_???", kDumpableNames);
constinit const ConstantSet kUnaligned = flag_set("PR_UNALIGN_???", kUnalignedNames);
constinit const ConstantSet kSecureBits = flag_set("SECBIT_???", kSecureBitsNames);
constinit const ConstantSet kTscModes = enumeration("PR_TSC_???", kTscModesNames);
constinit const ConstantSet kMceKillOps = enumeration("PR_MCE_KILL_???", kMceKillOpsNames);
constinit const ConstantSet kMceKillPolicies = enumeration("PR_MCE_KILL_???", kMceKillPoliciesNames);
constinit const ConstantSet kSetMmOps = enumeration("PR_SET_MM_???", kSetMmOpsNames);
constinit const ConstantSet kPtracers = enumeration(nullptr, kPtracersNames, NumberBase::Decimal);
constinit const ConstantSet kFpModes = flag_set("PR_FP_MODE_???", kFpModesNames);
constinit const ConstantSet kAmbientOps = enumeration("PR_CAP_AMBIENT_???", kAmbientOpsNames);
constinit const ConstantSet kSveLengths = flag_set(nullptr, kSveLengthsNames);
constinit const ConstantSet kSmeLengths = flag_set(nullptr, kSmeLengthsNames);
constinit const ConstantSet kSpeculations = enumeration("PR_SPEC_???", kSpeculationsNames);
constinit const ConstantSet kSpeculationStates = flag_set("PR_SPEC_???", kSpeculationStatesNames);
constinit const ConstantSet kSpeculationOrders = enumeration("PR_SPEC_???", kSpeculationOrdersNames);
constinit const ConstantSet kPacSwitches = flag_set("PR_PAC_???", kPacSwitchesNames);
constinit const ConstantSet kPacKeys = flag_set("PR_PAC_???", kPacKeysNames);
constinit const ConstantSet kDispatchModes = enumeration("PR_SYS_DISPATCH_???", kDispatchModesNames);
constinit const ConstantSet kCoreOps = enumeration("PR_SCHED_CORE_???", kCoreOpsNames);
constinit const ConstantSet kPidTypes = enumeration("PIDTYPE_???", kPidTypesNames);
constinit const ConstantSet kMdweFlags = flag_set("PR_MDWE_???", kMdweFlagsNames);
constinit const ConstantSet kVmaOps = enumeration("PR_SET_VMA_???", kVmaOpsNames);
constinit const ConstantSet kIcacheFlushes = enumeration("PR_RISCV_CTX_???", kIcacheFlushesNames);
constinit const ConstantSet kIcacheScopes = enumeration("PR_RISCV_SCOPE_???", kIcacheScopesNames);
constinit const ConstantSet kDexcrAspects = enumeration("PR_PPC_DEXCR_???", kDexcrAspectsNames);
constinit const ConstantSet kDexcrControls = flag_set("PR_PPC_DEXCR_CTRL_???", kDexcrControlsNames);

}  // namespace strut

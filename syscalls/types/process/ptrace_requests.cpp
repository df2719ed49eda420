#include "syscalls/types/process/ptrace_requests.hpp"

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf_filter.hpp"
#include "syscalls/types/process/ptrace_registers.hpp"
#include "syscalls/types/process/ptrace_syscall_info.hpp"
#include "syscalls/types/process/seccomp.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "syscalls/types/signal/signal.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/ptrace.h>, <asm/ptrace-abi.h>.
constexpr Constant kRequestNames[] = {
    {0, "PTRACE_TRACEME"}, {1, "PTRACE_PEEKTEXT"}, {2, "PTRACE_PEEKDATA"}, {3, "PTRACE_PEEKUSER"},
    {4, "PTRACE_POKETEXT"}, {5, "PTRACE_POKEDATA"}, {6, "PTRACE_POKEUSER"}, {7, "PTRACE_CONT"}, {8, "PTRACE_KILL"},
    {9, "PTRACE_SINGLESTEP"}, {12, "PTRACE_GETREGS"}, {13, "PTRACE_SETREGS"}, {14, "PTRACE_GETFPREGS"},
    {15, "PTRACE_SETFPREGS"}, {16, "PTRACE_ATTACH"}, {17, "PTRACE_DETACH"}, {18, "PTRACE_GETFPXREGS"},
    {19, "PTRACE_SETFPXREGS"}, {21, "PTRACE_OLDSETOPTIONS"}, {24, "PTRACE_SYSCALL"}, {25, "PTRACE_GET_THREAD_AREA"},
    {26, "PTRACE_SET_THREAD_AREA"}, {30, "PTRACE_ARCH_PRCTL"}, {31, "PTRACE_SYSEMU"},
    {32, "PTRACE_SYSEMU_SINGLESTEP"}, {33, "PTRACE_SINGLEBLOCK"}, {0x4200, "PTRACE_SETOPTIONS"},
    {0x4201, "PTRACE_GETEVENTMSG"}, {0x4202, "PTRACE_GETSIGINFO"}, {0x4203, "PTRACE_SETSIGINFO"},
    {0x4204, "PTRACE_GETREGSET"}, {0x4205, "PTRACE_SETREGSET"}, {0x4206, "PTRACE_SEIZE"},
    {0x4207, "PTRACE_INTERRUPT"}, {0x4208, "PTRACE_LISTEN"}, {0x4209, "PTRACE_PEEKSIGINFO"},
    {0x420a, "PTRACE_GETSIGMASK"}, {0x420b, "PTRACE_SETSIGMASK"}, {0x420c, "PTRACE_SECCOMP_GET_FILTER"},
    {0x420d, "PTRACE_SECCOMP_GET_METADATA"}, {0x420e, "PTRACE_GET_SYSCALL_INFO"},
    {0x420f, "PTRACE_GET_RSEQ_CONFIGURATION"}, {0x4210, "PTRACE_SET_SYSCALL_USER_DISPATCH_CONFIG"},
    {0x4211, "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG"}, {0x4212, "PTRACE_SET_SYSCALL_INFO"},
};
constexpr Constant kOptionNames[] = {
    {0x1, "PTRACE_O_TRACESYSGOOD"}, {0x2, "PTRACE_O_TRACEFORK"}, {0x4, "PTRACE_O_TRACEVFORK"},
    {0x8, "PTRACE_O_TRACECLONE"}, {0x10, "PTRACE_O_TRACEEXEC"}, {0x20, "PTRACE_O_TRACEVFORKDONE"},
    {0x40, "PTRACE_O_TRACEEXIT"}, {0x80, "PTRACE_O_TRACESECCOMP"}, {0x100000, "PTRACE_O_EXITKILL"},
    {0x200000, "PTRACE_O_SUSPEND_SECCOMP"},
};
constexpr Constant kPeekNames[] = {{1, "PTRACE_PEEKSIGINFO_SHARED"}};
constinit const ConstantSet kOptions = flag_set("PTRACE_O_???", kOptionNames);
constinit const ConstantSet kPeekFlags = flag_set("PTRACE_PEEKSIGINFO_???", kPeekNames);

constexpr FieldType kPeekFields[] = {field("off", kU64), field("flags", named(kPeekFlags)), field("nr", kInt)};
constexpr StructLayout kPeekLayout = {"ptrace_peeksiginfo_args", kPeekFields};

/// struct seccomp_metadata: the requested filter, and its data from the kernel.
Value decode_metadata(Decoder& decoder, uint64_t at, size_t) {
  constexpr uint64_t kOffsetBytes = 8, kKnownBytes = 16;
  auto offset = decoder.read_number(Addr{at}, Width::B8);
  if (decoder.arg(2) < kOffsetBytes) return Decoder::address(at);
  if (!offset) return decoder.missing(Addr{at});
  FieldValue fields[] = {{"filter_off", Decoder::number(*offset, Show::Unsigned)}, {"flags", {}}};
  int64_t stored = decoder.call().error == 0 ? decoder.call().result : 0;
  auto flags = decoder.read_number(Addr{at} + kOffsetBytes, Width::B8);
  if (stored <= static_cast<int64_t>(kOffsetBytes) || !flags) return decoder.fields(std::span(fields).first(1));
  fields[1].value = Decoder::named(*flags, kSeccompFilterFlags, 8);
  return decoder.fields(fields, stored > static_cast<int64_t>(kKnownBytes));
}

/// A signal set if the address says that it has the kernel's size.
constexpr Type kSigsetPointer = pointer_to(kSigset), kOldSigsetPointer = pointer_to(kOldSigset);
bool has_old_size(Decoder& decoder, Addr) {
  return decoder.arg(2) >= pointer_bytes(decoder.abi()) && decoder.arg(2) < sizeof(uint64_t);
}
constexpr Type kOldMask = kEither<has_old_size, kOldSigsetPointer, kAddress>;
constexpr Type kMask = kEither<arg_is<2, 8>, kSigsetPointer, kOldMask>;

/// As many instructions as the result says, in full only.
constexpr Type kFilterInstructions = pointer_to(kSeccompInstruction, at_most(kMaxBpfInstructions, by_result()));
constexpr Type kFilter = kEither<in_full, kFilterInstructions, kAddress>;

constexpr Type kPeekArgs = structure(kPeekLayout);
constexpr Type kMetadata = custom(decode_metadata, 16);

// -- rows ---------------------------------------------------------------------------------------------
constexpr ArgType kPid1 = pid("pid"), kAddr = address("addr"), kUser = arg("addr", kUserOffset);
constexpr ArgType kSizeAddr = ulong("addr"), kRegsetType = flags("addr", kRegsetTypes);
constexpr ArgType kWordOut = out("data", kAddress), kWordIn = address("data"), kSignalIn = signal("data");
constexpr ArgType kOptionsIn = flags("data", kOptions, Width::Long);

// Requests without an address: the last argument is named as if it were one.
constexpr ArgType registers_in(const Type& object) { return from_register(3, in("addr", object)); }
constexpr ArgType registers_out(const Type& object) { return from_register(3, out("addr", object)); }

constexpr CommandRow kRequestRows[] = {
    command(0, kUnsignedResult),
    command(1, kUnsignedResult, kPid1, kAddr, kWordOut),
    command(2, kUnsignedResult, kPid1, kAddr, kWordOut),
    command(3, kUnsignedResult, kPid1, kUser, kWordOut),
    command(4, kUnsignedResult, kPid1, kAddr, kWordIn),
    command(5, kUnsignedResult, kPid1, kAddr, kWordIn),
    command(6, kUnsignedResult, kPid1, kUser, kWordIn),
    command(7, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(8, kUnsignedResult, kPid1),
    command(9, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(12, kUnsignedResult, kPid1, registers_out(kUserRegs)),
    command(13, kUnsignedResult, kPid1, registers_in(kUserRegs)),
    command(14, kUnsignedResult, kPid1, registers_out(kUserFpRegs)),
    command(15, kUnsignedResult, kPid1, registers_in(kUserFpRegs)),
    command(16, kUnsignedResult, kPid1),
    command(17, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(21, kUnsignedResult, kPid1, kAddr, kOptionsIn),
    command(24, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(31, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(32, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(33, kUnsignedResult, kPid1, kAddr, kSignalIn),
    command(0x4200, kUnsignedResult, kPid1, kAddr, kOptionsIn),
    command(0x4201, kUnsignedResult, kPid1, kAddr, out("data", kULong)),
    command(0x4202, kUnsignedResult, kPid1, kAddr, out("data", kSiginfo)),
    command(0x4203, kUnsignedResult, kPid1, kAddr, in("data", kSiginfo)),
    command(0x4204, kUnsignedResult, kPid1, kRegsetType, even_on_failure(remembered(out("data", kRegsetTaken)))),
    command(0x4205, kUnsignedResult, kPid1, kRegsetType, remembered(inout("data", kRegsetGiven))),
    command(0x4206, kUnsignedResult, kPid1, kAddr, kOptionsIn),
    command(0x4207, kUnsignedResult, kPid1),
    command(0x4208, kUnsignedResult, kPid1),
    command(0x4209, kUnsignedResult, kPid1, in("addr", kPeekArgs),
            array_out("data", kSiginfo, by_result())),
    command(0x420a, kUnsignedResult, kPid1, kSizeAddr, arg("data", kMask, Direction::Out)),
    command(0x420b, kUnsignedResult, kPid1, kSizeAddr, arg("data", kMask)),
    command(0x420c, kUnsignedResult, kPid1, kSizeAddr,
            arg("data", kFilter, Direction::Out)),
    command(0x420d, kUnsignedResult, kPid1, kSizeAddr, even_on_failure(out("data", kMetadata))),
    command(0x420e, kUnsignedResult, kPid1, kSizeAddr, out("data", kSyscallInfo)),
    command(0x4212, kUnsignedResult, kPid1, kSizeAddr, in("data", kSyscallInfo)),
};

}  // namespace

constinit const ConstantSet kPtraceRequests = enumeration("PTRACE_???", kRequestNames);
constinit const CommandTable kPtraceCommands = {0, 1, kRequestRows};

}  // namespace strut

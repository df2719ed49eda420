#include "syscalls/types/ipc/ipc.hpp"

#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/ipc.h>, <linux/shm.h>, <linux/sem.h>, <linux/msg.h>
constexpr Constant kKeyNames[] = {{0, "IPC_PRIVATE"}};
constexpr Constant kShmFlagNames[] = {
    {01000, "IPC_CREAT"}, {02000, "IPC_EXCL"}, {04000, "SHM_HUGETLB"}, {010000, "SHM_NORESERVE"},
};
constexpr Constant kFlagNames[] = {{01000, "IPC_CREAT"}, {02000, "IPC_EXCL"}, {04000, "IPC_NOWAIT"}};
constexpr Constant kAttachNames[] = {
    {010000, "SHM_RDONLY"}, {020000, "SHM_RND"}, {040000, "SHM_REMAP"}, {0100000, "SHM_EXEC"},
};
constexpr Constant kQueueFlagNames[] = {
    {010000, "MSG_NOERROR"}, {020000, "MSG_EXCEPT"}, {040000, "MSG_COPY"}, {04000, "IPC_NOWAIT"},
};
constexpr Constant kSemFlagNames[] = {{010000, "SEM_UNDO"}, {04000, "IPC_NOWAIT"}};
constexpr Constant kVersionNames[] = {{0x100, "IPC_64"}};
constexpr Constant kShmOperationNames[] = {
    {0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "SHM_LOCK"}, {12, "SHM_UNLOCK"},
    {13, "SHM_STAT"}, {14, "SHM_INFO"}, {15, "SHM_STAT_ANY"},
};
constexpr Constant kSemOperationNames[] = {
    {0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "GETPID"}, {12, "GETVAL"},
    {13, "GETALL"}, {14, "GETNCNT"}, {15, "GETZCNT"}, {16, "SETVAL"}, {17, "SETALL"}, {18, "SEM_STAT"},
    {19, "SEM_INFO"}, {20, "SEM_STAT_ANY"},
};
constexpr Constant kQueueOperationNames[] = {
    {0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "MSG_STAT"}, {12, "MSG_INFO"},
    {13, "MSG_STAT_ANY"},
};
constinit const ConstantSet kShmFlagSet = flag_set(nullptr, kShmFlagNames);
constinit const ConstantSet kFlagSet = flag_set(nullptr, kFlagNames);
constinit const ConstantSet kSemFlags = flag_set("SEM_???", kSemFlagNames);
constinit const ConstantSet kVersions = flag_set(nullptr, kVersionNames);
constinit const ConstantSet kShmOperationSet = enumeration("SHM_???", kShmOperationNames);
constinit const ConstantSet kSemOperationSet = enumeration("SEM_???", kSemOperationNames);
constinit const ConstantSet kQueueOperationSet = enumeration("MSG_???", kQueueOperationNames);

constexpr uint64_t kVersionBit = 0x100;
constexpr uint64_t kOperationBits = 0xffffffff & ~kVersionBit;

constexpr Type kVersion = named(kVersions);
template <const ConstantSet& kSet>
constexpr Type kOperation = named(kSet);
template <const ConstantSet& kSet>
constexpr WordPart kOperationParts[] = {part_if_any(kVersionBit, kVersion), part(kOperationBits, kOperation<kSet>)};

// -- flags with permissions -----------------------------------------------------------------------------

constexpr uint64_t kPermissionBits = 0777;
constexpr uint64_t kHugeBits = 0xfc000000;  // SHM_HUGE_MASK << SHM_HUGE_SHIFT
constexpr Type kShmFlag = named(kShmFlagSet), kFlag = named(kFlagSet);
constexpr WordPart kShmFlagParts[] = {
    part_if_any(~(kPermissionBits | kHugeBits), kShmFlag),
    with_shift(26, part_if_any(kHugeBits, kU64), "SHM_HUGE_SHIFT"),
    part(kPermissionBits, kPermissions),
};
// Flags of which none has a name are not set apart from the permissions, but for those of shared memory.
constexpr WordPart kFlagParts[] = {part_if_any(~kPermissionBits, kFlag), part(kPermissionBits, kPermissions)};

// -- structures -----------------------------------------------------------------------------------------
// struct ipc64_perm begins them all: key, uid, gid, cuid, cgid, mode. The ids come first in text.

constexpr Type kMode32 = number(Width::B4, Show::Permissions);
constexpr Type kMode16 = number(Width::B2, Show::Permissions);

constexpr FieldType kPermFields[] = {
    at(4, field("uid", kId)), at(8, field("gid", kId)), at(20, field("mode", kMode32)), at(0, field("key", kUInt)),
    at(12, field("cuid", kId)), at(16, field("cgid", kId)), at(32, padding(kU64)), padding(kU64),
};
constexpr FieldType kPermFields32[] = {
    at(4, field("uid", kId)), at(8, field("gid", kId)), at(20, field("mode", kMode16)), at(0, field("key", kUInt)),
    at(12, field("cuid", kId)), at(16, field("cgid", kId)), at(28, padding(kUInt)), padding(kUInt),
};
constexpr FieldType kPermSetFields[] = {
    at(4, field("uid", kId)),
    at(8, field("gid", kId)),
    at(20, field("mode", kMode32)),
    at(32, padding(kU64)),
    padding(kU64),
};
constexpr FieldType kPermSetFields32[] = {
    at(4, field("uid", kId)), at(8, field("gid", kId)), at(20, field("mode", kMode16)),
    at(28, padding(kUInt)),   padding(kUInt),
};
constexpr StructLayout kPerm = {"ipc64_perm", kPermFields, false, kPermFields32, std::size(kPermFields32)};
constexpr StructLayout kPermSet = {"ipc64_perm", kPermSetFields, false, kPermSetFields32, std::size(kPermSetFields32)};
static_assert(size_of(kPerm, Abi::X86_64) == sizeof(ipc_perm) && size_of(kPerm, Abi::I386) == 36);
static_assert(size_of(kPermSet, Abi::X86_64) == sizeof(ipc_perm) && size_of(kPermSet, Abi::I386) == 36);

constexpr FieldType kShmFields[] = {
    field("shm_perm", structure(kPerm)),
    field("shm_segsz", kULong),
    at(80, field("shm_cpid", kPid)),
    at(84, field("shm_lpid", kPid)),
    at(88, field("shm_nattch", kKernelULong)),
    at(56, field("shm_atime", kKernelULong)),
    at(64, field("shm_dtime", kKernelULong)),
    at(72, field("shm_ctime", kKernelULong)),
    at(96, padding(kU64)),
    padding(kU64),
};
constexpr FieldType kShmFields32[] = {
    field("shm_perm", structure(kPerm)), field("shm_segsz", kUInt),
    at(64, field("shm_cpid", kPid)), at(68, field("shm_lpid", kPid)), at(72, field("shm_nattch", kUInt)),
    at(40, field("shm_atime", kUInt)), at(48, field("shm_dtime", kUInt)), at(56, field("shm_ctime", kUInt)),
    at(76, padding(kUInt)), padding(kUInt),
};
constexpr StructLayout kShmid = {"shmid64_ds", kShmFields, false, kShmFields32, std::size(kShmFields32)};
static_assert(size_of(kShmid, Abi::X86_64) == sizeof(shmid_ds) && size_of(kShmid, Abi::I386) == 84);

constexpr FieldType kShmSetFields[] = {field("shm_perm", structure(kPermSet))};
constexpr StructLayout kShmidSet = {"shmid64_ds", kShmSetFields};

constexpr FieldType kShminfoFields[] = {
    field("shmmax", kKernelULong), field("shmmin", kKernelULong), field("shmmni", kKernelULong),
    field("shmseg", kKernelULong), field("shmall", kKernelULong),
};
constexpr StructLayout kShminfo = {"shminfo64", kShminfoFields};
constexpr FieldType kShmInfoFields[] = {
    field("used_ids", kInt), field("shm_tot", kKernelULong), field("shm_rss", kKernelULong),
    field("shm_swp", kKernelULong), field("swap_attempts", kKernelULong), field("swap_successes", kKernelULong),
};
constexpr StructLayout kShmInfo = {"shm_info", kShmInfoFields};

constexpr FieldType kSemFields[] = {
    field("sem_perm", structure(kPerm)),
    field("sem_otime", kKernelULong),
    padding(kU64),
    field("sem_ctime", kKernelULong),
    padding(kU64),
    field("sem_nsems", kKernelULong),
    padding(kU64),
    padding(kU64),
};
constexpr FieldType kSemFields32[] = {
    field("sem_perm", structure(kPerm)), field("sem_otime", kUInt), padding(kUInt), field("sem_ctime", kUInt),
    padding(kUInt), field("sem_nsems", kUInt), padding(kUInt), padding(kUInt),
};
constexpr StructLayout kSemid = {"semid64_ds", kSemFields, false, kSemFields32, std::size(kSemFields32)};
static_assert(size_of(kSemid, Abi::X86_64) == sizeof(semid_ds) && size_of(kSemid, Abi::I386) == 64);
constexpr FieldType kSemSetFields[] = {field("sem_perm", structure(kPermSet))};
constexpr StructLayout kSemidSet = {"semid64_ds", kSemSetFields};
constexpr FieldType kSeminfoFields[] = {
    field("semmap", kInt), field("semmni", kInt), field("semmns", kInt), field("semmnu", kInt), field("semmsl", kInt),
    field("semopm", kInt), field("semume", kInt), field("semusz", kInt), field("semvmx", kInt), field("semaem", kInt),
};
constexpr StructLayout kSeminfo = {"seminfo", kSeminfoFields};

constexpr FieldType kQueueFields[] = {
    field("msg_perm", structure(kPerm)), field("msg_stime", kKernelULong), field("msg_rtime", kKernelULong),
    field("msg_ctime", kKernelULong), padding(kU64), field("msg_qnum", kKernelULong), field("msg_qbytes", kKernelULong),
    field("msg_lspid", kPid), field("msg_lrpid", kPid), padding(kU64), padding(kU64),
};
constexpr FieldType kQueueFields32[] = {
    field("msg_perm", structure(kPerm)), field("msg_stime", kUInt), padding(kUInt), field("msg_rtime", kUInt),
    padding(kUInt), field("msg_ctime", kUInt), padding(kUInt), padding(kUInt), field("msg_qnum", kUInt),
    field("msg_qbytes", kUInt), field("msg_lspid", kPid), field("msg_lrpid", kPid), padding(kUInt), padding(kUInt),
};
constexpr StructLayout kQueue = {"msqid64_ds", kQueueFields, false, kQueueFields32, std::size(kQueueFields32)};
static_assert(size_of(kQueue, Abi::X86_64) == sizeof(msqid_ds) && size_of(kQueue, Abi::I386) == 88);
constexpr FieldType kQueueSetFields[] = {
    field("msg_perm", structure(kPermSet)),
    at(88, field("msg_qbytes", kKernelULong)),
    at(104, padding(kU64)),
    padding(kU64),
};
constexpr FieldType kQueueSetFields32[] = {
    field("msg_perm", structure(kPermSet)), at(68, field("msg_qbytes", kUInt)), at(80, padding(kUInt)), padding(kUInt),
};
constexpr StructLayout kQueueSet = {"msqid64_ds", kQueueSetFields, false, kQueueSetFields32,
                                    std::size(kQueueSetFields32)};
constexpr FieldType kMsginfoFields[] = {
    field("msgpool", kInt), field("msgmap", kInt), field("msgmax", kInt), field("msgmnb", kInt), field("msgmni", kInt),
    field("msgssz", kInt), field("msgtql", kInt), field("msgseg", kU16),
};
constexpr StructLayout kMsginfo = {"msginfo", kMsginfoFields};
static_assert(size_of(kMsginfo, Abi::X86_64) == sizeof(msginfo));

constexpr Type kShmidType = structure(kShmid);
constexpr Type kShmidSetType = structure(kShmidSet);
constexpr Type kShminfoType = structure(kShminfo);
constexpr Type kShmInfoType = structure(kShmInfo);
constexpr Type kSemidType = structure(kSemid);
constexpr Type kSemidSetType = structure(kSemidSet);
constexpr Type kSeminfoType = structure(kSeminfo);
constexpr Type kQueueType = structure(kQueue);
constexpr Type kQueueSetType = structure(kQueueSet);
constexpr Type kMsginfoType = structure(kMsginfo);

constexpr int8_t kNext = -1;       // the register behind the operation's
constexpr int8_t kIpcPointer = 3;  // the `ptr` of ipc(2)

template <int8_t kRegister>
constexpr CommandRow fills(uint64_t operation, const Type& object, const char* name = "buf") {
  return command(operation, kUnsignedResult, from_register(kRegister, out(name, object)));
}
template <int8_t kRegister>
constexpr CommandRow takes(uint64_t operation, const Type& object, const char* name = "buf") {
  return command(operation, kUnsignedResult, from_register(kRegister, in(name, object)));
}

template <int8_t kRegister>
constexpr CommandRow kShmRows[] = {
    takes<kRegister>(1, kShmidSetType), fills<kRegister>(2, kShmidType),    fills<kRegister>(3, kShminfoType),
    fills<kRegister>(13, kShmidType),   fills<kRegister>(14, kShmInfoType), fills<kRegister>(15, kShmidType),
};
template <int8_t kRegister>
constexpr CommandRow kSemRows[] = {
    takes<kRegister>(1, kSemidSetType, "arg"), fills<kRegister>(2, kSemidType, "arg"),
    fills<kRegister>(3, kSeminfoType, "arg"),  fills<kRegister>(18, kSemidType, "arg"),
    fills<kRegister>(19, kSeminfoType, "arg"), fills<kRegister>(20, kSemidType, "arg"),
};
template <int8_t kRegister>
constexpr CommandRow kQueueRows[] = {
    takes<kRegister>(1, kQueueSetType), fills<kRegister>(2, kQueueType),    fills<kRegister>(3, kMsginfoType),
    fills<kRegister>(11, kQueueType),   fills<kRegister>(12, kMsginfoType), fills<kRegister>(13, kQueueType),
};

// -- operations and messages ----------------------------------------------------------------------------

constexpr FieldType kSembufFields[] = {
    field("sem_num", kU16), field("sem_op", kS16), field("sem_flg", named(kSemFlags, Width::B2)),
};
constexpr StructLayout kSembufLayout = {"sembuf", kSembufFields};
static_assert(size_of(kSembufLayout, Abi::X86_64) == sizeof(sembuf));

constexpr FieldType kMessageFields[] = {field("mtype", kKernelLong), field("mtext", bytes(by_arg(2)))};
constexpr StructLayout kMessageLayout = {"msgbuf", kMessageFields};

}  // namespace

constinit const Type kQueueMessageRead = structure(kMessageLayout);
constinit const ConstantSet kIpcKeys = enumeration(nullptr, kKeyNames);
constinit const ConstantSet kShmAttachFlags = flag_set("SHM_???", kAttachNames);
constinit const ConstantSet kQueueFlags = flag_set("MSG_???", kQueueFlagNames);
constinit const WordLayout kShmFlagWord = {.parts = kShmFlagParts};
constinit const WordLayout kIpcFlagWord = {.parts = kFlagParts, .glued = true};
constinit const WordLayout kShmOperationWord = {.parts = kOperationParts<kShmOperationSet>, .one_is_plain = true};
constinit const WordLayout kSemOperationWord = {.parts = kOperationParts<kSemOperationSet>, .one_is_plain = true};
constinit const WordLayout kQueueOperationWord = {.parts = kOperationParts<kQueueOperationSet>, .one_is_plain = true};
constinit const CommandTable kShmOperations = {1, 2, kShmRows<kNext>, kOperationBits};
constinit const CommandTable kSemOperations = {2, 3, kSemRows<kNext>, kOperationBits};
constinit const CommandTable kQueueOperations = {1, 2, kQueueRows<kNext>, kOperationBits};
constinit const CommandTable kIpcShmOperations = {1, 2, kShmRows<kIpcPointer>, kOperationBits};
constinit const CommandTable kIpcQueueOperations = {1, 2, kQueueRows<kIpcPointer>, kOperationBits};
constinit const Type kSembuf = structure(kSembufLayout);
Value decode_queue_message(Decoder& decoder, uint64_t pointer, size_t) {
  Addr at{pointer};
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  auto type = decoder.read_number(at, Width::KernelLong, true);
  if (!type) return decoder.missing(at);
  size_t word = bytes_of(Width::KernelLong, decoder.abi());
  // struct msgbuf has room for some text, which i386 pads to a word: either all of it is readable or nothing is shown.
  if (decoder.abi() == Abi::I386 && !decoder.read_number(at, Width::B8)) return Decoder::address(pointer);
  const FieldValue fields[] = {
      {"mtype", Decoder::number(*type, Show::Signed, static_cast<uint8_t>(word))},
      {"mtext", decoder.buffer(at + word, decoder.arg(2))},
  };
  return decoder.fields(fields);
}

}  // namespace strut

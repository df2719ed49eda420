#include "syscalls/types/fs/fcntl.hpp"

#include <fcntl.h>

#include "syscalls/decoder.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/types/common/flag_names.hpp"
#include "syscalls/types/fs/file_ops.hpp"
#include "syscalls/types/fs/open_flags.hpp"

namespace strut {
namespace {

using namespace strut::notation;

enum Command : uint64_t {
  kGetFd = 1,
  kGetFl = 3,
  kGetSig = 11,
  kGetLease = 1025,
  kGetSeals = 1034,
};

constexpr Constant kCommandNames[] = {
    {0, "F_DUPFD"},          {1, "F_GETFD"},          {2, "F_SETFD"},           {3, "F_GETFL"},
    {4, "F_SETFL"},          {5, "F_GETLK"},          {6, "F_SETLK"},           {7, "F_SETLKW"},
    {8, "F_SETOWN"},         {9, "F_GETOWN"},         {10, "F_SETSIG"},         {11, "F_GETSIG"},
    {12, "F_GETLK64"},       {13, "F_SETLK64"},       {14, "F_SETLKW64"},       {15, "F_SETOWN_EX"},
    {16, "F_GETOWN_EX"},     {17, "F_GETOWNER_UIDS"}, {36, "F_OFD_GETLK"},      {37, "F_OFD_SETLK"},
    {38, "F_OFD_SETLKW"},    {1024, "F_SETLEASE"},    {1025, "F_GETLEASE"},     {1026, "F_NOTIFY"},
    {1027, "F_DUPFD_QUERY"}, {1028, "F_CREATED_QUERY"}, {1029, "F_CANCELLK"},   {1030, "F_DUPFD_CLOEXEC"},
    {1031, "F_SETPIPE_SZ"},  {1032, "F_GETPIPE_SZ"},  {1033, "F_ADD_SEALS"},    {1034, "F_GET_SEALS"},
    {1035, "F_GET_RW_HINT"}, {1036, "F_SET_RW_HINT"}, {1037, "F_GET_FILE_RW_HINT"}, {1038, "F_SET_FILE_RW_HINT"},
    {1039, "F_GETDELEG"},    {1040, "F_SETDELEG"},
};

constexpr Constant kDescriptorFlagNames[] = {{1, "FD_CLOEXEC"}};
constexpr ConstantSet kDescriptorFlags = flag_set("FD_???", kDescriptorFlagNames);
// For results: unknown bits are shown without a remark.
constexpr ConstantSet kDescriptorFlagsGot = flag_set(nullptr, kDescriptorFlagNames);

constexpr Constant kLockNames[] = {
    {0, "F_RDLCK"}, {1, "F_WRLCK"}, {2, "F_UNLCK"}, {4, "F_EXLCK"}, {8, "F_SHLCK"}};
constexpr ConstantSet kLockTypes = enumeration("F_???", kLockNames);

constexpr Constant kOwnerNames[] = {{0, "F_OWNER_TID"}, {1, "F_OWNER_PID"}, {2, "F_OWNER_PGRP"}};
constexpr ConstantSet kOwnerTypes = enumeration("F_OWNER_???", kOwnerNames);

constexpr Constant kNotifyNames[] = {
    {0x1, "DN_ACCESS"}, {0x2, "DN_MODIFY"},  {0x4, "DN_CREATE"},           {0x8, "DN_DELETE"},
    {0x10, "DN_RENAME"}, {0x20, "DN_ATTRIB"}, {0x80000000, "DN_MULTISHOT"},
};
constexpr ConstantSet kNotifications = flag_set("DN_???", kNotifyNames);

constexpr Constant kSealNames[] = {
    {0x1, "F_SEAL_SEAL"},  {0x2, "F_SEAL_SHRINK"},        {0x4, "F_SEAL_GROW"},
    {0x8, "F_SEAL_WRITE"}, {0x10, "F_SEAL_FUTURE_WRITE"}, {0x20, "F_SEAL_EXEC"},
};
constexpr ConstantSet kSealsGot = flag_set(nullptr, kSealNames);

constexpr Constant kHintNames[] = {
    {0, "RWH_WRITE_LIFE_NOT_SET"}, {1, "RWH_WRITE_LIFE_NONE"}, {2, "RWH_WRITE_LIFE_SHORT"},
    {3, "RWH_WRITE_LIFE_MEDIUM"},  {4, "RWH_WRITE_LIFE_LONG"}, {5, "RWH_WRITE_LIFE_EXTREME"},
};
constexpr ConstantSet kHints = enumeration("RWH_WRITE_LIFE_???", kHintNames);
constexpr Type kHint = named(kHints, Width::B8);

constexpr Type kLockType = named(kLockTypes, Width::B2);
constexpr Type kLockWhence = named(kWhence, Width::B2);

// struct flock: with the ABI's long, and with 64 bits everywhere.
constexpr FieldType kSetFields[] = {field("l_type", kLockType), field("l_whence", kLockWhence),
                                    field("l_start", kKernelLong), field("l_len", kKernelLong), padding_bytes(4)};
constexpr FieldType kGetFields[] = {field("l_type", kLockType), field("l_whence", kLockWhence),
                                    field("l_start", kKernelLong), field("l_len", kKernelLong), field("l_pid", kPid)};
constexpr FieldType kSet64Fields[] = {
    field("l_type", kLockType), field("l_whence", kLockWhence), field("l_start", kS64), field("l_len", kS64),
    padding_bytes(4)};
constexpr FieldType kGet64Fields[] = {
    field("l_type", kLockType), field("l_whence", kLockWhence), field("l_start", kS64), field("l_len", kS64),
    field("l_pid", kPid)};
constexpr StructLayout kSetLayout = {"flock", kSetFields}, kGetLayout = {"flock", kGetFields};
constexpr StructLayout kSet64Layout = {"flock64", kSet64Fields}, kGet64Layout = {"flock64", kGet64Fields};
static_assert(size_of(kGetLayout, Abi::X86_64) == sizeof(struct flock));
constexpr Type kLockSet = structure(kSetLayout), kLockGet = structure(kGetLayout);
constexpr Type kLock64Set = structure(kSet64Layout), kLock64Get = structure(kGet64Layout);

constexpr FieldType kOwnerFields[] = {field("type", named(kOwnerTypes)), field("pid", kPid)};
constexpr StructLayout kOwnerLayout = {"f_owner_ex", kOwnerFields};
constexpr Type kOwner = structure(kOwnerLayout);

// <linux/fcntl.h>
constexpr FieldType kDelegationFields[] = {
    field("d_flags", kHex32), field("d_type", kLockType), field("__pad", number(Width::B2, Show::Hex))};
constexpr StructLayout kDelegationLayout = {"delegation", kDelegationFields};
constexpr Type kDelegation = structure(kDelegationLayout);

constexpr Type kPlain = kPlainLong;

#define COMMON_ROWS                                                                                              \
  command(0, kFd, arg("arg", kPlain)), command(kGetFd, kHexResult),                                               \
      command(2, kUnsignedResult, flags("arg", kDescriptorFlags)), command(kGetFl, kHexResult),                     \
      command(4, kUnsignedResult, flags("arg", kOpenFlags)), command(5, kUnsignedResult, out("arg", kLockGet)),       \
      command(6, kUnsignedResult, in("arg", kLockSet)), command(7, kUnsignedResult, in("arg", kLockSet)),             \
      command(8, kUnsignedResult, pid("arg")), command(9, kPidResult), command(10, kUnsignedResult, signal("arg")),   \
      command(kGetSig, kUnsignedResult)
#define COMMON_ROWS_AFTER_64                                                                                     \
  command(15, kUnsignedResult, in("arg", kOwner)), command(16, kUnsignedResult, out("arg", kOwner)),                  \
      command(36, kUnsignedResult, out("arg", kLock64Get)), command(37, kUnsignedResult, in("arg", kLock64Set)),      \
      command(38, kUnsignedResult, in("arg", kLock64Set)),                                                          \
      command(1024, kUnsignedResult, flags("arg", kLockTypes, Width::Long)), command(kGetLease, kHexResult),        \
      command(1026, kUnsignedResult, flags("arg", kNotifications, Width::Long)),                                    \
      command(1027, kUnsignedResult, fd("arg")), command(1030, kFd, arg("arg", kPlain)),                            \
      command(1031, kUnsignedResult, arg("arg", kPlain)), command(1032, kUnsignedResult),                             \
      command(1033, kUnsignedResult, flags("arg", kSeals, Width::Long)), command(kGetSeals, kHexResult),            \
      command(1035, kUnsignedResult, out("arg", kHint)), command(1036, kUnsignedResult, in("arg", kHint)),            \
      command(1037, kUnsignedResult, out("arg", kHint)), command(1038, kUnsignedResult, in("arg", kHint)),            \
      command(1039, kUnsignedResult, out("arg", kDelegation)), command(1040, kUnsignedResult, in("arg", kDelegation))

constexpr CommandRow kRows[] = {COMMON_ROWS, COMMON_ROWS_AFTER_64};
constexpr CommandRow kRows64[] = {
    COMMON_ROWS,
    command(12, kUnsignedResult, out("arg", kLock64Get)),
    command(13, kUnsignedResult, in("arg", kLock64Set)),
    command(14, kUnsignedResult, in("arg", kLock64Set)),
    COMMON_ROWS_AFTER_64,
};

/// One field `name value`.
Value labelled_aux(Decoder& decoder, const char* name, const Value& value) {
  const FieldValue aux[] = {{name, value}};
  return decoder.fields(aux);
}

}  // namespace

constinit const ConstantSet kFcntlCommands = enumeration("F_???", kCommandNames);
constinit const ConstantSet kSeals = flag_set("F_SEAL_???", kSealNames);
constinit const CommandTable kFcntlTable = {1, 2, kRows, 0xffffffff};
constinit const CommandTable kFcntl64Table = {1, 2, kRows64, 0xffffffff};

Value fcntl_aux(Decoder& decoder) {
  uint64_t result = static_cast<uint64_t>(decoder.call().result);
  switch (decoder.arg(1) & 0xffffffff) {
    case kGetFd: return result ? labelled_aux(decoder, "flags", Decoder::named(result, kDescriptorFlagsGot)) : Value{};
    case kGetFl: return labelled_aux(decoder, "flags", flag_names(decoder, kOpenFlags, result));
    case kGetSeals: return result ? labelled_aux(decoder, "seals", Decoder::named(result, kSealsGot)) : Value{};
    case kGetLease: {
      const char* name = kLockTypes.name_of(result);
      return name ? Decoder::bare(name) : Value{};
    }
    case kGetSig: {
      const char* name = result <= 64 ? signal_name(static_cast<int>(result)) : nullptr;
      return name ? Decoder::bare(name) : Value{};
    }
    default: return {};
  }
}

}  // namespace strut

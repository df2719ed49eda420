#include "syscalls/types/ioctl/ioctl_block.hpp"

#include <linux/blkpg.h>
#include <linux/blktrace_api.h>
#include <linux/loop.h>

#include <cstddef>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/hex.hpp"

namespace strut {
namespace {

using namespace strut::notation;

/// A start and a length, or nothing of either.
constexpr Type kBlockRange = whole(array_of(kU64, 2));

constexpr Constant kPartitionNames[] = {
    {1, "BLKPG_ADD_PARTITION"}, {2, "BLKPG_DEL_PARTITION"}, {3, "BLKPG_RESIZE_PARTITION"}};
constexpr ConstantSet kPartitionOps = enumeration("BLKPG_???", kPartitionNames);
constexpr FieldType kPartitionFields[] = {
    field("start", kS64), field("length", kS64), field("pno", kInt), field("devname", char_array(64)),
    field("volname", char_array(64))};
constexpr StructLayout kPartitionLayout = {"blkpg_partition", kPartitionFields};
static_assert(size_of(kPartitionLayout, Abi::X86_64) == sizeof(struct blkpg_partition));
constexpr Type kPartition = structure(kPartitionLayout);
constexpr FieldType kBlkpgFields[] = {field("op", named(kPartitionOps)), field("flags", kInt), field("datalen", kInt),
                                      field("data", pointer_to(kPartition))};
constexpr StructLayout kBlkpgLayout = {"blkpg_ioctl_arg", kBlkpgFields};
static_assert(size_of(kBlkpgLayout, Abi::X86_64) == sizeof(struct blkpg_ioctl_arg));
constexpr Type kBlkpg = structure(kBlkpgLayout);

// struct blk_user_trace_setup: the call gives the trace a name.
constexpr FieldType kTraceX64Fields[] = {
    at(32, field("act_mask", kU16)), at(36, field("buf_size", kUInt)),   at(40, field("buf_nr", kUInt)),
    at(48, field("start_lba", kU64)), at(56, field("end_lba", kU64)),    at(64, field("pid", kPid)),
    at(68, padding_bytes(4)),        at(0, answer(field("name", char_array(32)))),
};
constexpr FieldType kTraceI386Fields[] = {
    at(32, field("act_mask", kU16)), at(36, field("buf_size", kUInt)), at(40, field("buf_nr", kUInt)),
    at(44, field("start_lba", kU64)), at(52, field("end_lba", kU64)),  at(60, field("pid", kPid)),
    at(0, answer(field("name", char_array(32)))),
};
constexpr StructLayout kTraceLayout = {"blk_user_trace_setup", kTraceX64Fields, false, kTraceI386Fields,
                                       std::size(kTraceI386Fields)};
static_assert(size_of(kTraceLayout, Abi::X86_64) == 72 && size_of(kTraceLayout, Abi::I386) == 64);

// <linux/loop.h>
constexpr Constant kLoopFlagNames[] = {
    {0x1, "LO_FLAGS_READ_ONLY"}, {0x2, "LO_FLAGS_USE_AOPS"}, {0x4, "LO_FLAGS_AUTOCLEAR"},
    {0x8, "LO_FLAGS_PARTSCAN"},  {0x10, "LO_FLAGS_DIRECT_IO"}};
constexpr ConstantSet kLoopFlags = flag_set("LO_FLAGS_???", kLoopFlagNames);
constexpr Constant kCryptNames[] = {
    {0, "LO_CRYPT_NONE"}, {1, "LO_CRYPT_XOR"},     {2, "LO_CRYPT_DES"},    {3, "LO_CRYPT_FISH2"},
    {4, "LO_CRYPT_BLOW"}, {5, "LO_CRYPT_CAST128"}, {6, "LO_CRYPT_IDEA"},   {9, "LO_CRYPT_DUMMY"},
    {10, "LO_CRYPT_SKIPJACK"}, {18, "LO_CRYPT_CRYPTOAPI"},
};
constexpr ConstantSet kCrypts = enumeration("LO_CRYPT_???", kCryptNames);

constexpr Type kKey64 = whole(bytes(by_field_in(7, LO_KEY_SIZE))), kKey = whole(bytes(by_field_in(6, LO_KEY_SIZE)));

constexpr Type kInit64 = array_of(kHex64, 2), kInit = array_of(kHexLong, 2);
constexpr Type kBlockReserved = array_of(kHex8, 4);
constexpr Type kBlockDevice64 = number(Width::B8, Show::Device), kOldDevice = number(Width::B2, Show::Device);

// A cipher's members are shown where there is one, or in full.
template <const StructLayout& kLayout, size_t kIndex>
bool has_cipher(Decoder& decoder, Addr info) {
  if (decoder.full()) return true;
  return decoder.read_number(info + offset_of(kLayout, kIndex, decoder.abi()), Width::B4).value_or(0) != 0;
}
bool shows_cipher64(Decoder& decoder, Addr info);
bool shows_cipher(Decoder& decoder, Addr info);

constexpr FieldType kInfo64Fields[] = {
    detail("lo_device", kBlockDevice64),
    detail("lo_inode", kU64),
    detail("lo_rdevice", kBlockDevice64),
    field("lo_offset", kHex64),
    detail("lo_sizelimit", kU64),
    field("lo_number", kUInt),
    field("lo_encrypt_type", named(kCrypts), shows_cipher64),
    field("lo_encrypt_key_size", kUInt, shows_cipher64),
    field("lo_flags", named(kLoopFlags)),
    field("lo_file_name", char_array(LO_NAME_SIZE)),
    field("lo_crypt_name", char_array(LO_NAME_SIZE), shows_cipher64),
    field("lo_encrypt_key", kKey64, shows_cipher64),
    detail("lo_init", kInit64),
};
constexpr StructLayout kInfo64Layout = {"loop_info64", kInfo64Fields};
static_assert(size_of(kInfo64Layout, Abi::X86_64) == sizeof(struct loop_info64));
constexpr Type kInfo64 = structure(kInfo64Layout);

#define INFO_FIELDS(device)                                                                                        \
  field("lo_number", kInt), detail("lo_device", device), detail("lo_inode", kULong), detail("lo_rdevice", device), \
      field("lo_offset", kHex32), field("lo_encrypt_type", named(kCrypts), shows_cipher),                          \
      field("lo_encrypt_key_size", kUInt, shows_cipher), field("lo_flags", named(kLoopFlags)),                     \
      field("lo_name", char_array(LO_NAME_SIZE)), field("lo_encrypt_key", kKey, shows_cipher),                     \
      detail("lo_init", kInit), detail("reserved", kBlockReserved)
constexpr FieldType kInfoFields[] = {INFO_FIELDS(kBlockDevice64)};  // __kernel_old_dev_t: unsigned long
constexpr FieldType kInfoI386Fields[] = {INFO_FIELDS(kOldDevice)};  // unsigned short
constexpr StructLayout kInfoLayout = {"loop_info", kInfoFields, false, kInfoI386Fields, std::size(kInfoI386Fields)};
static_assert(size_of(kInfoLayout, Abi::I386) == 140);
static_assert(size_of(kInfoLayout, Abi::X86_64) == sizeof(struct loop_info));
constexpr Type kInfo = structure(kInfoLayout);
bool shows_cipher64(Decoder& decoder, Addr info) { return has_cipher<kInfo64Layout, 6>(decoder, info); }
bool shows_cipher(Decoder& decoder, Addr info) { return has_cipher<kInfoLayout, 5>(decoder, info); }

constexpr size_t kConfigReserved = 8;
constexpr Type kConfigWords = whole(array_of(kHex64, kConfigReserved));
constexpr FieldType kBlockConfigFields[] = {field("fd", kFd), field("block_size", kUInt), field("info", kInfo64),
                                       field("__reserved", kConfigWords,
                                             not_zero<offsetof(loop_config, __reserved), 8 * kConfigReserved>)};
constexpr StructLayout kConfigLayout = {"loop_config", kBlockConfigFields};
static_assert(size_of(kConfigLayout, Abi::X86_64) == sizeof(struct loop_config));
constexpr Type kBlockConfig = structure(kConfigLayout);

constexpr CommandRow kBlockRows[] = {
    ioctl_sets(0x125d, kInt),  // BLKROSET
    ioctl_gets(0x125e, kInt),  // BLKROGET
    ioctl_bare(0x125f),  // BLKRRPART
    ioctl_gets(0x1260, kULong),  // BLKGETSIZE
    ioctl_bare(0x1261),  // BLKFLSBUF
    ioctl_takes(0x1262, kULong),  // BLKRASET
    ioctl_gets(0x1263, kLong),  // BLKRAGET
    ioctl_takes(0x1264, kULong),  // BLKFRASET
    ioctl_gets(0x1265, kLong),  // BLKFRAGET
    ioctl_gets(0x1267, kU16),  // BLKSECTGET
    ioctl_gets(0x1268, kInt),  // BLKSSZGET
    ioctl_sets(0x1269, kBlkpg),  // BLKPG
    ioctl_bare(0x1274),  // BLKTRACESTART
    ioctl_bare(0x1275),  // BLKTRACESTOP
    ioctl_bare(0x1276),  // BLKTRACETEARDOWN
    ioctl_sets(0x1277, kBlockRange),  // BLKDISCARD
    ioctl_gets(0x1278, kUInt),  // BLKIOMIN
    ioctl_gets(0x1279, kUInt),  // BLKIOOPT
    ioctl_gets(0x127a, kInt),  // BLKALIGNOFF
    ioctl_gets(0x127b, kUInt),  // BLKPBSZGET
    ioctl_gets(0x127c, kUInt),  // BLKDISCARDZEROES
    ioctl_sets(0x127d, kBlockRange),  // BLKSECDISCARD
    ioctl_gets(0x127e, kU16),  // BLKROTATIONAL
    ioctl_sets(0x127f, kBlockRange),  // BLKZEROOUT
    ioctl_takes(0x4c00, kFd),  // LOOP_SET_FD
    ioctl_bare(0x4c01),  // LOOP_CLR_FD
    ioctl_sets(0x4c02, kInfo),  // LOOP_SET_STATUS
    ioctl_gets(0x4c03, kInfo),  // LOOP_GET_STATUS
    ioctl_sets(0x4c04, kInfo64),  // LOOP_SET_STATUS64
    ioctl_gets(0x4c05, kInfo64),  // LOOP_GET_STATUS64
    ioctl_takes(0x4c06, kFd),  // LOOP_CHANGE_FD
    ioctl_bare(0x4c07),  // LOOP_SET_CAPACITY
    ioctl_takes(0x4c08, kULong),  // LOOP_SET_DIRECT_IO
    ioctl_takes(0x4c09, kULong),  // LOOP_SET_BLOCK_SIZE
    ioctl_sets(0x4c0a, kBlockConfig),  // LOOP_CONFIGURE
    ioctl_takes(0x4c80, kInt),  // LOOP_CTL_ADD
    ioctl_takes(0x4c81, kInt),  // LOOP_CTL_REMOVE
    ioctl_bare(0x4c82),  // LOOP_CTL_GET_FREE
    ioctl_sets(0x40041271, kInt),  // BLKBSZSET of 32-bit programs
    ioctl_sets(0x40081271, kInt),  // BLKBSZSET
    ioctl_gets(0x80041270, kInt),  // BLKBSZGET of 32-bit programs
    ioctl_gets(0x80041272, kU64),  // BLKGETSIZE64 of 32-bit programs
    ioctl_gets(0x80041284, kUInt),  // BLKGETZONESZ
    ioctl_gets(0x80041285, kUInt),  // BLKGETNRZONES
    ioctl_gets(0x80081270, kInt),  // BLKBSZGET
    ioctl_gets(0x80081272, kU64),  // BLKGETSIZE64
    ioctl_gets(0x80081280, kU64),  // BLKGETDISKSEQ
    ioctl_asks(0xc0401273, kStructure<kTraceLayout>),  // BLKTRACESETUP of 32-bit programs
    ioctl_asks(0xc0481273, kStructure<kTraceLayout>),  // BLKTRACESETUP
};

}  // namespace

constinit const IoctlRows kBlockIoctls = {kBlockRows};

}  // namespace strut

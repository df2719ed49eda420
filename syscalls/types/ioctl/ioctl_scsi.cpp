#include "syscalls/types/ioctl/ioctl_scsi.hpp"

#include <scsi/sg.h>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kScsiIdFields[] = {
    field("host_no", kInt),       field("channel", kInt),       field("scsi_id", kHex32),       field("lun", kInt),
    field("scsi_type", kHex32),   field("h_cmd_per_lun", kS16), field("d_queue_depth", kS16),   padding_bytes(8)};
constexpr StructLayout kScsiIdLayout = {"sg_scsi_id", kScsiIdFields};
static_assert(size_of(kScsiIdLayout, Abi::X86_64) == sizeof(struct sg_scsi_id));

constexpr FieldType kScsiRequestFields[] = {
    field("req_state", kS8), field("orphan", kS8),     field("sg_io_owned", kS8), field("problem", kS8),
    field("pack_id", kInt),  field("usr_ptr", kAddress), field("duration", kUInt), padding(kInt)};
constexpr StructLayout kRequestLayout = {"sg_req_info", kScsiRequestFields};
static_assert(size_of(kRequestLayout, Abi::X86_64) == sizeof(struct sg_req_info));

constexpr Constant kResetNames[] = {{0, "SG_SCSI_RESET_NOTHING"}, {1, "SG_SCSI_RESET_DEVICE"}, {2, "SG_SCSI_RESET_BUS"},
                                    {3, "SG_SCSI_RESET_HOST"},    {4, "SG_SCSI_RESET_TARGET"}};
constexpr ConstantSet kResets = enumeration("SG_SCSI_RESET_???", kResetNames);
constexpr Constant kEscalateNames[] = {{0x100, "SG_SCSI_RESET_NO_ESCALATE"}};
constexpr ConstantSet kEscalate = flag_set(nullptr, kEscalateNames);

/// The object of the reset, and whether a larger one may be reset where that fails.
constexpr uint32_t kNoEscalate = 0x100;
constexpr WordPart kResetParts[] = {part_if_any(kNoEscalate, kWord<kEscalate>), part(~kNoEscalate, kWord<kResets>)};
constexpr WordLayout kResetWord = {.parts = kResetParts, .one_is_plain = true};
constexpr Type kReset = word(kResetWord);

constexpr CommandRow kScsiRows[] = {
    ioctl_sets(0x2201, kInt),                           // SG_SET_TIMEOUT
    ioctl_bare(0x2202),                                 // SG_GET_TIMEOUT
    ioctl_gets(0x2203, kInt),                           // SG_EMULATED_HOST
    ioctl_takes(0x2204, kHex32),                      // SG_SET_TRANSFORM
    ioctl_gets(0x2205, kInt),                           // SG_GET_TRANSFORM
    ioctl_gets(0x2270, kInt),                           // SG_GET_COMMAND_Q
    ioctl_sets(0x2271, kInt),                           // SG_SET_COMMAND_Q
    ioctl_gets(0x2272, kInt),                           // SG_GET_RESERVED_SIZE
    ioctl_sets(0x2275, kInt),                           // SG_SET_RESERVED_SIZE
    ioctl_gets(0x2276, kStructure<kScsiIdLayout>),          // SG_GET_SCSI_ID
    ioctl_sets(0x2279, kInt),                           // SG_SET_FORCE_LOW_DMA
    ioctl_gets(0x227a, kInt),                           // SG_GET_LOW_DMA
    ioctl_sets(0x227b, kInt),                           // SG_SET_FORCE_PACK_ID
    ioctl_gets(0x227c, kInt),                           // SG_GET_PACK_ID
    ioctl_gets(0x227d, kInt),                           // SG_GET_NUM_WAITING
    ioctl_sets(0x227e, kInt),                           // SG_SET_DEBUG
    ioctl_gets(0x227f, kInt),                           // SG_GET_SG_TABLESIZE
    ioctl_gets(0x2282, kInt),                           // SG_GET_VERSION_NUM
    ioctl_sets(0x2283, kInt),                           // SG_NEXT_CMD_LEN
    ioctl_sets(0x2284, kReset),                         // SG_SCSI_RESET
    ioctl_gets(0x2286, kStructure<kRequestLayout>),     // SG_GET_REQUEST_TABLE
    ioctl_sets(0x2287, kInt),                           // SG_SET_KEEP_ORPHAN
    ioctl_gets(0x2288, kInt),                           // SG_GET_KEEP_ORPHAN
    ioctl_gets(0x2289, kInt),                           // SG_GET_ACCESS_COUNT
};

}  // namespace

constinit const IoctlRows kScsiIoctls = {kScsiRows};

}  // namespace strut

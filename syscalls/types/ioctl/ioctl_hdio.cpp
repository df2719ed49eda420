#include "syscalls/types/ioctl/ioctl_hdio.hpp"

#include <linux/hdreg.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// Commands of disks: <linux/ata.h> of the kernel, after the ATA/ATAPI command set.
constexpr Constant kAtaNames[] = {
    {0, "ATA_CMD_NOP"}, {0x3, "ATA_CMD_CFA_REQ_EXT_ERR"}, {0x6, "ATA_CMD_DSM"}, {0x8, "ATA_CMD_DEV_RESET"}, {0xb,
    "ATA_CMD_REQ_SENSE_DATA"}, {0x10, "ATA_CMD_RESTORE"},
    {0x20, "ATA_CMD_PIO_READ"}, {0x22, "ATA_CMD_READ_LONG"}, {0x23, "ATA_CMD_READ_LONG_ONCE"}, {0x24,
    "ATA_CMD_PIO_READ_EXT"}, {0x25, "ATA_CMD_READ_EXT"}, {0x26, "ATA_CMD_READ_QUEUED"},
    {0x27, "ATA_CMD_READ_NATIVE_MAX_EXT"}, {0x29, "ATA_CMD_READ_MULTI_EXT"}, {0x2a, "ATA_CMD_READ_STREAM_DMA_EXT"},
    {0x2b, "ATA_CMD_READ_STREAM_EXT"}, {0x2f, "ATA_CMD_READ_LOG_EXT"}, {0x30, "ATA_CMD_PIO_WRITE"},
    {0x32, "ATA_CMD_WRITE_LONG"}, {0x33, "ATA_CMD_WRITE_LONG_ONCE"}, {0x34, "ATA_CMD_PIO_WRITE_EXT"}, {0x35,
    "ATA_CMD_WRITE_EXT"}, {0x36, "ATA_CMD_WRITE_QUEUED"}, {0x37, "ATA_CMD_SET_MAX_EXT"},
    {0x38, "ATA_CMD_CFA_WRITE_NE"}, {0x39, "ATA_CMD_WRITE_MULTI_EXT"}, {0x3a, "ATA_CMD_WRITE_STREAM_DMA_EXT"}, {0x3b,
    "ATA_CMD_WRITE_STREAM_EXT"}, {0x3d, "ATA_CMD_WRITE_FUA_EXT"}, {0x3e, "ATA_CMD_WRITE_QUEUED_FUA_EXT"},
    {0x3f, "ATA_CMD_WRITE_LOG_EXT"}, {0x40, "ATA_CMD_VERIFY"}, {0x42, "ATA_CMD_VERIFY_EXT"}, {0x45,
    "ATA_CMD_WRITE_UNCORR_EXT"}, {0x47, "ATA_CMD_READ_LOG_DMA_EXT"}, {0x4a, "ATA_CMD_ZAC_MGMT_IN"},
    {0x51, "ATA_CMD_CONFIG_STREAM"}, {0x57, "ATA_CMD_WRITE_LOG_DMA_EXT"}, {0x5b, "ATA_CMD_TRUSTED_NONDATA"}, {0x5c,
    "ATA_CMD_TRUSTED_RCV"}, {0x5d, "ATA_CMD_TRUSTED_RCV_DMA"}, {0x5e, "ATA_CMD_TRUSTED_SND"},
    {0x5f, "ATA_CMD_TRUSTED_SND_DMA"}, {0x60, "ATA_CMD_FPDMA_READ"}, {0x61, "ATA_CMD_FPDMA_WRITE"}, {0x63,
    "ATA_CMD_NCQ_NON_DATA"}, {0x64, "ATA_CMD_FPDMA_SEND"}, {0x65, "ATA_CMD_FPDMA_RECV"},
    {0x87, "ATA_CMD_CFA_TRANS_SECT"}, {0x90, "ATA_CMD_EDD"}, {0x91, "ATA_CMD_INIT_DEV_PARAMS"}, {0x92,
    "ATA_CMD_DOWNLOAD_MICRO"}, {0x93, "ATA_CMD_DOWNLOAD_MICRO_DMA"}, {0x9f, "ATA_CMD_ZAC_MGMT_OUT"},
    {0xa0, "ATA_CMD_PACKET"}, {0xa1, "ATA_CMD_ID_ATAPI"}, {0xa2, "ATA_CMD_SERVICE"}, {0xb0, "ATA_CMD_SMART"}, {0xb1,
    "ATA_CMD_CONF_OVERLAY"}, {0xb4, "ATA_CMD_SANITIZE_DEVICE"},
    {0xc0, "ATA_CMD_CFA_ERASE"}, {0xc4, "ATA_CMD_READ_MULTI"}, {0xc5, "ATA_CMD_WRITE_MULTI"}, {0xc6,
    "ATA_CMD_SET_MULTI"}, {0xc8, "ATA_CMD_READ"}, {0xca, "ATA_CMD_WRITE"},
    {0xcd, "ATA_CMD_CFA_WRITE_MULT_NE"}, {0xce, "ATA_CMD_WRITE_MULTI_FUA_EXT"}, {0xd1, "ATA_CMD_CHK_MED_CRD_TYP"},
    {0xde, "ATA_CMD_MEDIA_LOCK"}, {0xdf, "ATA_CMD_MEDIA_UNLOCK"}, {0xe0, "ATA_CMD_STANDBYNOW1"},
    {0xe1, "ATA_CMD_IDLEIMMEDIATE"}, {0xe2, "ATA_CMD_STANDBY"}, {0xe3, "ATA_CMD_IDLE"}, {0xe4, "ATA_CMD_PMP_READ"},
    {0xe5, "ATA_CMD_CHK_POWER"}, {0xe6, "ATA_CMD_SLEEP"},
    {0xe7, "ATA_CMD_FLUSH"}, {0xe8, "ATA_CMD_PMP_WRITE"}, {0xe9, "ATA_CMD_PMP_READ_DMA"}, {0xea, "ATA_CMD_FLUSH_EXT"},
    {0xeb, "ATA_CMD_PMP_WRITE_DMA"}, {0xec, "ATA_CMD_ID_ATA"},
    {0xef, "ATA_CMD_SET_FEATURES"}, {0xf1, "ATA_CMD_SEC_SET_PASS"}, {0xf2, "ATA_CMD_SEC_UNLOCK"}, {0xf3,
    "ATA_CMD_SEC_ERASE_PREP"}, {0xf4, "ATA_CMD_SEC_ERASE_UNIT"}, {0xf5, "ATA_CMD_SEC_FREEZE_LOCK"},
    {0xf6, "ATA_CMD_SEC_DISABLE_PASS"}, {0xf8, "ATA_CMD_READ_NATIVE_MAX"}, {0xf9, "ATA_CMD_SET_MAX"},
};
constexpr ConstantSet kAtaCommands = enumeration("ATA_CMD_???", kAtaNames);
constexpr Constant kNiceNames[] = {{0x1, "1<<IDE_NICE_DSC_OVERLAP"},
                                   {0x2, "1<<IDE_NICE_ATAPI_OVERLAP"},
                                   {0x8, "1<<IDE_NICE_1"},
                                   {0x4, "1<<IDE_NICE_0"},
                                   {0x10, "1<<IDE_NICE_2"}};
constexpr ConstantSet kNice = flag_set("IDE_NICE_???", kNiceNames);
constexpr Constant kBusNames[] = {{0, "BUSSTATE_OFF"}, {1, "BUSSTATE_ON"}, {2, "BUSSTATE_TRISTATE"}};
constexpr ConstantSet kBusStates = enumeration("BUSSTATE_???", kBusNames);
constexpr Type kNiceWord = named(kNice, Width::Long), kBusWord = named(kBusStates, Width::Long);

constexpr FieldType kGeometryFields[] = {field("heads", kU8), field("sectors", kU8), field("cylinders", kU16),
                                         field("start", kULong)};
constexpr StructLayout kGeometryLayout = {"hd_geometry", kGeometryFields};
static_assert(size_of(kGeometryLayout, Abi::X86_64) == sizeof(struct hd_geometry));

constexpr Type kPorts = array_of(kHex32, 3);

// struct hd_driveid, and the part that the obsolete command stores.
constexpr uint32_t kHdioIdentityBytes = 512, kOldIdentityBytes = 142;
constexpr Type kHdioIdentity = bytes(fixed(kHdioIdentityBytes)), kOldIdentity = bytes(fixed(kOldIdentityBytes));

/// struct hd_drive_cmd_hdr, which the answer and its sectors replace.
struct Command {
  uint8_t command, sector, feature, count;
};
constexpr uint64_t kSectorBytes = 512;
Value asked_sectors(Decoder& decoder, const Command& command) {
  FieldList fields;
  fields.add("command", Decoder::named(command.command, kAtaCommands, 1));
  fields.add("sector_number", Decoder::number(command.sector, Show::Unsigned, 1));
  fields.add("feature", Decoder::number(command.feature, Show::Unsigned, 1));
  return fields.add("sector_count", Decoder::number(command.count, Show::Unsigned, 1)).structure(decoder);
}
Value answered(Decoder& decoder, const Command& command, Addr sectors) {
  FieldList fields;
  fields.add("status", Decoder::number(command.command, Show::Hex, 1));
  fields.add("error", Decoder::number(command.sector, Show::Unsigned, 1));
  fields.add("nsector", Decoder::number(command.feature, Show::Unsigned, 1));
  if (command.count != 0) fields.add("buf", decoder.buffer(sectors, command.count * kSectorBytes, TextKind::Binary));
  return fields.structure(decoder);
}
Value decode_command(Decoder& decoder, uint64_t at, size_t) {
  Command command;
  if (!decoder.read(Addr{at}, command)) return decoder.missing(Addr{at});
  if (decoder.phase() == Phase::Enter) return asked_sectors(decoder, command);
  return answered(decoder, command, Addr{at} + sizeof command);
}
constexpr Type kCommand = custom(decode_command, sizeof(Command), Width::B1);

constexpr CommandRow kHdioRows[] = {
    ioctl_gets(0x301, kStructure<kGeometryLayout>),  // HDIO_GETGEO
    ioctl_gets(0x302, kULong, "unmaskintr"),                       // HDIO_GET_UNMASKINTR
    ioctl_gets(0x304, kULong, "multcount"),                       // HDIO_GET_MULTCOUNT
    ioctl_gets(0x307, kOldIdentity, "identity"),                 // HDIO_OBSOLETE_IDENTITY
    ioctl_gets(0x308, kULong, "keep_settings"),                       // HDIO_GET_KEEPSETTINGS
    ioctl_gets(0x309, kULong, "arg"),                       // HDIO_GET_32BIT
    ioctl_gets(0x30a, kULong, "arg"),                       // HDIO_GET_NOWERR
    ioctl_gets(0x30b, kULong, "arg"),                       // HDIO_GET_DMA
    ioctl_gets(0x30c, kNiceWord, "arg"),                    // HDIO_GET_NICE
    ioctl_gets(0x30d, kHdioIdentity, "identity"),                    // HDIO_GET_IDENTITY
    ioctl_gets(0x30e, kULong, "arg"),                       // HDIO_GET_WCACHE
    ioctl_gets(0x30f, kULong, "arg"),                       // HDIO_GET_ACOUSTIC
    ioctl_gets(0x310, kULong, "arg"),                       // HDIO_GET_ADDRESS
    ioctl_gets(0x31a, kBusWord, "arg"),                     // HDIO_GET_BUSSTATE
    ioctl_sets(0x31c, kPorts, "arg"),                       // HDIO_DRIVE_RESET
    ioctl_changes(0x31f, kCommand),                  // HDIO_DRIVE_CMD
    ioctl_takes(0x321, kULong, "multcount"),                      // HDIO_SET_MULTCOUNT
    ioctl_takes(0x322, kULong, "unmaskintr"),                      // HDIO_SET_UNMASKINTR
    ioctl_takes(0x323, kULong, "keep_settings"),                      // HDIO_SET_KEEPSETTINGS
    ioctl_takes(0x324, kULong, "arg"),                      // HDIO_SET_32BIT
    ioctl_takes(0x325, kULong, "arg"),                      // HDIO_SET_NOWERR
    ioctl_takes(0x326, kULong, "arg"),                      // HDIO_SET_DMA
    ioctl_takes(0x327, kULong, "arg"),                      // HDIO_SET_PIO_MODE
    ioctl_sets(0x328, kPorts, "arg"),                       // HDIO_SCAN_HWIF
    ioctl_takes(0x329, kNiceWord, "arg"),                   // HDIO_SET_NICE
    ioctl_takes(0x32a, kULong, "arg"),                      // HDIO_UNREGISTER_HWIF
    ioctl_takes(0x32b, kULong, "arg"),                      // HDIO_SET_WCACHE
    ioctl_takes(0x32c, kULong, "arg"),                      // HDIO_SET_ACOUSTIC
    ioctl_takes(0x32d, kBusWord, "arg"),                    // HDIO_SET_BUSSTATE
    ioctl_takes(0x32f, kULong, "arg"),                      // HDIO_SET_ADDRESS
};

}  // namespace

constinit const IoctlRows kHdioIoctls = {kHdioRows};

}  // namespace strut

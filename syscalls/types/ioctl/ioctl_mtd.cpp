#include "syscalls/types/ioctl/ioctl_mtd.hpp"

#include <mtd/mtd-abi.h>
#include <mtd/ubi-user.h>

#include "syscalls/conditions.hpp"
#include "syscalls/types/common/counted_text.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kFileModeNames[] = {
    {0, "MTD_FILE_MODE_NORMAL"},
    {1, "MTD_FILE_MODE_OTP_FACTORY"},
    {2, "MTD_FILE_MODE_OTP_USER"},
    {3, "MTD_FILE_MODE_RAW"},
};
constexpr Constant kMtdOperationNames[] = {{0, "MTD_OPS_PLACE_OOB"}, {1, "MTD_OPS_AUTO_OOB"}, {2, "MTD_OPS_RAW"}};
constexpr Constant kDurationNames[] = {{1, "UBI_LONGTERM"}, {2, "UBI_SHORTTERM"}, {3, "UBI_UNKNOWN"}};
constexpr Constant kVolumeNames[] = {{3, "UBI_DYNAMIC_VOLUME"}, {4, "UBI_STATIC_VOLUME"}};
constexpr Constant kVolumeFlagNames[] = {{1, "UBI_VOL_SKIP_CRC_CHECK_FLG"}};
constexpr Constant kMtdPropertyNames[] = {{1, "UBI_VOL_PROP_DIRECT_WRITE"}};
constinit const ConstantSet kFileModes = enumeration("MTD_FILE_MODE_???", kFileModeNames);
constinit const ConstantSet kOperations = enumeration("MTD_OPS_???", kMtdOperationNames);
constinit const ConstantSet kDurations = enumeration("UBI_???", kDurationNames);
constinit const ConstantSet kVolumes = enumeration("UBI_???_VOLUME", kVolumeNames);
constinit const ConstantSet kVolumeFlags = flag_set("UBI_VOL_???", kVolumeFlagNames);
constinit const ConstantSet kMtdProperties = enumeration("UBI_VOL_PROP_???", kMtdPropertyNames);

// -- flash memory -------------------------------------------------------------------------------------------

constexpr FieldType kOobFields[] = {field("start", kHex32), field("length", kHex32), field("ptr", kAddress)};
constexpr StructLayout kOob = {"mtd_oob_buf", kOobFields};
constexpr FieldType kOob64Fields[] = {
    field("start", kHex64), padding(kUInt), field("length", kHex32), field("usr_ptr", kWideAddress),
};
constexpr StructLayout kOob64 = {"mtd_oob_buf64", kOob64Fields};
constexpr FieldType kMtdRegionFields[] = {
    at(12, field("regionindex", kHex32)),
    at(0, answer(field("offset", kHex32))),
    at(4, answer(field("erasesize", kHex32))),
    at(8, answer(field("numblocks", kHex32))),
};
constexpr StructLayout kMtdRegion = {"region_info_user", kMtdRegionFields};
constexpr FieldType kWriteFields[] = {
    field("start", kHex64), field("len", kHex64), field("ooblen", kHex64), field("usr_data", kWideAddress),
    field("usr_oob", kWideAddress), field("mode", named(kOperations, Width::B1)), padding_bytes(7),
};
constexpr StructLayout kWrite = {"mtd_write_req", kWriteFields};
static_assert(size_of(kOob, Abi::X86_64) == sizeof(mtd_oob_buf) &&
              size_of(kMtdRegion, Abi::X86_64) == sizeof(region_info_user));
static_assert(size_of(kWrite, Abi::X86_64) == sizeof(mtd_write_req));

// -- what a chip is, and its bad and locked blocks ----------------------------------------------------------
constexpr Constant kChipNames[] = {
    {0, "MTD_ABSENT"},    {1, "MTD_RAM"},       {2, "MTD_ROM"},       {3, "MTD_NORFLASH"},
    {4, "MTD_NANDFLASH"}, {6, "MTD_DATAFLASH"}, {7, "MTD_UBIVOLUME"}, {8, "MTD_MLCNANDFLASH"},
};
constexpr Constant kChipFlagNames[] = {
    {0x400, "MTD_WRITEABLE"},     {0x800, "MTD_BIT_WRITEABLE"},         {0x1000, "MTD_NO_ERASE"},
    {0x2000, "MTD_POWERUP_LOCK"}, {0x4000, "MTD_SLC_ON_MLC_EMULATION"},
};
constexpr Constant kOnceNames[] = {{0, "MTD_OTP_OFF"}, {1, "MTD_OTP_FACTORY"}, {2, "MTD_OTP_USER"}};
constexpr Constant kCodeNames[] = {
    {0, "MTD_NANDECC_OFF"},       {1, "MTD_NANDECC_PLACE"},       {2, "MTD_NANDECC_AUTOPLACE"},
    {3, "MTD_NANDECC_PLACEONLY"}, {4, "MTD_NANDECC_AUTOPL_USR"},
};
constinit const ConstantSet kChips = enumeration("MTD_???", kChipNames);
constinit const ConstantSet kChipFlags = flag_set("MTD_???", kChipFlagNames);
constinit const ConstantSet kOnceModes = enumeration("MTD_OTP_???", kOnceNames);
constinit const ConstantSet kCodes = enumeration("MTD_NANDECC_???", kCodeNames);
constexpr FieldType kMtdChipFields[] = {
    field("type", named(kChips, Width::B1)), field("flags", kWord<kChipFlags>), field("size", kHex32),
    field("erasesize", kHex32),              field("writesize", kHex32),        field("oobsize", kHex32),
    field("padding", kHex64),
};
constexpr StructLayout kMtdChip = {"mtd_info_user", kMtdChipFields};
constexpr FieldType kEraseFields[] = {field("start", kHex32), field("length", kHex32)};
constexpr StructLayout kErase = {"erase_info_user", kEraseFields};
constexpr FieldType kErase64Fields[] = {field("start", kHex64), field("length", kHex64)};
constexpr StructLayout kErase64 = {"erase_info_user64", kErase64Fields};
constexpr FieldType kOnceFields[] = {field("start", kHex32), field("length", kHex32), field("locked", kUInt)};
constexpr StructLayout kOnce = {"otp_info", kOnceFields};
constexpr FieldType kStatsFields[] = {
    field("corrected", kHex32), field("failed", kHex32), field("badblocks", kHex32), field("bbtblocks", kHex32)};
constexpr StructLayout kStats = {"mtd_ecc_stats", kStatsFields};
constexpr FieldType kFreeFields[] = {field("offset", kHex32), field("length", kHex32)};
constexpr StructLayout kFreeLayout = {"nand_oobfree", kFreeFields};
constexpr Type kFree = structure(kFreeLayout), kFreePair = array_of(kHex32, 2);
constexpr FieldType kPlacesFields[] = {
    field("eccbytes", kHex32), field("eccpos", array_of(kHex32, MTD_MAX_ECCPOS_ENTRIES)), field("oobavail", kHex32),
    field("oobfree", array_of(kFree, MTD_MAX_OOBFREE_ENTRIES)),
};
constexpr StructLayout kPlaces = {"nand_ecclayout_user", kPlacesFields};
constexpr FieldType kSelectedFields[] = {
    field("useecc", kWord<kCodes>), field("eccbytes", kHex32), field("oobfree", array_of(kFreePair, 8)),
    field("eccpos", array_of(kHex32, 32)),
};
constexpr StructLayout kSelected = {"nand_oobinfo", kSelectedFields};
static_assert(size_of(kMtdChip, Abi::X86_64) == sizeof(mtd_info_user) &&
              size_of(kPlaces, Abi::X86_64) == sizeof(nand_ecclayout_user) &&
              size_of(kSelected, Abi::X86_64) == sizeof(nand_oobinfo));

// -- volumes ------------------------------------------------------------------------------------------------

/// A volume's name.
constexpr CountedText name_shape(uint8_t length_in_front) {
  return {UBI_MAX_VOLUME_NAME + 1, length_in_front, Width::B2, true, TextKind::Path};
}
constexpr CountedText kMakeName = name_shape(6), kEntryName = name_shape(4);

constexpr FieldType kMakeFields[] = {
    field("vol_id", kInt),
    field("alignment", kInt),
    field("bytes", kS64),
    field("vol_type", named(kVolumes, Width::B1)),
    field("flags", named(kVolumeFlags, Width::B1)),
    field("name_len", kS16),
    padding_bytes(4),
    field("name", kCountedText<kMakeName>),
};
constexpr StructLayout kMakeLayout = {.name = "ubi_mkvol_req", .fields = kMakeFields, .packed = true};
constexpr FieldType kAttachFields[] = {
    field("ubi_num", kInt), field("mtd_num", kInt), field("vid_hdr_offset", kInt), field("max_beb_per1024", kS16),
    field("disable_fm", kS8), field("need_resv_pool", kS8), padding_bytes(8),
};
constexpr StructLayout kAttachLayout = {"ubi_attach_req", kAttachFields};
constexpr FieldType kResizeFields[] = {field("bytes", kS64), field("vol_id", kInt)};
constexpr StructLayout kResize = {.name = "ubi_rsvol_req", .fields = kResizeFields, .packed = true};
constexpr FieldType kMtdEntryFields[] = {
    field("vol_id", kInt), field("name_len", kS16), padding_bytes(2), field("name", kCountedText<kEntryName>),
};
constexpr StructLayout kMtdEntryLayout = {"ubi_rnvol_req entry", kMtdEntryFields};
constexpr Type kMtdEntry = structure(kMtdEntryLayout);
constexpr FieldType kChangeFields[] = {
    field("lnum", kInt), field("bytes", kInt), field("dtype", named(kDurations, Width::B1)), padding_bytes(7),
};
constexpr StructLayout kChange = {.name = "ubi_leb_change_req", .fields = kChangeFields, .packed = true};
constexpr FieldType kMtdMapFields[] = {field("lnum", kInt), field("dtype", named(kDurations, Width::B1)),
                                    padding_bytes(3)};
constexpr StructLayout kMtdMap = {.name = "ubi_map_req", .fields = kMtdMapFields, .packed = true};
constexpr FieldType kPropertyFields[] = {
    field("property", named(kMtdProperties, Width::B1)), padding_bytes(7), field("value", kHex64),
};
constexpr StructLayout kProperty = {.name = "ubi_set_vol_prop_req", .fields = kPropertyFields, .packed = true};
static_assert(size_of(kMakeLayout, Abi::X86_64) == sizeof(ubi_mkvol_req) &&
              size_of(kResize, Abi::X86_64) == sizeof(ubi_rsvol_req));
static_assert(size_of(kAttachLayout, Abi::X86_64) == sizeof(ubi_attach_req));

/// A request, and once it succeeded the number that its first member became.
constexpr Type kNumber = whole(array_of(kInt, 1));
constexpr Type kMake = kEither<at_entry, kStructure<kMakeLayout>, kNumber>;
constexpr Type kAttach = kEither<at_entry, kStructure<kAttachLayout>, kNumber>;

constexpr FieldType kRenamesFields[] = {
    field("count", kInt), padding_bytes(12), field("ents", counted(kMtdEntry, by_field_in(0, UBI_MAX_RNVOL))),
};
constexpr StructLayout kRenamesLayout = {"ubi_rnvol_req", kRenamesFields};
constexpr Type kRenames = structure(kRenamesLayout);
static_assert(size_of(kRenamesLayout, Abi::X86_64) == sizeof(ubi_rnvol_req));

constexpr CommandRow kMtdRows[] = {
    ioctl_takes(0x4d13, named(kFileModes, Width::Long)),  // MTDFILEMODE
    ioctl_bare(0x4f08),                            // UBI_IOCVOLRMBLK
    ioctl_gets(0x40044d0e, kUInt),                 // OTPGETREGIONCOUNT
    ioctl_sets(0x40044f01, kInt),                  // UBI_IOCEBER
    ioctl_sets(0x40044f02, kStructure<kChange>),   // UBI_IOCEBCH
    ioctl_sets(0x40044f04, kInt),                  // UBI_IOCEBUNMAP
    ioctl_sets(0x40046f01, kInt),                  // UBI_IOCRMVOL
    ioctl_sets(0x40046f04, kInt),                  // UBI_IOCRPEB
    ioctl_sets(0x40046f05, kInt),                  // UBI_IOCSPEB
    ioctl_sets(0x40046f41, kInt),                  // UBI_IOCDET
    ioctl_sets(0x40084d02, kStructure<kErase>),    // MEMERASE
    ioctl_sets(0x40084d05, kStructure<kErase>),    // MEMLOCK
    ioctl_sets(0x40084d06, kStructure<kErase>),    // MEMUNLOCK
    ioctl_sets(0x40084d0b, kU64),                  // MEMGETBADBLOCK
    ioctl_sets(0x40084d0c, kU64),                  // MEMSETBADBLOCK
    ioctl_sets(0x40084f00, kS64),                  // UBI_IOCVOLUP
    ioctl_sets(0x40084f03, kStructure<kMtdMap>),      // UBI_IOCEBMAP
    ioctl_gets(0x400c4d0f, kStructure<kOnce>),     // OTPGETREGIONINFO
    ioctl_sets(0x400c6f02, kStructure<kResize>),   // UBI_IOCRSVOL
    ioctl_sets(0x40104d14, kStructure<kErase64>),  // MEMERASE64
    ioctl_sets(0x40104f06, kStructure<kProperty>), // UBI_IOCSETVOLPROP
    ioctl_changes(0x40186f40, kAttach),            // UBI_IOCATT
    ioctl_bare(0x40804f07),                        // UBI_IOCVOLCRBLK
    ioctl_changes(0x40986f00, kMake),              // UBI_IOCMKVOL
    ioctl_sets(0x51106f03, kRenames),              // UBI_IOCRNVOL
    ioctl_gets(0x80044d07, kInt),                  // MEMGETREGIONCOUNT
    ioctl_sets(0x80044d0d, kWord<kOnceModes>),     // OTPSELECT
    ioctl_sets(0x80044f05, kInt),                  // UBI_IOCEBISMAP
    ioctl_sets(0x80084d17, kStructure<kErase>),    // MEMISLOCKED
    ioctl_sets(0x800c4d10, kStructure<kOnce>),     // OTPLOCK
    ioctl_gets(0x80104d12, kStructure<kStats>),    // ECCGETSTATS
    ioctl_gets(0x80204d01, kStructure<kMtdChip>),     // MEMGETINFO
    ioctl_gets(0x80c84d0a, kStructure<kSelected>), // MEMGETOOBSEL
    ioctl_gets(0x81484d11, kStructure<kPlaces>),   // ECCGETLAYOUT
    ioctl_sets(0xc00c4d03, kStructure<kOob>),      // MEMWRITEOOB of 32-bit programs
    ioctl_sets(0xc00c4d04, kStructure<kOob>),      // MEMREADOOB of 32-bit programs
    ioctl_sets(0xc0104d03, kStructure<kOob>),      // MEMWRITEOOB
    ioctl_sets(0xc0104d04, kStructure<kOob>),      // MEMREADOOB
    ioctl_asks(0xc0104d08, kStructure<kMtdRegion>),   // MEMGETREGIONINFO
    ioctl_sets(0xc0184d15, kStructure<kOob64>),    // MEMWRITEOOB64
    ioctl_sets(0xc0184d16, kStructure<kOob64>),    // MEMREADOOB64
    ioctl_sets(0xc0304d18, kStructure<kWrite>),    // MEMWRITE
};

}  // namespace

constinit const IoctlRows kMtdIoctls = {kMtdRows};

}  // namespace strut

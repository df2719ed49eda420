#include "syscalls/types/fs/stat.hpp"

#include <asm/stat.h>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// st_mode's format, <linux/stat.h>
constexpr uint64_t kFormat = 0170000, kCharacter = 0020000, kBlock = 0060000;
constexpr bool is_device(uint64_t mode) { return (mode & kFormat) == kCharacter || (mode & kFormat) == kBlock; }

// Time stamps, with nanoseconds behind them but for struct __old_kernel_stat.
constexpr Type kStamp64 = dated(kS64, Dated::SecondsOfPair), kStamp32 = dated(kInt, Dated::SecondsOfPair);
constexpr Type kOldStamp = dated(kInt);

/// Fields that a kernel as old as the structure did not provide: shown as none.
constexpr Type kZero = bit_field<0, 0>();

constexpr Type kFileMode32 = number(Width::B4, Show::FileMode);
constexpr Type kFileMode16 = number(Width::B2, Show::FileMode);
constexpr Type kDevice64 = number(Width::B8, Show::Device);
constexpr Type kDevice16 = number(Width::B2, Show::Device);

/// True if the st_mode at this offset is a device's: then it has a number, else a size.
template <int kOffset, Width kWidth>
bool of_device(Decoder& decoder, Addr at) {
  return is_device(decoder.read_number(at + kOffset, kWidth).value_or(0));
}
template <int kOffset, Width kWidth>
bool of_no_device(Decoder& decoder, Addr at) {
  return !of_device<kOffset, kWidth>(decoder, at);
}

// Fields stand in the order in which they are shown, at the offsets that they have in memory.
constexpr FieldType kStatX64Fields[] = {
    at(0, detail("st_dev", kDevice64)),
    at(8, detail("st_ino", kU64)),
    at(24, field("st_mode", kFileMode32)),
    at(16, detail("st_nlink", kU64)),
    at(28, detail("st_uid", kUInt)),
    at(32, detail("st_gid", kUInt)),
    at(56, detail("st_blksize", kU64)),
    at(64, detail("st_blocks", kU64)),
    at(40, field("st_rdev", kDevice64, of_device<24, Width::B4>)),
    at(48, field("st_size", kU64, of_no_device<24, Width::B4>)),
    at(72, detail("st_atime", kStamp64)),
    at(80, detail("st_atime_nsec", kU64)),
    at(88, detail("st_mtime", kStamp64)),
    at(96, detail("st_mtime_nsec", kU64)),
    at(104, detail("st_ctime", kStamp64)),
    at(112, detail("st_ctime_nsec", kU64)),
    at(120, padding_bytes(24)),
};
constexpr FieldType kStatI386Fields[] = {
    at(0, detail("st_dev", kDevice32)),
    at(4, detail("st_ino", kUInt)),
    at(8, field("st_mode", kFileMode16)),
    at(10, detail("st_nlink", kU16)),
    at(12, detail("st_uid", kU16)),
    at(14, detail("st_gid", kU16)),
    at(24, detail("st_blksize", kUInt)),
    at(28, detail("st_blocks", kUInt)),
    at(16, field("st_rdev", kDevice32, of_device<8, Width::B2>)),
    at(20, field("st_size", kUInt, of_no_device<8, Width::B2>)),
    at(32, detail("st_atime", kStamp32)),
    at(36, detail("st_atime_nsec", kUInt)),
    at(40, detail("st_mtime", kStamp32)),
    at(44, detail("st_mtime_nsec", kUInt)),
    at(48, detail("st_ctime", kStamp32)),
    at(52, detail("st_ctime_nsec", kUInt)),
    at(56, padding_bytes(8)),
};
constexpr StructLayout kStatLayout = {"stat", kStatX64Fields, false, kStatI386Fields, std::size(kStatI386Fields)};
static_assert(size_of(kStatLayout, Abi::X86_64) == sizeof(struct stat));
static_assert(size_of(kStatLayout, Abi::X32) == sizeof(struct stat));
static_assert(size_of(kStatLayout, Abi::I386) == 64);

constexpr FieldType kStat64Fields[] = {
    at(0, detail("st_dev", kDevice64)),
    at(88, detail("st_ino", kU64)),
    at(16, field("st_mode", kFileMode32)),
    at(20, detail("st_nlink", kUInt)),
    at(24, detail("st_uid", kUInt)),
    at(28, detail("st_gid", kUInt)),
    at(52, detail("st_blksize", kUInt)),
    at(56, detail("st_blocks", kU64)),
    at(32, field("st_rdev", kDevice64, of_device<16, Width::B4>)),
    at(44, field("st_size", kU64, of_no_device<16, Width::B4>)),
    at(64, detail("st_atime", kStamp32)),
    at(68, detail("st_atime_nsec", kUInt)),
    at(72, detail("st_mtime", kStamp32)),
    at(76, detail("st_mtime_nsec", kUInt)),
    at(80, detail("st_ctime", kStamp32)),
    at(84, detail("st_ctime_nsec", kUInt)),
};
constexpr StructLayout kStat64Layout = {"stat64", kStat64Fields};
static_assert(size_of(kStat64Layout, Abi::I386) == 96);

constexpr FieldType kOldStatFields[] = {
    at(0, detail("st_dev", kDevice16)),
    at(2, detail("st_ino", kU16)),
    at(4, field("st_mode", kFileMode16)),
    at(6, detail("st_nlink", kU16)),
    at(8, detail("st_uid", kU16)),
    at(10, detail("st_gid", kU16)),
    at(0, detail("st_blksize", kZero)),
    at(0, detail("st_blocks", kZero)),
    at(12, field("st_rdev", kDevice16, of_device<4, Width::B2>)),
    at(16, field("st_size", kUInt, of_no_device<4, Width::B2>)),
    at(20, detail("st_atime", kOldStamp)),
    at(24, detail("st_mtime", kOldStamp)),
    at(28, detail("st_ctime", kOldStamp)),
};
constexpr StructLayout kOldStatLayout = {"__old_kernel_stat", kOldStatFields};
static_assert(size_of(kOldStatLayout, Abi::I386) == 32);

}  // namespace

constinit const Type kStatBuf = structure(kStatLayout);
constinit const Type kStat64Buf = structure(kStat64Layout);
constinit const Type kOldStatBuf = structure(kOldStatLayout);

}  // namespace strut

#include "syscalls/types/fs/file_attr.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kExtraFlagNames[] = {
    {0x1, "FS_XFLAG_REALTIME"},       {0x2, "FS_XFLAG_PREALLOC"},     {0x8, "FS_XFLAG_IMMUTABLE"},
    {0x10, "FS_XFLAG_APPEND"},        {0x20, "FS_XFLAG_SYNC"},        {0x40, "FS_XFLAG_NOATIME"},
    {0x80, "FS_XFLAG_NODUMP"},        {0x100, "FS_XFLAG_RTINHERIT"},  {0x200, "FS_XFLAG_PROJINHERIT"},
    {0x400, "FS_XFLAG_NOSYMLINKS"},   {0x800, "FS_XFLAG_EXTSIZE"},    {0x1000, "FS_XFLAG_EXTSZINHERIT"},
    {0x2000, "FS_XFLAG_NODEFRAG"},    {0x4000, "FS_XFLAG_FILESTREAM"}, {0x8000, "FS_XFLAG_DAX"},
    {0x10000, "FS_XFLAG_COWEXTSIZE"}, {0x20000, "FS_XFLAG_VERITY"},   {0x80000000, "FS_XFLAG_HASATTR"},
    {0x40000, "FS_XFLAG_CASEFOLD"},   {0x80000, "FS_XFLAG_CASENONPRESERVING"},
};

#define ATTR_FIELDS(nextents)                                                                     \
  field("fa_xflags", named(kExtraFlags, Width::B8)), field("fa_extsize", kUInt), nextents,        \
      field("fa_projid", kHex32), field("fa_cowextsize", kUInt)
constexpr FieldType kGotFields[] = {ATTR_FIELDS(field("fa_nextents", kUInt))};
constexpr FieldType kFileAttrSetFields[] = {ATTR_FIELDS(padding(kUInt))};
constexpr StructLayout kGotLayout = {"file_attr", kGotFields}, kFileAttrSetLayout = {"file_attr", kFileAttrSetFields};
static_assert(size_of(kGotLayout, Abi::I386) == 24);

constexpr uint32_t kFirstSize = 24;      // FILE_ATTR_SIZE_VER0
constexpr uint32_t kLargestSize = 4096;  // the kernel takes no more than a page

}  // namespace

constinit const ConstantSet kExtraFlags = flag_set("FS_XFLAG_???", kExtraFlagNames);
constinit const Type kFileAttrGot = extensible(kGotLayout, by_arg(3), kFirstSize, kLargestSize);
constinit const Type kFileAttrSet = extensible(kFileAttrSetLayout, by_arg(3), kFirstSize, kLargestSize);

}  // namespace strut

#include "syscalls/types/fs/open_flags.hpp"

#include <linux/openat2.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// In the order in which they are shown. O_SYNC and O_TMPFILE stand before the bits they are made of.
#define STATUS_FLAGS                                                                                              \
  {0x40, "O_CREAT"}, {0x80, "O_EXCL"}, {0x100, "O_NOCTTY"}, {0x200, "O_TRUNC"}, {0x400, "O_APPEND"},               \
      {0x800, "O_NONBLOCK"}, {0x101000, "O_SYNC"}, {0x1000, "O_DSYNC"}, {0x100000, "__O_SYNC"},                    \
      {0x4000, "O_DIRECT"}, {0x8000, "O_LARGEFILE"}, {0x20000, "O_NOFOLLOW"}, {0x40000, "O_NOATIME"},              \
      {0x80000, "O_CLOEXEC"}, {0x200000, "O_PATH"}, {0x410000, "O_TMPFILE"}, {0x10000, "O_DIRECTORY"},             \
      {0x400000, "__O_TMPFILE"}, {0x4000000, "O_EMPTYPATH"}, {0x2000, "FASYNC"}
#define ACCESS_MODES {0, "O_RDONLY", 3}, {1, "O_WRONLY", 3}, {2, "O_RDWR", 3}, {3, "O_ACCMODE", 3}

constexpr Constant kOpenNames[] = {ACCESS_MODES, STATUS_FLAGS};
constexpr Constant kStatusNames[] = {STATUS_FLAGS};
constexpr Constant kOpen2Names[] = {ACCESS_MODES, STATUS_FLAGS, {0x100000000, "OPENAT2_REGULAR"}};
constexpr Constant kCloseOnExecNames[] = {{0x80000, "O_CLOEXEC"}};

// <linux/openat2.h>
constexpr Constant kResolveNames[] = {
    {0x01, "RESOLVE_NO_XDEV"}, {0x02, "RESOLVE_NO_MAGICLINKS"}, {0x04, "RESOLVE_NO_SYMLINKS"},
    {0x08, "RESOLVE_BENEATH"}, {0x10, "RESOLVE_IN_ROOT"},       {0x20, "RESOLVE_CACHED"},
};

constexpr ConstantSet kOpen2Flags = flag_set(nullptr, kOpen2Names);
constexpr ConstantSet kResolveFlags = flag_set("RESOLVE_???", kResolveNames);

/// The mode is shown where it counts, and where it is set although it does not.
bool open_how_has_mode(Decoder& decoder, Addr how) {
  constexpr uint64_t kCreatOrTmpFile = 0x40 | 0x400000;
  return word_has<0, kCreatOrTmpFile, Width::B8>(decoder, how) || not_zero<8, 8>(decoder, how);
}

constexpr FieldType kOpenHowFields[] = {
    field("flags", named(kOpen2Flags, Width::B8)),
    field("mode", number(Width::B8, Show::Permissions), open_how_has_mode),
    field("resolve", named(kResolveFlags, Width::B8)),
};
constexpr StructLayout kOpenHowLayout = {"open_how", kOpenHowFields};
static_assert(size_of(kOpenHowLayout, Abi::X86_64) == sizeof(struct open_how));

}  // namespace

constinit const ConstantSet kOpenFlags = flag_set(nullptr, kOpenNames);
constinit const ConstantSet kStatusFlags = flag_set("O_???", kStatusNames);
constinit const Type kOpenHow = extensible(kOpenHowLayout, by_arg(3), 24);  // OPEN_HOW_SIZE_VER0
constinit const ConstantSet kCloseOnExec = flag_set(nullptr, kCloseOnExecNames);

}  // namespace strut

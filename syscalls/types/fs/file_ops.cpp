#include "syscalls/types/fs/file_ops.hpp"

#include <algorithm>
#include <cstring>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

constexpr Constant kWhenceNames[] = {
    {0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}, {3, "SEEK_DATA"}, {4, "SEEK_HOLE"}};

constexpr Constant kFileAdviceNames[] = {
    {0, "POSIX_FADV_NORMAL"},   {1, "POSIX_FADV_RANDOM"},   {2, "POSIX_FADV_SEQUENTIAL"},
    {3, "POSIX_FADV_WILLNEED"}, {4, "POSIX_FADV_DONTNEED"}, {5, "POSIX_FADV_NOREUSE"}};

constexpr Constant kAllocateNames[] = {
    {0x01, "FALLOC_FL_KEEP_SIZE"},      {0x02, "FALLOC_FL_PUNCH_HOLE"},   {0x04, "FALLOC_FL_NO_HIDE_STALE"},
    {0x08, "FALLOC_FL_COLLAPSE_RANGE"}, {0x10, "FALLOC_FL_ZERO_RANGE"},   {0x20, "FALLOC_FL_INSERT_RANGE"},
    {0x40, "FALLOC_FL_UNSHARE_RANGE"},  {0x80, "FALLOC_FL_WRITE_ZEROES"},
};

constexpr Constant kSyncRangeNames[] = {
    {1, "SYNC_FILE_RANGE_WAIT_BEFORE"}, {2, "SYNC_FILE_RANGE_WRITE"}, {4, "SYNC_FILE_RANGE_WAIT_AFTER"}};

constexpr Constant kRenameNames[] = {{1, "RENAME_NOREPLACE"}, {2, "RENAME_EXCHANGE"}, {4, "RENAME_WHITEOUT"}};

constexpr Constant kFlockNames[] = {
    {0x01, "LOCK_SH"},   {0x02, "LOCK_EX"}, {0x04, "LOCK_NB"},   {0x08, "LOCK_UN"},
    {0x20, "LOCK_MAND"}, {0xc0, "LOCK_RW"}, {0x40, "LOCK_READ"}, {0x80, "LOCK_WRITE"},
};

constexpr Constant kCloseRangeNames[] = {{2, "CLOSE_RANGE_UNSHARE"}, {4, "CLOSE_RANGE_CLOEXEC"}};

constexpr Constant kReadWriteNames[] = {
    {0x01, "RWF_HIPRI"},    {0x02, "RWF_DSYNC"},     {0x04, "RWF_SYNC"},
    {0x08, "RWF_NOWAIT"},   {0x10, "RWF_APPEND"},    {0x20, "RWF_NOAPPEND"},
    {0x40, "RWF_ATOMIC"},   {0x80, "RWF_DONTCACHE"}, {0x100, "RWF_NOSIGNAL"},
};

constexpr Constant kSpliceNames[] = {
    {1, "SPLICE_F_MOVE"}, {2, "SPLICE_F_NONBLOCK"}, {4, "SPLICE_F_MORE"}, {8, "SPLICE_F_GIFT"}};

}  // namespace

constinit const ConstantSet kWhence = enumeration("SEEK_???", kWhenceNames);
constinit const ConstantSet kFileAdvice = enumeration("POSIX_FADV_???", kFileAdviceNames);
constinit const ConstantSet kAllocateModes = flag_set("FALLOC_FL_???", kAllocateNames);
constinit const ConstantSet kSyncRangeFlags = flag_set("SYNC_FILE_RANGE_???", kSyncRangeNames);
constinit const ConstantSet kRenameFlags = flag_set("RENAME_???", kRenameNames);
constinit const ConstantSet kFlockOperations = flag_set("LOCK_???", kFlockNames);
constinit const ConstantSet kCloseRangeFlags = flag_set("CLOSE_RANGE_???", kCloseRangeNames);
constinit const ConstantSet kReadWriteFlags = flag_set("RWF_???", kReadWriteNames);
constinit const ConstantSet kSpliceFlags = flag_set("SPLICE_F_???", kSpliceNames);

// Without a NUL where the result says there is one, the path is cut.
Value decode_cwd(Decoder& decoder, uint64_t at, size_t) {
  constexpr uint64_t kPathMax = 4096;
  if (!decoder.reaches(Addr{at})) return Decoder::address(at);
  uint64_t result = static_cast<uint64_t>(decoder.call().result);
  size_t length = std::clamp<uint64_t>(result, 1, kPathMax) - 1;
  std::span<char> path = decoder.arena().array<char>(length + 1);
  std::span<char> stored = result != 0 ? path : path.first(0);
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(stored))) return decoder.c_string(Addr{at}, TextKind::Path);
  bool ends = !stored.empty() && stored.back() == '\0';
  size_t shown = strnlen(path.data(), length);
  return {Text{{path.data(), shown}, TextKind::Path, !ends && shown == length, false}, {}};
}

}  // namespace strut

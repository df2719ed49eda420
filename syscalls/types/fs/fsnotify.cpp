#include "syscalls/types/fs/fsnotify.hpp"

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kInotifyInitNames[] = {{0x800, "IN_NONBLOCK"}, {0x80000, "IN_CLOEXEC"}};
constexpr Constant kInotifyNames[] = {
    {0x1, "IN_ACCESS"},             {0x2, "IN_MODIFY"},           {0x4, "IN_ATTRIB"},
    {0x8, "IN_CLOSE_WRITE"},        {0x10, "IN_CLOSE_NOWRITE"},   {0x20, "IN_OPEN"},
    {0x40, "IN_MOVED_FROM"},        {0x80, "IN_MOVED_TO"},        {0x100, "IN_CREATE"},
    {0x200, "IN_DELETE"},           {0x400, "IN_DELETE_SELF"},    {0x800, "IN_MOVE_SELF"},
    {0x2000, "IN_UNMOUNT"},         {0x4000, "IN_Q_OVERFLOW"},    {0x8000, "IN_IGNORED"},
    {0x1000000, "IN_ONLYDIR"},      {0x2000000, "IN_DONT_FOLLOW"}, {0x4000000, "IN_EXCL_UNLINK"},
    {0x10000000, "IN_MASK_CREATE"}, {0x20000000, "IN_MASK_ADD"},  {0x40000000, "IN_ISDIR"},
    {0x80000000, "IN_ONESHOT"},
};

constexpr uint64_t kClassMask = 0xc;  // FAN_ALL_CLASS_BITS
constexpr Constant kClassNames[] = {
    {0, "FAN_CLASS_NOTIF"}, {4, "FAN_CLASS_CONTENT"}, {8, "FAN_CLASS_PRE_CONTENT"}};
constexpr ConstantSet kClasses = enumeration("FAN_CLASS_???", kClassNames);
constexpr Constant kInitNames[] = {
    {0x1, "FAN_CLOEXEC"},           {0x2, "FAN_NONBLOCK"},           {0x10, "FAN_UNLIMITED_QUEUE"},
    {0x20, "FAN_UNLIMITED_MARKS"},  {0x40, "FAN_ENABLE_AUDIT"},      {0x80, "FAN_REPORT_PIDFD"},
    {0x100, "FAN_REPORT_TID"},      {0x200, "FAN_REPORT_FID"},       {0x400, "FAN_REPORT_DIR_FID"},
    {0x800, "FAN_REPORT_NAME"},     {0x1000, "FAN_REPORT_TARGET_FID"}, {0x2000, "FAN_REPORT_FD_ERROR"},
    {0x4000, "FAN_REPORT_MNT"},
};
constexpr ConstantSet kInitFlags = flag_set("FAN_???", kInitNames);
constexpr Type kClass = named(kClasses), kInitFlag = named(kInitFlags);
constexpr WordPart kInitParts[] = {part(kClassMask, kClass), part_if_any(~kClassMask, kInitFlag)};
constexpr Constant kNoFdNames[] = {{~0ull, "FAN_NOFD"}};

constexpr Constant kMarkNames[] = {
    {0x1, "FAN_MARK_ADD"},           {0x2, "FAN_MARK_REMOVE"},      {0x80, "FAN_MARK_FLUSH"},
    {0x4, "FAN_MARK_DONT_FOLLOW"},   {0x8, "FAN_MARK_ONLYDIR"},     {0x110, "FAN_MARK_MNTNS"},
    {0x10, "FAN_MARK_MOUNT"},        {0x100, "FAN_MARK_FILESYSTEM"}, {0x20, "FAN_MARK_IGNORED_MASK"},
    {0x40, "FAN_MARK_IGNORED_SURV_MODIFY"}, {0x400, "FAN_MARK_IGNORE"}, {0x200, "FAN_MARK_EVICTABLE"},
};
constexpr Constant kEventNames[] = {
    {0x1, "FAN_ACCESS"},              {0x2, "FAN_MODIFY"},          {0x4, "FAN_ATTRIB"},
    {0x8, "FAN_CLOSE_WRITE"},         {0x10, "FAN_CLOSE_NOWRITE"},  {0x20, "FAN_OPEN"},
    {0x40, "FAN_MOVED_FROM"},         {0x80, "FAN_MOVED_TO"},       {0x100, "FAN_CREATE"},
    {0x200, "FAN_DELETE"},            {0x400, "FAN_DELETE_SELF"},   {0x800, "FAN_MOVE_SELF"},
    {0x1000, "FAN_OPEN_EXEC"},        {0x4000, "FAN_Q_OVERFLOW"},   {0x8000, "FAN_FS_ERROR"},
    {0x10000, "FAN_OPEN_PERM"},       {0x20000, "FAN_ACCESS_PERM"}, {0x40000, "FAN_OPEN_EXEC_PERM"},
    {0x80000, "FAN_DIR_MODIFY"},      {0x100000, "FAN_PRE_ACCESS"}, {0x1000000, "FAN_MNT_ATTACH"},
    {0x2000000, "FAN_MNT_DETACH"},    {0x8000000, "FAN_EVENT_ON_CHILD"}, {0x10000000, "FAN_RENAME"},
    {0x40000000, "FAN_ONDIR"},
};

}  // namespace

constinit const ConstantSet kInotifyInitFlags = flag_set("IN_???", kInotifyInitNames);
constinit const ConstantSet kInotifyMask = flag_set("IN_???", kInotifyNames);
constinit const ConstantSet kFanotifyMarkFlags = flag_set("FAN_MARK_???", kMarkNames);
constinit const ConstantSet kFanotifyMask = flag_set("FAN_???", kEventNames);

constinit const WordLayout kFanotifyInitWord = {.parts = kInitParts};
constinit const ConstantSet kFanotifyNoFds = enumeration(nullptr, kNoFdNames, NumberBase::Decimal);

}  // namespace strut

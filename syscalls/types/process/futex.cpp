#include "syscalls/types/process/futex.hpp"

#include <array>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/futex.h>.
constexpr uint64_t kPrivate = 0x80, kRealtime = 0x100;
constexpr Constant kOpNames[] = {
    {0, "FUTEX_WAIT"}, {1, "FUTEX_WAKE"}, {2, "FUTEX_FD"}, {3, "FUTEX_REQUEUE"}, {4, "FUTEX_CMP_REQUEUE"},
    {5, "FUTEX_WAKE_OP"}, {6, "FUTEX_LOCK_PI"}, {7, "FUTEX_UNLOCK_PI"}, {8, "FUTEX_TRYLOCK_PI"},
    {9, "FUTEX_WAIT_BITSET"}, {10, "FUTEX_WAKE_BITSET"}, {11, "FUTEX_WAIT_REQUEUE_PI"}, {12, "FUTEX_CMP_REQUEUE_PI"},
    {13, "FUTEX_LOCK_PI2"},
    {kPrivate | 0, "FUTEX_WAIT_PRIVATE"}, {kPrivate | 1, "FUTEX_WAKE_PRIVATE"},
    {kPrivate | 2, "FUTEX_FD|FUTEX_PRIVATE_FLAG"}, {kPrivate | 3, "FUTEX_REQUEUE_PRIVATE"},
    {kPrivate | 4, "FUTEX_CMP_REQUEUE_PRIVATE"}, {kPrivate | 5, "FUTEX_WAKE_OP_PRIVATE"},
    {kPrivate | 6, "FUTEX_LOCK_PI_PRIVATE"}, {kPrivate | 7, "FUTEX_UNLOCK_PI_PRIVATE"},
    {kPrivate | 8, "FUTEX_TRYLOCK_PI_PRIVATE"}, {kPrivate | 9, "FUTEX_WAIT_BITSET_PRIVATE"},
    {kPrivate | 10, "FUTEX_WAKE_BITSET_PRIVATE"}, {kPrivate | 11, "FUTEX_WAIT_REQUEUE_PI_PRIVATE"},
    {kPrivate | 12, "FUTEX_CMP_REQUEUE_PI_PRIVATE"}, {kPrivate | 13, "FUTEX_LOCK_PI2_PRIVATE"},
    {kRealtime | 0, "FUTEX_WAIT|FUTEX_CLOCK_REALTIME"}, {kRealtime | 9, "FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME"},
    {kRealtime | 11, "FUTEX_WAIT_REQUEUE_PI|FUTEX_CLOCK_REALTIME"},
    {kRealtime | kPrivate | 0, "FUTEX_WAIT_PRIVATE|FUTEX_CLOCK_REALTIME"},
    {kRealtime | kPrivate | 9, "FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME"},
    {kRealtime | kPrivate | 11, "FUTEX_WAIT_REQUEUE_PI_PRIVATE|FUTEX_CLOCK_REALTIME"},
};
constexpr Constant kBitsetNames[] = {{0xffffffff, "FUTEX_BITSET_MATCH_ANY"}};
constexpr Constant kFutex2Names[] = {
    {0, "FUTEX2_SIZE_U8", 3}, {1, "FUTEX2_SIZE_U16", 3}, {2, "FUTEX2_SIZE_U32", 3}, {3, "FUTEX2_SIZE_U64", 3},
    {4, "FUTEX2_NUMA"}, {8, "FUTEX2_MPOL"}, {0x80, "FUTEX2_PRIVATE"},
};


// -- FUTEX_WAKE_OP's word: FUTEX_OP(op, oparg, cmp, cmparg) ------------------------------------------
constexpr Constant kWakeOpNames[] = {
    {0, "FUTEX_OP_SET"}, {1, "FUTEX_OP_ADD"}, {2, "FUTEX_OP_OR"}, {3, "FUTEX_OP_ANDN"}, {4, "FUTEX_OP_XOR"},
    {8, "FUTEX_OP_OPARG_SHIFT"},
};
constexpr Constant kComparisonNames[] = {
    {0, "FUTEX_OP_CMP_EQ"}, {1, "FUTEX_OP_CMP_NE"}, {2, "FUTEX_OP_CMP_LT"}, {3, "FUTEX_OP_CMP_LE"},
    {4, "FUTEX_OP_CMP_GT"}, {5, "FUTEX_OP_CMP_GE"},
};
constinit const ConstantSet kWakeOps = enumeration(nullptr, kWakeOpNames);
constinit const ConstantSet kComparisons = enumeration(nullptr, kComparisonNames);

constexpr Type kWakeOpName = named(kWakeOps), kComparison = named(kComparisons);
constexpr WordPart kWakeOpParts[] = {
    with_shift(28, part_if_any(0x80000000, kWakeOpName)),
    with_shift(28, part(0x70000000, kWakeOpName), {}, "FUTEX_OP_???"),
    with_shift(12, part(0xfff000, kHex64)),
    with_shift(24, part(0xf000000, kComparison), {}, "FUTEX_OP_CMP_???"),
    part(0xfff, kHex64),
};
constexpr WordLayout kWakeOpWord = {.parts = kWakeOpParts};

// -- commands --------------------------------------------------------------------------------------
constexpr ArgType kVal = uinteger("val"), kVal2 = from_register(3, uinteger("val2"));
constexpr ArgType kTimeout = from_register(3, in("timeout", kTimespec));
constexpr ArgType kTimeout64 = from_register(3, in("timeout", kTimespec64));
constexpr ArgType kUaddr2 = from_register(4, address("uaddr2"));
constexpr ArgType kBitset = from_register(5, flags("val3", kFutexBitsets));
constexpr ArgType kVal3 = from_register(5, uinteger("val3"));
constexpr ArgType kWakeOp = from_register(5, arg("val3", word(kWakeOpWord)));

constexpr size_t kCommandCount = 14;
constexpr std::array<CommandRow, kCommandCount> rows(const ArgType& timeout) {
  return {{
      command(0, kUnsignedResult, kVal, timeout),
      command(1, kUnsignedResult, kVal),
      command(2, kUnsignedResult, kVal),
      command(3, kUnsignedResult, kVal, kVal2, kUaddr2),
      command(4, kUnsignedResult, kVal, kVal2, kUaddr2, kVal3),
      command(5, kUnsignedResult, kVal, kVal2, kUaddr2, kWakeOp),
      command(6, kUnsignedResult, timeout),
      command(7, kUnsignedResult),
      command(8, kUnsignedResult),
      command(9, kUnsignedResult, kVal, timeout, kBitset),
      command(10, kUnsignedResult, kVal, kBitset),
      command(11, kUnsignedResult, kVal, timeout, kUaddr2),
      command(12, kUnsignedResult, kVal, kVal2, kUaddr2, kVal3),
      command(13, kUnsignedResult, timeout),
  }};
}
constexpr std::array<CommandRow, kCommandCount> kRows = rows(kTimeout);
constexpr std::array<CommandRow, kCommandCount> kRows64 = rows(kTimeout64);
constexpr uint64_t kCommandMask = 0x7f;

// -- futex2 ------------------------------------------------------------------------------------------
constexpr Type kWide = number(Width::B8, Show::Hex);

constexpr FieldType kWaitvFields[] = {
    field("val", kWide),
    field("uaddr", kWideAddress),
    field("flags", named(kFutex2Flags)),
    field("__reserved", kHex32, not_zero<20, 4>),
};
constexpr StructLayout kWaitvLayout = {"futex_waitv", kWaitvFields};
static_assert(size_of(kWaitvLayout, Abi::X86_64) == 24 && size_of(kWaitvLayout, Abi::I386) == 24);

}  // namespace

constinit const ConstantSet kFutexBitsets = enumeration(nullptr, kBitsetNames);

constinit const ConstantSet kFutexOps = enumeration("FUTEX_???", kOpNames);
constinit const ConstantSet kFutex2Flags = flag_set("FUTEX2_???", kFutex2Names);
constinit const CommandTable kFutexCommands = {1, 2, kRows, kCommandMask};
constinit const CommandTable kFutexTime64Commands = {1, 2, kRows64, kCommandMask};
constinit const Type kFutexWaitv = structure(kWaitvLayout);

}  // namespace strut

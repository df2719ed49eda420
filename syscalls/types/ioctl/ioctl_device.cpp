#include "syscalls/types/ioctl/ioctl_device.hpp"

#include <linux/watchdog.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/perf_event.hpp"
#include "syscalls/types/common/field_list.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- <linux/random.h> -----------------------------------------------------------------------------------
constexpr FieldType kPoolFields[] = {field("entropy_count", kInt), field("buf_size", kInt),
                                     field("buf", bytes(by_field(1)))};
constexpr StructLayout kPoolLayout = {"rand_pool_info", kPoolFields};
constexpr Type kPool = structure(kPoolLayout);

// -- <linux/watchdog.h> ---------------------------------------------------------------------------------
constexpr Constant kWatchdogNames[] = {
    {0x1, "WDIOF_OVERHEAT"},     {0x2, "WDIOF_FANFAULT"},    {0x4, "WDIOF_EXTERN1"},
    {0x8, "WDIOF_EXTERN2"},      {0x10, "WDIOF_POWERUNDER"}, {0x20, "WDIOF_CARDRESET"},
    {0x40, "WDIOF_POWEROVER"},   {0x80, "WDIOF_SETTIMEOUT"}, {0x100, "WDIOF_MAGICCLOSE"},
    {0x200, "WDIOF_PRETIMEOUT"}, {0x400, "WDIOF_ALARMONLY"}, {0x8000, "WDIOF_KEEPALIVEPING"},
};
constexpr ConstantSet kWatchdogFlags = flag_set("WDIOF_???", kWatchdogNames);
constexpr Constant kWatchdogOptionNames[] = {{1, "WDIOS_DISABLECARD"}, {2, "WDIOS_ENABLECARD"}, {4, "WDIOS_TEMPPANIC"}};
constexpr ConstantSet kWatchdogOptions = flag_set("WDIOS_???", kWatchdogOptionNames);
constexpr FieldType kWatchdogFields[] = {field("options", named(kWatchdogFlags)), detail("firmware_version", kHex32),
                                         detail("identity", char_array(32))};
constexpr StructLayout kWatchdogLayout = {"watchdog_info", kWatchdogFields};
static_assert(size_of(kWatchdogLayout, Abi::X86_64) == sizeof(struct watchdog_info));

// -- <linux/nbd.h> --------------------------------------------------------------------------------------
constexpr Constant kNbdNames[] = {
    {0x1, "NBD_FLAG_HAS_FLAGS"},   {0x2, "NBD_FLAG_READ_ONLY"},  {0x4, "NBD_FLAG_SEND_FLUSH"},
    {0x8, "NBD_FLAG_SEND_FUA"},    {0x10, "NBD_FLAG_ROTATIONAL"}, {0x20, "NBD_FLAG_SEND_TRIM"},
    {0x40, "NBD_FLAG_SEND_WRITE_ZEROES"}, {0x80, "NBD_FLAG_SEND_DF"}, {0x100, "NBD_FLAG_CAN_MULTI_CONN"},
    {0x200, "NBD_FLAG_SEND_RESIZE"}, {0x400, "NBD_FLAG_SEND_CACHE"},
};
constexpr ConstantSet kNbdFlags = flag_set("NBD_FLAG_???", kNbdNames);

// -- <linux/perf_event.h> -------------------------------------------------------------------------------
constexpr Constant kPerfNames[] = {{1, "PERF_IOC_FLAG_GROUP"}};
constexpr ConstantSet kGroupFlags = flag_set("PERF_IOC_FLAG_???", kPerfNames);
constexpr Type kPerfWord = named(kGroupFlags);

/// struct perf_event_query_bpf: room for how many ids, how many there are, the ids.
Value decode_programs(Decoder& decoder, uint64_t at, size_t) {
  uint32_t room, count;
  if (!decoder.read(Addr{at}, room)) return decoder.missing(Addr{at});
  FieldList fields;
  fields.add("ids_len", Decoder::number(room, Show::Unsigned, 4));
  if (decoder.call().error != 0) return fields.structure(decoder, true);
  if (!decoder.read(Addr{at} + 4, count)) return fields.structure(decoder, true);
  fields.add("prog_cnt", Decoder::number(count, Show::Unsigned, 4));
  fields.add("ids", decoder.array(kUInt, Addr{at} + 8, count));
  return fields.structure(decoder);
}
constexpr Type kPrograms = custom(decode_programs, 4, Width::B4);

constexpr CommandRow kDeviceRows[] = {
    ioctl_takes(0x2400, kPerfWord),              // PERF_EVENT_IOC_ENABLE
    ioctl_takes(0x2401, kPerfWord),              // PERF_EVENT_IOC_DISABLE
    ioctl_takes(0x2402, kInt),                   // PERF_EVENT_IOC_REFRESH
    ioctl_takes(0x2403, kPerfWord),              // PERF_EVENT_IOC_RESET
    ioctl_takes(0x2405, kFd),                    // PERF_EVENT_IOC_SET_OUTPUT
    ioctl_bare(0x5204),                          // RNDZAPENTCNT
    ioctl_bare(0x5206),                          // RNDCLEARPOOL
    ioctl_bare(0x5207),                          // RNDRESEEDCRNG
    ioctl_takes(0xab00, kFd),                    // NBD_SET_SOCK
    ioctl_takes(0xab01, kULong),                 // NBD_SET_BLKSIZE
    ioctl_takes(0xab02, kULong),                 // NBD_SET_SIZE
    ioctl_bare(0xab03),                          // NBD_DO_IT
    ioctl_bare(0xab04),                          // NBD_CLEAR_SOCK
    ioctl_bare(0xab05),                          // NBD_CLEAR_QUE
    ioctl_bare(0xab06),                          // NBD_PRINT_DEBUG
    ioctl_takes(0xab07, kULong),                 // NBD_SET_SIZE_BLOCKS
    ioctl_bare(0xab08),                          // NBD_DISCONNECT
    ioctl_takes(0xab09, kULong),                 // NBD_SET_TIMEOUT
    ioctl_takes(0xab0a, named(kNbdFlags)),       // NBD_SET_FLAGS
    ioctl_sets(0x40042406, kString),             // PERF_EVENT_IOC_SET_FILTER of 32-bit programs
    ioctl_takes(0x40042408, kFd),                // PERF_EVENT_IOC_SET_BPF
    ioctl_takes(0x40042409, kULong),             // PERF_EVENT_IOC_PAUSE_OUTPUT
    ioctl_sets(0x4004240b, kPerfAttr),      // PERF_EVENT_IOC_MODIFY_ATTRIBUTES of 32-bit programs
    ioctl_takes(0x40044900, kInt),               // INOTIFY_IOC_SETNEXTWD
    ioctl_sets(0x40045201, kInt),                // RNDADDTOENTCNT
    ioctl_sets(0x40082404, kU64),                // PERF_EVENT_IOC_PERIOD
    ioctl_sets(0x40082406, kString),             // PERF_EVENT_IOC_SET_FILTER
    ioctl_sets(0x4008240b, kPerfAttr),      // PERF_EVENT_IOC_MODIFY_ATTRIBUTES
    ioctl_sets(0x40085203, kPool),               // RNDADDENTROPY
    ioctl_gets(0x80042407, kU64),                // PERF_EVENT_IOC_ID of 32-bit programs
    ioctl_gets(0x80045200, kInt),                // RNDGETENTCNT
    ioctl_gets(0x80045701, kInt),                // WDIOC_GETSTATUS
    ioctl_gets(0x80045702, kInt),                // WDIOC_GETBOOTSTATUS
    ioctl_gets(0x80045703, kInt),                // WDIOC_GETTEMP
    ioctl_sets(0x80045704, kWord<kWatchdogOptions>),  // WDIOC_SETOPTIONS
    ioctl_bare(0x80045705),                      // WDIOC_KEEPALIVE
    ioctl_gets(0x80045707, kInt),                // WDIOC_GETTIMEOUT
    ioctl_gets(0x80045709, kInt),                // WDIOC_GETPRETIMEOUT
    ioctl_gets(0x8004570a, kInt),                // WDIOC_GETTIMELEFT
    ioctl_gets(0x80082407, kU64),                // PERF_EVENT_IOC_ID
    ioctl_gets(0x80285700, kStructure<kWatchdogLayout>),  // WDIOC_GETSUPPORT
    ioctl_asks(0xc004240a, kPrograms),           // PERF_EVENT_IOC_QUERY_BPF of 32-bit programs
    ioctl_changes(0xc0045706, kInt),             // WDIOC_SETTIMEOUT
    ioctl_changes(0xc0045708, kInt),             // WDIOC_SETPRETIMEOUT
    ioctl_asks(0xc008240a, kPrograms),           // PERF_EVENT_IOC_QUERY_BPF
};

}  // namespace

constinit const IoctlRows kDeviceIoctls = {kDeviceRows};

}  // namespace strut

#include "syscalls/types/common/system.hpp"

#include <sys/sysinfo.h>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint32_t kNameBytes = 65;  // __NEW_UTS_LEN and a NUL
constexpr Type kName = char_array(kNameBytes);
constexpr FieldType kUtsnameFields[] = {
    field("sysname", kName),  field("nodename", kName), detail("release", kName),
    detail("version", kName), detail("machine", kName), detail("domainname", kName),
};
constexpr StructLayout kUtsnameLayout = {"new_utsname", kUtsnameFields};

// Unsigned longs of the ABI; x32's are as wide as x86-64's (__kernel_ulong_t).
constexpr Type kLoads = array_of(kKernelULong, 3);
constexpr FieldType kSysinfoFields[] = {
    field("uptime", kKernelULong),     field("loads", kLoads),           field("totalram", kKernelULong),
    field("freeram", kKernelULong),   field("sharedram", kKernelULong), field("bufferram", kKernelULong),
    field("totalswap", kKernelULong), field("freeswap", kKernelULong),  field("procs", kU16),
    padding(kU16),                    field("totalhigh", kKernelULong), field("freehigh", kKernelULong),
    field("mem_unit", kUInt),
};
constexpr FieldType kSysinfoI386Fields[] = {
    field("uptime", kKernelULong),     field("loads", kLoads),           field("totalram", kKernelULong),
    field("freeram", kKernelULong),   field("sharedram", kKernelULong), field("bufferram", kKernelULong),
    field("totalswap", kKernelULong), field("freeswap", kKernelULong),  field("procs", kU16),
    padding(kU16),                    field("totalhigh", kKernelULong), field("freehigh", kKernelULong),
    field("mem_unit", kUInt),         padding_bytes(8),
};
constexpr StructLayout kSysinfoLayout = {"sysinfo", kSysinfoFields, false, kSysinfoI386Fields,
                                         std::size(kSysinfoI386Fields)};
static_assert(size_of(kSysinfoLayout, Abi::X86_64) == sizeof(struct sysinfo));
static_assert(size_of(kSysinfoLayout, Abi::I386) == 64);

// syslog(2)
constexpr Constant kActionNames[] = {
    {0, "SYSLOG_ACTION_CLOSE"},       {1, "SYSLOG_ACTION_OPEN"},        {2, "SYSLOG_ACTION_READ"},
    {3, "SYSLOG_ACTION_READ_ALL"},    {4, "SYSLOG_ACTION_READ_CLEAR"},  {5, "SYSLOG_ACTION_CLEAR"},
    {6, "SYSLOG_ACTION_CONSOLE_OFF"}, {7, "SYSLOG_ACTION_CONSOLE_ON"},  {8, "SYSLOG_ACTION_CONSOLE_LEVEL"},
    {9, "SYSLOG_ACTION_SIZE_UNREAD"}, {10, "SYSLOG_ACTION_SIZE_BUFFER"},
};
// <linux/kern_levels.h>
constexpr Constant kLevelNames[] = {
    {0, "LOGLEVEL_EMERG"},  {1, "LOGLEVEL_ALERT"}, {2, "LOGLEVEL_CRIT"},  {3, "LOGLEVEL_ERR"}, {4, "LOGLEVEL_WARNING"},
    {5, "LOGLEVEL_NOTICE"}, {6, "LOGLEVEL_INFO"},  {7, "LOGLEVEL_DEBUG"}, {8, "LOGLEVEL_DEBUG+1"},
};
constexpr ConstantSet kLevels = enumeration("LOGLEVEL_???", kLevelNames);

constexpr Type kLevel = remarked_with(kLevels, kInt);

constexpr ArgType kLogRead = bytes_out("bufp", by_result()), kLogLength = integer("len");
constexpr CommandRow kSyslogRows[] = {
    command(0, kUnsignedResult),
    command(1, kUnsignedResult),
    command(2, kUnsignedResult, kLogRead, kLogLength),
    command(3, kUnsignedResult, kLogRead, kLogLength),
    command(4, kUnsignedResult, kLogRead, kLogLength),
    command(5, kUnsignedResult),
    command(6, kUnsignedResult),
    command(7, kUnsignedResult),
    command(8, kUnsignedResult, address("bufp"), arg("len", kLevel)),
    command(9, kUnsignedResult),
    command(10, kUnsignedResult),
};

constexpr uint64_t kPriorityMask = 0x7fff;  // SWAP_FLAG_PRIO_MASK
constexpr Constant kSwapNames[] = {
    {0x8000, "SWAP_FLAG_PREFER"}, {0x10000, "SWAP_FLAG_DISCARD"}, {0x20000, "SWAP_FLAG_DISCARD_ONCE"},
    {0x40000, "SWAP_FLAG_DISCARD_PAGES"}};
constexpr ConstantSet kSwapSet = flag_set("SWAP_FLAG_???", kSwapNames);
constexpr Type kSwapFlag = named(kSwapSet);
constexpr WordPart kSwapParts[] = {part_if_any(~kPriorityMask, kSwapFlag), part(kPriorityMask, kU64)};

// <linux/reboot.h>
constexpr uint64_t kRestart2 = 0xa1b2c3d4;
constexpr Constant kMagic1Names[] = {{0xfee1dead, "LINUX_REBOOT_MAGIC1"}};
constexpr Constant kMagic2Names[] = {
    {85072278, "LINUX_REBOOT_MAGIC2A"},  {369367448, "LINUX_REBOOT_MAGIC2B"},
    {537993216, "LINUX_REBOOT_MAGIC2C"}, {672274793, "LINUX_REBOOT_MAGIC2"}};
constexpr Constant kRebootNames[] = {
    {0x00000000, "LINUX_REBOOT_CMD_CAD_OFF"},   {0x01234567, "LINUX_REBOOT_CMD_RESTART"},
    {0x4321fedc, "LINUX_REBOOT_CMD_POWER_OFF"}, {0x45584543, "LINUX_REBOOT_CMD_KEXEC"},
    {0x89abcdef, "LINUX_REBOOT_CMD_CAD_ON"},    {kRestart2, "LINUX_REBOOT_CMD_RESTART2"},
    {0xcdef0123, "LINUX_REBOOT_CMD_HALT"},      {0xd000fce2, "LINUX_REBOOT_CMD_SW_SUSPEND"},
};

constexpr Constant kDeleteNames[] = {{0x800, "O_NONBLOCK"}, {0x200, "O_TRUNC"}};
// <linux/module.h>
constexpr Constant kLoadNames[] = {{1, "MODULE_INIT_IGNORE_MODVERSIONS"},
                                   {2, "MODULE_INIT_IGNORE_VERMAGIC"},
                                   {4, "MODULE_INIT_COMPRESSED_FILE"}};

// <linux/kexec.h>
constexpr uint64_t kArchMask = 0xffff0000;
constexpr Constant kArchNames[] = {
    {0, "KEXEC_ARCH_DEFAULT"},          {3 << 16, "KEXEC_ARCH_386"},     {4 << 16, "KEXEC_ARCH_68K"},
    {8 << 16, "KEXEC_ARCH_MIPS"},       {10 << 16, "KEXEC_ARCH_MIPS_LE"}, {15 << 16, "KEXEC_ARCH_PARISC"},
    {20 << 16, "KEXEC_ARCH_PPC"},       {21 << 16, "KEXEC_ARCH_PPC64"},  {22 << 16, "KEXEC_ARCH_S390"},
    {40 << 16, "KEXEC_ARCH_ARM"},       {42 << 16, "KEXEC_ARCH_SH"},     {50 << 16, "KEXEC_ARCH_IA_64"},
    {62 << 16, "KEXEC_ARCH_X86_64"},    {183 << 16, "KEXEC_ARCH_AARCH64"}, {243 << 16, "KEXEC_ARCH_RISCV"},
    {258 << 16, "KEXEC_ARCH_LOONGARCH"},
};
constexpr ConstantSet kArchs = enumeration("KEXEC_ARCH_???", kArchNames);
constexpr Constant kKexecNames[] = {{1, "KEXEC_ON_CRASH"},
                                    {2, "KEXEC_PRESERVE_CONTEXT"},
                                    {4, "KEXEC_UPDATE_ELFCOREHDR"},
                                    {8, "KEXEC_CRASH_HOTPLUG_SUPPORT"}};
constexpr ConstantSet kKexecSet = flag_set("KEXEC_???", kKexecNames);
constexpr Type kArch = named(kArchs), kKexecFlag = named(kKexecSet, Width::B8);
constexpr WordPart kKexecParts[] = {part(kArchMask, kArch), part_if_any(~kArchMask, kKexecFlag)};
constexpr WordPart kVersionParts[] = {
    shifted(16, part(0xffff0000, kU64)), shifted(8, part(0xff00, kU64)), part(0xff, kU64)};
constexpr Constant kKexecFileNames[] = {
    {0x1, "KEXEC_FILE_UNLOAD"}, {0x2, "KEXEC_FILE_ON_CRASH"}, {0x4, "KEXEC_FILE_NO_INITRAMFS"},
    {0x8, "KEXEC_FILE_DEBUG"},  {0x10, "KEXEC_FILE_NO_CMA"},  {0x20, "KEXEC_FILE_FORCE_DTB"},
};
constexpr FieldType kSegmentFields[] = {field("buf", kAddress), field("bufsz", kSize), field("mem", kAddress),
                                        field("memsz", kSize)};
constexpr StructLayout kSegmentLayout = {"kexec_segment", kSegmentFields};

constexpr Constant kRandomNames[] = {{1, "GRND_NONBLOCK"}, {2, "GRND_RANDOM"}, {4, "GRND_INSECURE"}};

// struct __sysctl_args of <linux/sysctl.h>
constexpr FieldType kSysctlFields[] = {
    field("name", kAddress),   field("nlen", kInt),       field("oldval", kAddress), field("oldlenp", kAddress),
    field("newval", kAddress), field("newlen", kULong), padding(array_of(kULong, 4)),
};
constexpr StructLayout kSysctlLayout = {"__sysctl_args", kSysctlFields};

}  // namespace

constinit const Type kUtsname = structure(kUtsnameLayout);
constinit const Type kSysinfo = structure(kSysinfoLayout);
constinit const Type kSysctlArgs = structure(kSysctlLayout);
constinit const CommandTable kSyslogTable = {0, 1, kSyslogRows, 0xffffffff};
constinit const ConstantSet kRebootMagic1 = enumeration("LINUX_REBOOT_MAGIC1???", kMagic1Names);
constinit const ConstantSet kRebootMagic2 = enumeration("LINUX_REBOOT_MAGIC2???", kMagic2Names);
constinit const ConstantSet kRebootCommands = enumeration("LINUX_REBOOT_CMD_???", kRebootNames);
constinit const ConstantSet kDeleteModuleFlags = flag_set("O_???", kDeleteNames);
constinit const ConstantSet kLoadModuleFlags = flag_set("MODULE_INIT_???", kLoadNames);
constinit const ConstantSet kKexecFileFlags = flag_set("KEXEC_FILE_???", kKexecFileNames);
constinit const ConstantSet kRandomFlags = flag_set("GRND_???", kRandomNames);
constinit const Type kKexecSegment = structure(kSegmentLayout);
constinit const ConstantSet kSyslogActions = enumeration("SYSLOG_ACTION_???", kActionNames);
constinit const WordLayout kSwapWord = {.parts = kSwapParts, .one_is_plain = true};
constinit const WordLayout kKexecWord = {.parts = kKexecParts};
constinit const WordLayout kKernelVersionForm = {.parts = kVersionParts, .form = "KERNEL_VERSION", .plain = &kHex32};

bool reboot_has_argument(const Call& call) { return (call.regs[2] & 0xffffffff) == kRestart2; }

}  // namespace strut

#include "syscalls/types/process/credentials.hpp"

#include <array>

#include <linux/capability.h>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kVersionNames[] = {
    {0x19980330, "_LINUX_CAPABILITY_VERSION_1"},
    {0x20071026, "_LINUX_CAPABILITY_VERSION_2"},
    {0x20080522, "_LINUX_CAPABILITY_VERSION_3"},
};
constinit const ConstantSet kVersions = enumeration("_LINUX_CAPABILITY_VERSION_???", kVersionNames);

constexpr Constant kCapabilityNames[] = {
    {0, "CAP_CHOWN"}, {1, "CAP_DAC_OVERRIDE"}, {2, "CAP_DAC_READ_SEARCH"}, {3, "CAP_FOWNER"}, {4, "CAP_FSETID"},
    {5, "CAP_KILL"}, {6, "CAP_SETGID"}, {7, "CAP_SETUID"}, {8, "CAP_SETPCAP"}, {9, "CAP_LINUX_IMMUTABLE"},
    {10, "CAP_NET_BIND_SERVICE"}, {11, "CAP_NET_BROADCAST"}, {12, "CAP_NET_ADMIN"}, {13, "CAP_NET_RAW"},
    {14, "CAP_IPC_LOCK"}, {15, "CAP_IPC_OWNER"}, {16, "CAP_SYS_MODULE"}, {17, "CAP_SYS_RAWIO"},
    {18, "CAP_SYS_CHROOT"}, {19, "CAP_SYS_PTRACE"}, {20, "CAP_SYS_PACCT"}, {21, "CAP_SYS_ADMIN"},
    {22, "CAP_SYS_BOOT"}, {23, "CAP_SYS_NICE"}, {24, "CAP_SYS_RESOURCE"}, {25, "CAP_SYS_TIME"},
    {26, "CAP_SYS_TTY_CONFIG"}, {27, "CAP_MKNOD"}, {28, "CAP_LEASE"}, {29, "CAP_AUDIT_WRITE"},
    {30, "CAP_AUDIT_CONTROL"}, {31, "CAP_SETFCAP"}, {32, "CAP_MAC_OVERRIDE"}, {33, "CAP_MAC_ADMIN"},
    {34, "CAP_SYSLOG"}, {35, "CAP_WAKE_ALARM"}, {36, "CAP_BLOCK_SUSPEND"}, {37, "CAP_AUDIT_READ"},
    {38, "CAP_PERFMON"}, {39, "CAP_BPF"}, {40, "CAP_CHECKPOINT_RESTORE"},
};

// As bits of the low and the high word.
constexpr Constant kLowNames[] = {
    {1u << 0, "1<<CAP_CHOWN"}, {1u << 1, "1<<CAP_DAC_OVERRIDE"}, {1u << 2, "1<<CAP_DAC_READ_SEARCH"},
    {1u << 3, "1<<CAP_FOWNER"}, {1u << 4, "1<<CAP_FSETID"}, {1u << 5, "1<<CAP_KILL"}, {1u << 6, "1<<CAP_SETGID"},
    {1u << 7, "1<<CAP_SETUID"}, {1u << 8, "1<<CAP_SETPCAP"}, {1u << 9, "1<<CAP_LINUX_IMMUTABLE"},
    {1u << 10, "1<<CAP_NET_BIND_SERVICE"}, {1u << 11, "1<<CAP_NET_BROADCAST"}, {1u << 12, "1<<CAP_NET_ADMIN"},
    {1u << 13, "1<<CAP_NET_RAW"}, {1u << 14, "1<<CAP_IPC_LOCK"}, {1u << 15, "1<<CAP_IPC_OWNER"},
    {1u << 16, "1<<CAP_SYS_MODULE"}, {1u << 17, "1<<CAP_SYS_RAWIO"}, {1u << 18, "1<<CAP_SYS_CHROOT"},
    {1u << 19, "1<<CAP_SYS_PTRACE"}, {1u << 20, "1<<CAP_SYS_PACCT"}, {1u << 21, "1<<CAP_SYS_ADMIN"},
    {1u << 22, "1<<CAP_SYS_BOOT"}, {1u << 23, "1<<CAP_SYS_NICE"}, {1u << 24, "1<<CAP_SYS_RESOURCE"},
    {1u << 25, "1<<CAP_SYS_TIME"}, {1u << 26, "1<<CAP_SYS_TTY_CONFIG"}, {1u << 27, "1<<CAP_MKNOD"},
    {1u << 28, "1<<CAP_LEASE"}, {1u << 29, "1<<CAP_AUDIT_WRITE"}, {1u << 30, "1<<CAP_AUDIT_CONTROL"},
    {1u << 31, "1<<CAP_SETFCAP"},
};
constexpr Constant kHighNames[] = {
    {1u << 0, "1<<CAP_MAC_OVERRIDE"}, {1u << 1, "1<<CAP_MAC_ADMIN"}, {1u << 2, "1<<CAP_SYSLOG"},
    {1u << 3, "1<<CAP_WAKE_ALARM"}, {1u << 4, "1<<CAP_BLOCK_SUSPEND"}, {1u << 5, "1<<CAP_AUDIT_READ"},
    {1u << 6, "1<<CAP_PERFMON"}, {1u << 7, "1<<CAP_BPF"}, {1u << 8, "1<<CAP_CHECKPOINT_RESTORE"},
};
constinit const ConstantSet kLowCapabilities = flag_set("CAP_???", kLowNames);
constinit const ConstantSet kHighCapabilities = flag_set("CAP_???", kHighNames);

constexpr FieldType kHeaderFields[] = {field("version", named(kVersions)), field("pid", kPid)};
constexpr StructLayout kHeaderLayout = {"__user_cap_header_struct", kHeaderFields};
static_assert(size_of(kHeaderLayout, Abi::X86_64) == sizeof(__user_cap_header_struct));

struct Sets {
  uint32_t effective, permitted, inheritable;
};

Value capabilities(Decoder& decoder, uint32_t low, uint32_t high) {
  if (high == 0) return Decoder::named(low, kLowCapabilities);
  Value high_part = Decoder::named(high, kHighCapabilities);
  if (low == 0) return high_part;
  std::span<Value> parts = decoder.arena().array<Value>(2);
  parts[0] = Decoder::named(low, kLowCapabilities);
  parts[1] = high_part;
  return {Union{.parts = parts, .apart = true}, {}};
}

/// How many words each set has: one in version 1, else two.
std::optional<size_t> words_of(Decoder& decoder) {
  __user_cap_header_struct header;
  if (!decoder.read(Addr{decoder.arg(0)}, header)) return std::nullopt;
  return header.version == 0x20071026 || header.version == 0x20080522 ? 2 : 1;
}

}  // namespace

constinit const ConstantSet kCapabilities = enumeration("CAP_???", kCapabilityNames);
constinit const Type kCapHeader = structure(kHeaderLayout);

Value decode_cap_data(Decoder& decoder, uint64_t at, size_t) {
  std::optional<size_t> words = words_of(decoder);
  if (!words) return Decoder::address(at);
  std::array<Sets, 2> sets{};
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(std::span(sets).first(*words))))
    return decoder.missing(Addr{at});
  const auto& [low, high] = sets;
  FieldValue fields[] = {
      {"effective", capabilities(decoder, low.effective, high.effective)},
      {"permitted", capabilities(decoder, low.permitted, high.permitted)},
      {"inheritable", capabilities(decoder, low.inheritable, high.inheritable)},
  };
  return decoder.fields(fields);
}

}  // namespace strut

#include "syscalls/types/process/landlock.hpp"

#include <algorithm>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kRulesetNames[] = {{1, "LANDLOCK_CREATE_RULESET_VERSION"}, {2, "LANDLOCK_CREATE_RULESET_ERRATA"}};
constexpr Constant kRuleNames[] = {{1, "LANDLOCK_RULE_PATH_BENEATH"}, {2, "LANDLOCK_RULE_NET_PORT"}};
constexpr Constant kRuleFlagNames[] = {{1, "LANDLOCK_ADD_RULE_QUIET"}};

constexpr Constant kFileNames[] = {
    {0x1, "LANDLOCK_ACCESS_FS_EXECUTE"},       {0x2, "LANDLOCK_ACCESS_FS_WRITE_FILE"},
    {0x4, "LANDLOCK_ACCESS_FS_READ_FILE"},     {0x8, "LANDLOCK_ACCESS_FS_READ_DIR"},
    {0x10, "LANDLOCK_ACCESS_FS_REMOVE_DIR"},   {0x20, "LANDLOCK_ACCESS_FS_REMOVE_FILE"},
    {0x40, "LANDLOCK_ACCESS_FS_MAKE_CHAR"},    {0x80, "LANDLOCK_ACCESS_FS_MAKE_DIR"},
    {0x100, "LANDLOCK_ACCESS_FS_MAKE_REG"},    {0x200, "LANDLOCK_ACCESS_FS_MAKE_SOCK"},
    {0x400, "LANDLOCK_ACCESS_FS_MAKE_FIFO"},   {0x800, "LANDLOCK_ACCESS_FS_MAKE_BLOCK"},
    {0x1000, "LANDLOCK_ACCESS_FS_MAKE_SYM"},   {0x2000, "LANDLOCK_ACCESS_FS_REFER"},
    {0x4000, "LANDLOCK_ACCESS_FS_TRUNCATE"},   {0x8000, "LANDLOCK_ACCESS_FS_IOCTL_DEV"},
    {0x10000, "LANDLOCK_ACCESS_FS_RESOLVE_UNIX"},
};
constexpr ConstantSet kFileAccess = flag_set("LANDLOCK_ACCESS_FS_???", kFileNames);
constexpr Constant kNetNames[] = {
    {1, "LANDLOCK_ACCESS_NET_BIND_TCP"}, {2, "LANDLOCK_ACCESS_NET_CONNECT_TCP"}, {4, "LANDLOCK_ACCESS_NET_BIND_UDP"},
    {8, "LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP"}};
constexpr ConstantSet kNetAccess = flag_set("LANDLOCK_ACCESS_NET_???", kNetNames);
constexpr Constant kScopeNames[] = {{1, "LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET"}, {2, "LANDLOCK_SCOPE_SIGNAL"}};
constexpr ConstantSet kScopes = flag_set("LANDLOCK_SCOPE_???", kScopeNames);

/// The words of struct landlock_ruleset_attr, in order.
struct Word {
  const char* name;
  const ConstantSet* names;
};
constexpr Word kWords[] = {
    {"handled_access_fs", &kFileAccess}, {"handled_access_net", &kNetAccess}, {"scoped", &kScopes},
    {"quiet_access_fs", &kFileAccess},   {"quiet_access_net", &kNetAccess},   {"quiet_scoped", &kScopes},
};

// As many words as begin within the size; of the last one only the bytes within it.
Value decode_ruleset(Decoder& decoder, uint64_t at, size_t) {
  uint64_t size = decoder.arg(1);
  std::array<uint64_t, std::size(kWords)> words{};
  if (size < sizeof words[0]) return Decoder::address(at);
  uint64_t held = std::min<uint64_t>(size, sizeof words);
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(std::span(words)).first(held)))
    return decoder.missing(Addr{at});
  FieldValue fields[std::size(kWords)];
  size_t count = 0;
  for (; count * sizeof words[0] < held; count++)
    fields[count] = {kWords[count].name, Decoder::named(words[count], *kWords[count].names, 8)};
  return decoder.fields(std::span<const FieldValue>(fields, count), size > sizeof words);
}

constexpr FieldType kBeneathFields[] = {field("allowed_access", named(kFileAccess, Width::B8)),
                                        field("parent_fd", kFd)};
constexpr FieldType kPortFields[] = {field("allowed_access", named(kNetAccess, Width::B8)), field("port", kU64)};
constexpr StructLayout kBeneathLayout = {"landlock_path_beneath_attr", kBeneathFields, true};
constexpr StructLayout kPortLayout = {"landlock_net_port_attr", kPortFields};
static_assert(size_of(kBeneathLayout, Abi::X86_64) == 12);
constexpr Type kBeneath = structure(kBeneathLayout), kPort = structure(kPortLayout);

constexpr ArgType kFlags = flags("flags", kLandlockRuleFlags);
constexpr CommandRow kRuleRows[] = {
    command(1, kUnsignedResult, in("rule_attr", kBeneath), kFlags),
    command(2, kUnsignedResult, in("rule_attr", kPort), kFlags),
};

}  // namespace

constinit const ConstantSet kLandlockRulesetFlags = flag_set("LANDLOCK_CREATE_RULESET_???", kRulesetNames);
constinit const ConstantSet kLandlockRuleTypes = enumeration("LANDLOCK_RULE_???", kRuleNames);
constinit const ConstantSet kLandlockRuleFlags = flag_set("LANDLOCK_ADD_RULE_???", kRuleFlagNames);
constinit const CommandTable kLandlockRuleTable = {1, 2, kRuleRows, 0xffffffff};
constinit const Type kLandlockRuleset = custom(decode_ruleset);

}  // namespace strut

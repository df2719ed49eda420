#include "syscalls/types/process/sched.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/sched.h>, <linux/sched/types.h>, <linux/resource.h>, <linux/membarrier.h>.
constexpr Constant kPolicyNames[] = {
    {0, "SCHED_OTHER"}, {1, "SCHED_FIFO"}, {2, "SCHED_RR"}, {3, "SCHED_BATCH"},
    {4, "SCHED_ISO"}, {5, "SCHED_IDLE"}, {6, "SCHED_DEADLINE"}, {7, "SCHED_EXT"},
};
constexpr uint32_t kResetOnFork = 0x40000000, kPolicyMask = ~kResetOnFork;
constexpr Constant kPolicyFlagNames[] = {
    {kResetOnFork, "SCHED_RESET_ON_FORK"}, {0, "SCHED_OTHER", kPolicyMask}, {1, "SCHED_FIFO", kPolicyMask},
    {2, "SCHED_RR", kPolicyMask}, {3, "SCHED_BATCH", kPolicyMask}, {4, "SCHED_ISO", kPolicyMask},
    {5, "SCHED_IDLE", kPolicyMask}, {6, "SCHED_DEADLINE", kPolicyMask}, {7, "SCHED_EXT", kPolicyMask},
};
constexpr uint64_t kKeepPolicy = 8, kKeepParams = 0x10;
constexpr Constant kAttrFlagNames[] = {
    {1, "SCHED_FLAG_RESET_ON_FORK"}, {2, "SCHED_FLAG_RECLAIM"}, {4, "SCHED_FLAG_DL_OVERRUN"},
    {kKeepPolicy, "SCHED_FLAG_KEEP_POLICY"}, {kKeepParams, "SCHED_FLAG_KEEP_PARAMS"},
    {0x20, "SCHED_FLAG_UTIL_CLAMP_MIN"}, {0x40, "SCHED_FLAG_UTIL_CLAMP_MAX"},
};
constexpr Constant kGetattrFlagNames[] = {{1, "SCHED_GETATTR_FLAG_DL_DYNAMIC"}};
constexpr Constant kWhichNames[] = {{0, "PRIO_PROCESS"}, {1, "PRIO_PGRP"}, {2, "PRIO_USER"}};
constexpr Constant kIoprioWhoNames[] = {
    {1, "IOPRIO_WHO_PROCESS"}, {2, "IOPRIO_WHO_PGRP"}, {3, "IOPRIO_WHO_USER"},
};
constexpr Constant kIoprioClassNames[] = {
    {0, "IOPRIO_CLASS_NONE"}, {1, "IOPRIO_CLASS_RT"}, {2, "IOPRIO_CLASS_BE"}, {3, "IOPRIO_CLASS_IDLE"},
};
constexpr Constant kMembarrierNames[] = {
    {0, "MEMBARRIER_CMD_QUERY"},
    {1, "MEMBARRIER_CMD_GLOBAL"},
    {2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED"},
    {4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED"},
    {8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED"},
    {0x10, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED"},
    {0x20, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE"},
    {0x40, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE"},
    {0x80, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ"},
    {0x100, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ"},
    {0x200, "MEMBARRIER_CMD_GET_REGISTRATIONS"},
};
constexpr Constant kMembarrierFlagNames[] = {{1, "MEMBARRIER_CMD_FLAG_CPU"}};

constinit const ConstantSet kIoprioClasses = enumeration("IOPRIO_CLASS_???", kIoprioClassNames);
constexpr Type kIoprioClass = named(kIoprioClasses);
constexpr WordPart kIoprioParts[] = {shifted(13, part(0xffffe000, kIoprioClass)), part(0x1fff, kUInt)};

constexpr FieldType kParamFields[] = {field("sched_priority", kInt)};
constexpr StructLayout kParamLayout = {"sched_param", kParamFields};

// -- struct sched_attr ----------------------------------------------------------------------------
struct Attr {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
  uint32_t util_min, util_max;
};
constexpr uint32_t kFirstAttrBytes = 48;  // SCHED_ATTR_SIZE_VER0
static_assert(sizeof(Attr) == 56);        // SCHED_ATTR_SIZE_VER1

/// Members that SCHED_FLAG_KEEP_POLICY and SCHED_FLAG_KEEP_PARAMS keep are not shown in passed attributes.
constexpr uint64_t kKeep = kKeepPolicy | kKeepParams;

/// The fields that a structure of `bytes` bytes has; `heeded` are the flags that leave some out.
Value attr_value(Decoder& decoder, const Attr& attr, uint32_t bytes, bool cut, uint64_t heeded) {
  std::array<FieldValue, 10> fields;
  size_t count = 0;
  auto add = [&](std::string_view name, const Value& value) { fields[count++] = {name, value}; };
  auto add_number = [&](std::string_view name, uint64_t bits, Show show = Show::Unsigned) {
    add(name, Decoder::number(bits, show));
  };
  add_number("size", attr.size);
  if (bytes < kFirstAttrBytes) return decoder.fields(std::span(fields).first(count));
  if (!(attr.flags & heeded) || static_cast<int32_t>(attr.policy) < 0)
    add("sched_policy", Decoder::named(attr.policy, kSchedPolicies));
  add("sched_flags", Decoder::named(attr.flags, kSchedAttrFlags, 8));
  if (!(attr.flags & heeded & kKeepParams)) {
    add_number("sched_nice", static_cast<uint64_t>(int64_t{attr.nice}), Show::Signed);
    add_number("sched_priority", attr.priority);
    add_number("sched_runtime", attr.runtime);
    add_number("sched_deadline", attr.deadline);
    add_number("sched_period", attr.period);
  }
  if (bytes >= sizeof attr) {
    add_number("sched_util_min", attr.util_min);
    add_number("sched_util_max", attr.util_max);
  }
  return decoder.fields(std::span(fields).first(count), cut);
}

constinit const ConstantSet kMembarrierBits = flag_set(nullptr, std::span(kMembarrierNames).subspan<1>());

}  // namespace

Value supported_membarriers(Decoder& decoder) {
  uint64_t bits = static_cast<uint64_t>(decoder.call().result);
  if (!int_arg_is<0, 0>(decoder, Addr{}) || bits == 0) return {};
  Value word = Decoder::named(bits, kMembarrierBits);
  return {Union{.parts = decoder.arena().copy(std::span<const Value>(&word, 1)), .apart = true}, {}};
}

constinit const ConstantSet kSchedPolicies = enumeration("SCHED_???", kPolicyNames);
constinit const ConstantSet kSchedPolicyFlags = flag_set("SCHED_???", kPolicyFlagNames);
constinit const ConstantSet kSchedAttrFlags = flag_set("SCHED_FLAG_???", kAttrFlagNames);
constinit const ConstantSet kSchedGetattrFlags = flag_set("SCHED_GETATTR_FLAG_???", kGetattrFlagNames);
constinit const ConstantSet kPriorityWhich = enumeration("PRIO_???", kWhichNames);
constinit const ConstantSet kIoprioWho = enumeration("IOPRIO_WHO_???", kIoprioWhoNames);
constinit const ConstantSet kMembarrierCommands = enumeration("MEMBARRIER_CMD_???", kMembarrierNames);
constinit const ConstantSet kMembarrierFlags = flag_set("MEMBARRIER_CMD_FLAG_???", kMembarrierFlagNames);
constinit const Type kSchedParam = structure(kParamLayout);
constinit const WordLayout kIoprioForm = {
    .parts = kIoprioParts, .form = "IOPRIO_PRIO_VALUE", .plain = &kInt, .styled = true};
constinit const WordLayout kIoprioFormInHex = {
    .parts = kIoprioParts, .form = "IOPRIO_PRIO_VALUE", .plain = &kHex32, .styled = true};

bool resets_policy_on_fork(Decoder&, Addr policy) {
  uint32_t bits = static_cast<uint32_t>(raw(policy));
  return (bits & kResetOnFork) && !(bits >> 31);
}

Value sched_policy_result(Decoder& decoder) {
  uint32_t bits = static_cast<uint32_t>(decoder.call().result), policy = bits & kPolicyMask;
  const char* name = kSchedPolicies.name_of(policy);
  std::string_view reset = bits & kResetOnFork ? "SCHED_RESET_ON_FORK" : "";
  if (!name && reset.empty()) return {};
  char number[16];
  std::snprintf(number, sizeof number, "%#x", policy);
  const char* text = joined(decoder.arena(), {reset, reset.empty() ? "" : "|", name ? name : number});
  return {Text{text, TextKind::Bare, false, false}, {}};
}

Value decode_sched_attr_given(Decoder& decoder, uint64_t at, size_t) {
  Attr attr{};
  bool is_too_large = decoder.phase() == Phase::Exit && decoder.call().error == E2BIG;
  if (decoder.phase() == Phase::Exit && !is_too_large) return *decoder.at_enter(1);
  if (!decoder.read(Addr{at}, attr.size)) return decoder.missing(Addr{at});
  if (is_too_large) return attr_value(decoder, attr, 0, false, 0);  // the size that the kernel knows
  uint32_t bytes = attr.size == 0 ? kFirstAttrBytes : attr.size;  // sched_setattr(2): 0 is the first version's size
  if (bytes < kFirstAttrBytes) return attr_value(decoder, attr, bytes, false, kKeep);
  auto known = std::as_writable_bytes(std::span(&attr, 1));
  if (!decoder.read_bytes(Addr{at}, known.first(std::min<size_t>(bytes, sizeof attr))))
    return decoder.missing(Addr{at});
  return attr_value(decoder, attr, bytes, bytes > sizeof attr, kKeep);
}

Value decode_sched_attr_taken(Decoder& decoder, uint64_t at, size_t) {
  Attr attr{};
  uint64_t bytes = std::min<uint64_t>(decoder.arg(2), sizeof attr);
  if (bytes == 0) return Decoder::address(at);
  auto known = std::as_writable_bytes(std::span(&attr, 1)).first(bytes);
  return decoder.read_bytes(Addr{at}, known) ? attr_value(decoder, attr, attr.size, false, 0)
                                             : decoder.missing(Addr{at});
}

Value ioprio_result(Decoder& decoder) {
  return decoder.scalar(kIoprio, static_cast<uint64_t>(decoder.call().result));
}

}  // namespace strut

#include "syscalls/types/process/prctl.hpp"

#include <algorithm>
#include <cstdio>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf_filter.hpp"
#include "syscalls/types/process/credentials.hpp"
#include "syscalls/types/process/group_id.hpp"
#include "syscalls/types/process/prctl_constants.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/process/seccomp.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr ArgType kHex2 = hex("arg2"), kHex3 = hex("arg3"), kHex4 = hex("arg4"), kHex5 = hex("arg5");

constexpr ArgType choice(const char* name, const ConstantSet& set) { return flags(name, set, Width::Long); }
/// The kernel looks at 32 bits of the register.
constexpr ArgType int_choice(const char* name, const ConstantSet& set) { return flags(name, set); }

// -- arguments that depend on others --------------------------------------------------------------
bool sets_filter(const Call& call) { return call.regs[1] == 2; }  // SECCOMP_MODE_FILTER
bool sets_mce_policy(const Call& call) { return call.regs[1] == 1; }  // PR_MCE_KILL_SET
bool other_mce_operation(const Call& call) { return !sets_mce_policy(call); }
bool names_ambient_capability(const Call& call) { return call.regs[1] >= 1 && call.regs[1] <= 3; }
bool other_ambient_operation(const Call& call) { return !names_ambient_capability(call); }
bool sets_unknown_mode(const Call& call) { return call.regs[1] != 1 && !sets_filter(call); }

/// The register is a long: a value that is no signal is shown in full.
constexpr Type kDeathSignal = kEither<number_is<1, 64>, kSignal, kULong>;
bool names_speculation(Decoder& decoder, Addr) { return kSpeculations.name_of(decoder.arg(1)) != nullptr; }
constexpr Type kSpeculationOrder = named(kSpeculationOrders, Width::B8);
constexpr Type kNewSpeculation = kEither<names_speculation, kSpeculationOrder, kHex64>;
constexpr Type kSpeculation = kEither<names_speculation, kHex64, kU64>;

// PR_SCHED_CORE: a thread or a process, else a group or session (PIDTYPE_PGID); PR_SCHED_CORE_GET has a place for a
// cookie.
constexpr Type kCorePid = kEither<int_arg_is<3, 0, 1>, kPid, kGroupId>;
constexpr Type kCookie = pointer_to(kHex64), kCookieIfGot = kEither<succeeded, kCookie, kAddress>;
constexpr Type kCoreCookie = kEither<int_arg_is<1, 0>, kCookieIfGot, kHex64>;

constexpr Type kAnyTracer = shown_by([](Decoder&, uint64_t) { return Decoder::named(~0ull, kPtracers, 8); });
constexpr Type kPtracer = kEither<int_is<~0u>, kAnyTracer, kPid>;

// PR_SET_VMA_ANON_NAME: start, length, name; other operations: numbers.
constexpr FieldCondition kNamesArea = arg_is<1, 0>;
constexpr Type kAreaStart = kEither<kNamesArea, kAddress, kHex64>, kAreaLength = kEither<kNamesArea, kU64, kHex64>;
constexpr Type kAreaName = kEither<kNamesArea, kStringPointer, kHex64>;

// -- words of several fields ------------------------------------------------------------------------
Value joined_word(Decoder& decoder, uint64_t bits, std::initializer_list<Value> parts) {
  std::span<Value> held = decoder.arena().array<Value>(parts.size());
  size_t count = 0;
  for (const Value& part : parts)
    if (!part.absent()) held[count++] = part;
  return {Union{.parts = held.first(count), .bits = bits, .bytes = 8}, {}};
}
Value hex_text(Decoder& decoder, uint64_t bits, std::string_view behind = "") {
  char number[24];
  std::snprintf(number, sizeof number, "%#llx", static_cast<unsigned long long>(bits));
  return {Text{joined(decoder.arena(), {number, behind}), TextKind::Bare, false, false}, {}};
}

Value show_tagged_addresses(Decoder& decoder, uint64_t bits) {
  constexpr const char* kFaults[] = {"PR_MTE_TCF_NONE", "PR_MTE_TCF_SYNC", "PR_MTE_TCF_ASYNC", "PR_MTE_TCF_MASK"};
  constexpr uint64_t kTagMask = 0xffffull << 3, kKnown = kTagMask | 7;
  uint64_t tags = (bits & kTagMask) >> 3, rest = bits & ~kKnown;
  return joined_word(decoder, bits, {Decoder::bare(bits & 1 ? "PR_TAGGED_ADDR_ENABLE" : "!PR_TAGGED_ADDR_ENABLE"),
                                 Decoder::bare(kFaults[bits >> 1 & 3]),
                                 tags ? hex_text(decoder, tags, "<<PR_MTE_TAG_SHIFT") : Value{},
                                 rest ? hex_text(decoder, rest) : Value{}});
}

/// Flags above a length: PR_SVE_VL_INHERIT|0x10.
Value vector_length(Decoder& decoder, uint64_t bits, const ConstantSet& flags_of) {
  Value word = Decoder::number(bits, Show::Hex);
  constexpr uint64_t kLength = 0xffff;
  if ((bits & ~kLength) == 0) return word;
  return joined_word(decoder, bits, {Decoder::named(bits & ~kLength, flags_of, 8), hex_text(decoder, bits & kLength)});
}
template <const ConstantSet& kFlags>
constexpr Type kVectorLength =
    shown_by([](Decoder& decoder, uint64_t bits) { return vector_length(decoder, bits, kFlags); });

Value vector_state(Decoder& decoder, uint64_t state, std::string_view behind) {
  constexpr const char* kStates[] = {"PR_RISCV_V_VSTATE_CTRL_DEFAULT", "PR_RISCV_V_VSTATE_CTRL_OFF",
                                     "PR_RISCV_V_VSTATE_CTRL_ON"};
  if (state >= std::size(kStates)) return hex_text(decoder, state, behind);
  return {Text{joined(decoder.arena(), {kStates[state], behind}), TextKind::Bare, false, false}, {}};
}
Value show_vector_control(Decoder& decoder, uint64_t bits) {
  uint64_t rest = bits & ~0x1full;
  const char* inherit = bits & 0x10 ? "PR_RISCV_V_VSTATE_CTRL_INHERIT" : "!PR_RISCV_V_VSTATE_CTRL_INHERIT";
  return joined_word(decoder, bits, {vector_state(decoder, bits & 3, ""), vector_state(decoder, bits >> 2 & 3, "<<2"),
                                 Decoder::bare(inherit), rest ? hex_text(decoder, rest) : Value{}});
}

// -- names of threads: TASK_COMM_LEN is 16 ------------------------------------------------------------
constexpr Type kNameIn = c_string(TextKind::Text), kNameOut = kNameIn;
constexpr Type kNewName = pointer_to(kNameIn, fixed(15)), kOldName = pointer_to(kNameOut, fixed(16));

// -- rows ---------------------------------------------------------------------------------------------
constexpr Type kUnalignedWord = named(kUnaligned), kTscMode = named(kTscModes);
constexpr CommandRow kPrctlRows[] = {
    command(1, kUnsignedResult, arg("sig", kDeathSignal)),
    command(2, kUnsignedResult, out("sig", kSignal)),
    command(3, kUnsignedResult),
    command(4, kUnsignedResult, choice("dumpable", kDumpable)),
    command(5, kUnsignedResult, out("flags", kUnalignedWord)),
    command(6, kUnsignedResult, int_choice("flags", kUnaligned)),
    command(7, kUnsignedResult),
    command(8, kUnsignedResult, ulong("state")),
    command(9, kUnsignedResult, out("fpemu", kUInt)),
    command(10, kUnsignedResult, ulong("fpemu")),
    command(11, kUnsignedResult, out("mode", kUInt)),
    command(12, kUnsignedResult, ulong("mode")),
    command(13, kUnsignedResult),
    command(14, kUnsignedResult, ulong("mode")),
    command(15, kUnsignedResult, arg("name", kNewName)),
    command(16, kUnsignedResult, arg("name", kOldName, Direction::Out)),
    command(19, kUnsignedResult, out("endianness", kUInt)),
    command(20, kUnsignedResult, ulong("endianness")),
    command(21, kUnsignedResult),
    command(22, kUnsignedResult, choice("mode", kSeccompModes), when(sets_filter, in("filter", kSeccompProgram)),
            when(sets_unknown_mode, from_register(2, kHex3)), when(sets_unknown_mode, kHex4),
            when(sets_unknown_mode, kHex5)),
    command(23, kUnsignedResult, choice("cap", kCapabilities)),
    command(24, kUnsignedResult, choice("cap", kCapabilities)),
    command(25, kUnsignedResult, out("flag", kTscMode)),
    command(26, kUnsignedResult, int_choice("flag", kTscModes)),
    command(27, kHexResult),
    command(28, kUnsignedResult, choice("flags", kSecureBits)),
    command(29, kUnsignedResult, arg("slack", kPlainLong)),
    command(30, kUnsignedResult),
    command(31, kUnsignedResult),
    command(32, kUnsignedResult),
    command(33, kUnsignedResult, choice("operation", kMceKillOps),
            when(sets_mce_policy, choice("policy", kMceKillPolicies)),
            when(other_mce_operation, from_register(2, kHex3)), kHex4, kHex5),
    command(35, kUnsignedResult, int_choice("operation", kSetMmOps), kHex3, kHex4, kHex5),
    command(36, kUnsignedResult, ulong("set")),
    command(37, kUnsignedResult, out("isset", kUInt)),
    command(38, kUnsignedResult, ulong("set"), kHex3, kHex4, kHex5),
    command(40, kUnsignedResult, out("addr", kKernelAddress)),
    command(41, kUnsignedResult, ulong("flag"), kHex3, kHex4, kHex5),
    command(45, kUnsignedResult, int_choice("mode", kFpModes)),
    command(46, kHexResult),
    command(47, kUnsignedResult, choice("operation", kAmbientOps),
            when(names_ambient_capability, choice("caps", kCapabilities)),
            when(other_ambient_operation, from_register(2, kHex3)), kHex4, kHex5),
    command(50, kHexResult, arg("value", kVectorLength<kSveLengths>)),
    command(51, kHexResult),
    command(52, kSpeculation, choice("misfeature", kSpeculations)),
    command(53, kUnsignedResult, choice("misfeature", kSpeculations), arg("value", kNewSpeculation)),
    command(54, kUnsignedResult, choice("keys", kPacKeys), kHex3, kHex4, kHex5),
    command(55, kUnsignedResult, arg("mode", shown_by(show_tagged_addresses)), kHex3, kHex4, kHex5),
    command(56, kHexResult, kHex2, kHex3, kHex4, kHex5),
    command(57, kUnsignedResult, ulong("state"), kHex3, kHex4, kHex5),
    command(59, kUnsignedResult, choice("operation", kDispatchModes), hex("off"), hex("size"), address("switch")),
    command(60, kUnsignedResult, choice("bitmask_affected", kPacSwitches), choice("bitmask_set", kPacSwitches), kHex4,
            kHex5),
    command(61, kHexResult, kHex2, kHex3, kHex4, kHex5),
    command(62, kUnsignedResult, int_choice("operation", kCoreOps), arg("pid", kCorePid),
            arg("pid_type", numbered(named(kPidTypes))),
            even_on_failure(arg("arg5", kCoreCookie, Direction::Out))),
    command(63, kHexResult, arg("arg", kVectorLength<kSmeLengths>)),
    command(64, kHexResult),
    command(65, kUnsignedResult, choice("mask", kMdweFlags), kHex3, kHex4, kHex5),
    command(66, kHexResult, kHex2, kHex3, kHex4, kHex5),
    command(69, kUnsignedResult, arg("arg", shown_by(show_vector_control))),
    command(70, kHexResult),
    command(71, kUnsignedResult, choice("ctx", kIcacheFlushes), choice("scope", kIcacheScopes)),
    command(72, kHexResult, choice("which", kDexcrAspects), kHex3, kHex4, kHex5),
    command(73, kUnsignedResult, choice("which", kDexcrAspects), choice("ctrl", kDexcrControls), kHex4, kHex5),
    command(0x53564d41, kUnsignedResult, choice("attr", kVmaOps), arg("addr", kAreaStart),
            arg("size", kAreaLength), arg("name", kAreaName)),
    command(0x59616d61, kUnsignedResult, arg("pid", kPtracer)),
};

/// Flags that have no name say nothing more than the number.
Value flags_or_nothing(uint64_t bits, const ConstantSet& set) {
  auto named = [bits](const Constant& flag) { return flag.value ? (bits & flag.value) == flag.value : bits == 0; };
  return std::ranges::any_of(set.entries, named) ? Decoder::named(bits, set, 8) : Value{};
}
Value vector_result(Decoder& decoder, uint64_t bits, const ConstantSet& set) {
  Value length = vector_length(decoder, bits, set);
  return std::holds_alternative<Number>(length.is) ? Value{} : length;
}
/// The name of a state; without one there is nothing more to say than the number.
Value name_or_nothing(uint64_t bits, const ConstantSet& set) {
  const char* name = set.name_of(bits);
  return name ? Decoder::bare(name) : Value{};
}

}  // namespace

constinit const CommandTable kPrctlCommands = {0, 1, kPrctlRows};

Value prctl_result(Decoder& decoder) {
  uint64_t bits = static_cast<uint64_t>(decoder.call().result);
  switch (static_cast<uint32_t>(decoder.arg(0))) {
    case 3: return name_or_nothing(bits, kDumpable);
    case 27: return flags_or_nothing(bits, kSecureBits);
    case 34: return name_or_nothing(bits, kMceKillPolicies);
    case 46: return flags_or_nothing(bits, kFpModes);
    case 50:
    case 51: return vector_result(decoder, bits, kSveLengths);
    case 52: return kSpeculations.name_of(decoder.arg(1)) ? flags_or_nothing(bits, kSpeculationStates) : Value{};
    case 56: return show_tagged_addresses(decoder, bits);
    case 61: return flags_or_nothing(bits, kPacSwitches);
    case 63:
    case 64: return vector_result(decoder, bits, kSmeLengths);
    case 66: return flags_or_nothing(bits, kMdweFlags);
    case 70: return show_vector_control(decoder, bits);
    case 72: return flags_or_nothing(bits, kDexcrControls);
    default: return {};
  }
}

}  // namespace strut

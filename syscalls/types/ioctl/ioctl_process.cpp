#include "syscalls/types/ioctl/ioctl_process.hpp"

#include <linux/seccomp.h>

#include <algorithm>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/fs/open_flags.hpp"
#include "syscalls/types/netlink/audit.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- <linux/pidfd.h> ------------------------------------------------------------------------------------
enum InfoBit : uint64_t {
  kPids = 1,
  kCreds = 2,
  kCgroup = 4,
  kExit = 8,
  kCore = 16,
  kSupported = 32,
  kCoreSignal = 64,
  kCoreCode = 128
};
constexpr Constant kInfoNames[] = {
    {kPids, "PIDFD_INFO_PID"},          {kCreds, "PIDFD_INFO_CREDS"},
    {kCgroup, "PIDFD_INFO_CGROUPID"},   {kExit, "PIDFD_INFO_EXIT"},
    {kCore, "PIDFD_INFO_COREDUMP"},     {kSupported, "PIDFD_INFO_SUPPORTED_MASK"},
    {kCoreSignal, "PIDFD_INFO_COREDUMP_SIGNAL"}, {kCoreCode, "PIDFD_INFO_COREDUMP_CODE"},
};
constexpr ConstantSet kInfoMask = flag_set("PIDFD_INFO_???", kInfoNames);
constexpr Constant kCoreNames[] = {
    {1, "PIDFD_COREDUMPED"}, {2, "PIDFD_COREDUMP_SKIP"}, {4, "PIDFD_COREDUMP_USER"}, {8, "PIDFD_COREDUMP_ROOT"}};
constexpr ConstantSet kCoreMask = flag_set("PIDFD_COREDUMP_???", kCoreNames);

struct ProcessFacts {
  uint64_t mask, cgroup;
  int32_t pid, tgid, ppid;
  uint32_t ids[8];
  int32_t exit_code;
  uint32_t core_mask, core_signal, core_code, padding;
  uint64_t supported;
};
constexpr size_t kLeastBytes = 64;  // PIDFD_INFO_SIZE_VER0
static_assert(sizeof(ProcessFacts) == 88);

void add_ids(Decoder& decoder, FieldList& fields, const ProcessFacts& facts) {
  if (facts.mask & kCgroup) fields.add("cgroupid", Decoder::number(facts.cgroup, Show::Unsigned));
  if (facts.mask & kPids) {
    fields.add("pid", decoder.process_id(facts.pid)).add("tgid", decoder.process_id(facts.tgid));
    fields.add("ppid", decoder.process_id(facts.ppid));
  }
  if (!(facts.mask & kCreds)) return;
  constexpr const char* kNames[] = {"ruid", "rgid", "euid", "egid", "suid", "sgid", "fsuid", "fsgid"};
  for (size_t i = 0; i < std::size(kNames); i++) fields.add(kNames[i], Decoder::number(facts.ids[i], Show::Id, 4));
}
void add_end(Decoder& decoder, FieldList& fields, const ProcessFacts& facts, size_t bytes) {
  if (facts.mask & kExit) {
    std::span<Value> status = decoder.arena().array<Value>(1);
    status[0] = {WaitStatus{facts.exit_code}, {}};
    fields.add("exit_code", {Array{status, ArrayStyle::Boxed, false, {}}, {}});
  }
  auto has = [&](InfoBit bit, size_t end) { return (facts.mask & bit) != 0 && bytes >= end; };
  if (has(kCore, 68)) fields.add("coredump_mask", Decoder::named(facts.core_mask, kCoreMask));
  if (has(kCoreSignal, 72)) fields.add("coredump_signal", {SignalNumber{static_cast<int32_t>(facts.core_signal)}, {}});
  if (has(kCoreCode, 76)) fields.add("coredump_code", Decoder::number(facts.core_code, Show::Unsigned, 4));
  if (has(kSupported, 88)) fields.add("supported_mask", Decoder::named(facts.supported, kInfoMask, 8));
}

/// The request, as it was remembered at enter.
const Value* asked(Decoder& decoder) {
  const Value* value = decoder.at_enter(2);
  const Struct* held = value ? std::get_if<Struct>(&value->is) : nullptr;
  return held && !held->fields.empty() ? &held->fields[0].value : nullptr;
}

/// struct pidfd_info, of as many bytes as the command says.
Value decode_process(Decoder& decoder, uint64_t at, size_t) {
  uint64_t bytes = decoder.call().regs[1] >> 16 & 0x3fff;
  if (bytes < kLeastBytes) return Decoder::address(at);
  ProcessFacts facts{};
  auto known = std::as_writable_bytes(std::span(&facts, 1)).first(std::min<uint64_t>(bytes, sizeof facts));
  if (!decoder.read(Addr{at}, facts.mask)) return decoder.missing(Addr{at});
  Value mask = Decoder::named(facts.mask, kInfoMask, 8);
  FieldList fields;
  if (decoder.phase() == Phase::Enter || decoder.call().error != 0) return fields.add("mask", mask).structure(decoder);
  const Value* before = asked(decoder);
  fields.add("mask", before && !same(*before, mask) ? decoder.change(*before, mask) : mask);
  if (!decoder.read_bytes(Addr{at}, known)) return fields.structure(decoder);
  add_ids(decoder, fields, facts);
  add_end(decoder, fields, facts, bytes);
  return fields.structure(decoder);
}
constexpr Type kProcess = custom(decode_process, kLeastBytes, Width::B8);

// -- <linux/seccomp.h>, "Seccomp notification" ------------------------------------------------------------
constexpr Constant kAddFdNames[] = {{1, "SECCOMP_ADDFD_FLAG_SETFD"}, {2, "SECCOMP_ADDFD_FLAG_SEND"}};
constexpr ConstantSet kAddFdFlags = flag_set("SECCOMP_ADDFD_FLAG_???", kAddFdNames);
constexpr Constant kAnswerNames[] = {{1, "SECCOMP_USER_NOTIF_FLAG_CONTINUE"}};
constexpr ConstantSet kAnswerFlags = flag_set("SECCOMP_USER_NOTIF_FLAG_???", kAnswerNames);
constexpr Constant kWakeNames[] = {{1, "SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP"}};
constexpr ConstantSet kWakeFlags = flag_set("SECCOMP_USER_NOTIF_???", kWakeNames);

constexpr FieldType kAddFdFields[] = {field("id", kHex64), field("flags", named(kAddFdFlags)), field("srcfd", kFd),
                                      field("newfd", kInt), field("newfd_flags", named(kStatusFlags))};
constexpr StructLayout kAddFdLayout = {"seccomp_notif_addfd", kAddFdFields};
static_assert(size_of(kAddFdLayout, Abi::X86_64) == sizeof(struct seccomp_notif_addfd));

/// A negated error, or 0.
Value error_number(Decoder& decoder, uint64_t bits) {
  return negated_errno(decoder, static_cast<int32_t>(bits), INT32_MAX);
}
constexpr FieldType kAnswerFields[] = {field("id", kHex64), field("val", kS64),
                                       field("error", shown_by(error_number, Width::B4)),
                                       field("flags", named(kAnswerFlags))};
constexpr StructLayout kAnswerLayout = {"seccomp_notif_resp", kAnswerFields};
static_assert(size_of(kAnswerLayout, Abi::X86_64) == sizeof(struct seccomp_notif_resp));

/// The number of a call, of the architecture behind it.
Value call_number(Decoder& decoder, uint64_t facts) {
  auto number = static_cast<uint32_t>(facts), arch = static_cast<uint32_t>(facts >> 32);
  return system_call_value(decoder.arena(), number, arch, decoder.abi());
}
constexpr Type kArguments = array_of(kHex64, 6);
constexpr FieldType kCallFields[] = {
    field("nr", shown_by(call_number, Width::B8)), at(4, field("arch", named(kAuditArch))),
    at(8, field("instruction_pointer", kWideAddress)),
    field("args", kArguments)};
constexpr StructLayout kCallLayout = {"seccomp_data", kCallFields};
constexpr FieldType kNoticeFields[] = {field("id", kHex64), field("pid", kPid), field("flags", kHex32),
                                       field("data", structure(kCallLayout))};
constexpr StructLayout kNoticeLayout = {"seccomp_notif", kNoticeFields};
static_assert(size_of(kNoticeLayout, Abi::X86_64) == sizeof(struct seccomp_notif));

/// The call wants an empty structure; the content of another one is shown.
Value decode_notice(Decoder& decoder, uint64_t at, size_t) {
  if (decoder.phase() == Phase::Exit)
    return decoder.call().error != 0 ? Decoder::address(at) : decoder.structure(kNoticeLayout, Addr{at});
  std::array<uint64_t, sizeof(struct seccomp_notif) / 8> words;
  if (!decoder.read(Addr{at}, words)) return decoder.missing(Addr{at});
  bool empty = std::ranges::all_of(words, [](uint64_t word) { return word == 0; });
  return empty ? Value{Pending{}, {}} : decoder.structure(kNoticeLayout, Addr{at});
}
constexpr Type kNotice = custom(decode_notice, sizeof(struct seccomp_notif), Width::B8);
constexpr CommandRow notice_row(uint64_t number) {
  ArgType argument = even_on_failure(inout("argp", kNotice));
  argument.shows_both = true;
  return command(number, kUnsignedResult, argument);
}

/// A command that opens a namespace of the process.
constexpr CommandRow opens(uint64_t number) { return command(number, kFdResult, arg("argp", kHexLong)); }

constexpr CommandRow kProcessRows[] = {
    opens(0xff01),                                       // PIDFD_GET_CGROUP_NAMESPACE
    opens(0xff02),                                       // PIDFD_GET_IPC_NAMESPACE
    opens(0xff03),                                       // PIDFD_GET_MNT_NAMESPACE
    opens(0xff04),                                       // PIDFD_GET_NET_NAMESPACE
    opens(0xff05),                                       // PIDFD_GET_PID_NAMESPACE
    opens(0xff06),                                       // PIDFD_GET_PID_FOR_CHILDREN_NAMESPACE
    opens(0xff07),                                       // PIDFD_GET_TIME_NAMESPACE
    opens(0xff08),                                       // PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE
    opens(0xff09),                                       // PIDFD_GET_USER_NAMESPACE
    opens(0xff0a),                                       // PIDFD_GET_UTS_NAMESPACE
    ioctl_sets(0x40082102, kHex64),                      // SECCOMP_IOCTL_NOTIF_ID_VALID
    ioctl_takes(0x40082104, named(kWakeFlags, Width::Long)),          // SECCOMP_IOCTL_NOTIF_SET_FLAGS
    ioctl_sets(0x40182103, kStructure<kAddFdLayout>),    // SECCOMP_IOCTL_NOTIF_ADDFD
    ioctl_sets(0x80082102, kHex64),                      // SECCOMP_IOCTL_NOTIF_ID_VALID_WRONG_DIR
    ioctl_sets(0xc0182101, kStructure<kAnswerLayout>),   // SECCOMP_IOCTL_NOTIF_SEND
    notice_row(0xc0502100),                              // SECCOMP_IOCTL_NOTIF_RECV
};
constexpr CommandRow kProcessSizedRows[] = {
    command(kProcessInfo, kUnsignedResult, even_on_failure(remembered(out("argp", kProcess)))),  // PIDFD_GET_INFO
};

}  // namespace

constinit const IoctlRows kProcessIoctls = {kProcessRows};
constinit const IoctlRows kSizedIoctls = {kProcessSizedRows};

}  // namespace strut

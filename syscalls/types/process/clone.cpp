#include "syscalls/types/process/clone.hpp"

#include <algorithm>
#include <array>

#include <linux/sched.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/process/thread_area.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/sched.h>.
constexpr Constant kCloneNames[] = {
    {0x100, "CLONE_VM"}, {0x200, "CLONE_FS"}, {0x400, "CLONE_FILES"}, {0x800, "CLONE_SIGHAND"}, {0x1000, "CLONE_PIDFD"},
    {0x2000, "CLONE_PTRACE"}, {0x4000, "CLONE_VFORK"}, {0x8000, "CLONE_PARENT"}, {0x10000, "CLONE_THREAD"},
    {0x20000, "CLONE_NEWNS"}, {0x40000, "CLONE_SYSVSEM"}, {0x80000, "CLONE_SETTLS"}, {0x100000, "CLONE_PARENT_SETTID"},
    {0x200000, "CLONE_CHILD_CLEARTID"}, {0x800000, "CLONE_UNTRACED"}, {0x1000000, "CLONE_CHILD_SETTID"},
    {0x2000000, "CLONE_NEWCGROUP"}, {0x4000000, "CLONE_NEWUTS"}, {0x8000000, "CLONE_NEWIPC"},
    {0x10000000, "CLONE_NEWUSER"}, {0x20000000, "CLONE_NEWPID"}, {0x40000000, "CLONE_NEWNET"},
    {0x80000000, "CLONE_IO"},
};
constexpr Constant kClone3Names[] = {
    {0x100, "CLONE_VM"},
    {0x200, "CLONE_FS"},
    {0x400, "CLONE_FILES"},
    {0x800, "CLONE_SIGHAND"},
    {0x1000, "CLONE_PIDFD"},
    {0x2000, "CLONE_PTRACE"},
    {0x4000, "CLONE_VFORK"},
    {0x8000, "CLONE_PARENT"},
    {0x10000, "CLONE_THREAD"},
    {0x20000, "CLONE_NEWNS"},
    {0x40000, "CLONE_SYSVSEM"},
    {0x80000, "CLONE_SETTLS"},
    {0x100000, "CLONE_PARENT_SETTID"},
    {0x200000, "CLONE_CHILD_CLEARTID"},
    {0x800000, "CLONE_UNTRACED"},
    {0x1000000, "CLONE_CHILD_SETTID"},
    {0x2000000, "CLONE_NEWCGROUP"},
    {0x4000000, "CLONE_NEWUTS"},
    {0x8000000, "CLONE_NEWIPC"},
    {0x10000000, "CLONE_NEWUSER"},
    {0x20000000, "CLONE_NEWPID"},
    {0x40000000, "CLONE_NEWNET"},
    {0x80000000, "CLONE_IO"},
    {0x80, "CLONE_NEWTIME"},
    {0x100000000, "CLONE_CLEAR_SIGHAND"},
    {0x200000000, "CLONE_INTO_CGROUP"},
    {0x400000000, "CLONE_AUTOREAP"},
    {0x800000000, "CLONE_NNP"},
    {0x1000000000, "CLONE_PIDFD_AUTOKILL"},
    {0x2000000000, "CLONE_EMPTY_MNTNS"},
};
constexpr Constant kUnshareNames[] = {
    {0x80, "CLONE_NEWTIME"}, {0x100, "CLONE_VM"}, {0x200, "CLONE_FS"}, {0x400, "CLONE_FILES"}, {0x800, "CLONE_SIGHAND"},
    {0x10000, "CLONE_THREAD"}, {0x20000, "CLONE_NEWNS"}, {0x40000, "CLONE_SYSVSEM"}, {0x2000000, "CLONE_NEWCGROUP"},
    {0x4000000, "CLONE_NEWUTS"}, {0x8000000, "CLONE_NEWIPC"}, {0x10000000, "CLONE_NEWUSER"},
    {0x20000000, "CLONE_NEWPID"}, {0x40000000, "CLONE_NEWNET"},
};
constexpr Constant kSetnsNames[] = {
    {0x80, "CLONE_NEWTIME"}, {0x20000, "CLONE_NEWNS"}, {0x2000000, "CLONE_NEWCGROUP"}, {0x4000000, "CLONE_NEWUTS"},
    {0x8000000, "CLONE_NEWIPC"}, {0x10000000, "CLONE_NEWUSER"}, {0x20000000, "CLONE_NEWPID"},
    {0x40000000, "CLONE_NEWNET"},
};

constexpr uint64_t kExitSignal = 0xff;  // CSIGNAL
constexpr uint64_t kPidfd = 0x1000, kSetTls = 0x80000, kParentSettid = 0x100000, kChildCleartid = 0x200000;
constexpr uint64_t kChildSettid = 0x1000000, kIntoCgroup = 0x200000000;

constexpr Type kCloneFlag = named(kCloneFlags, Width::B8);
constexpr WordPart kCloneParts[] = {part_if_any(~kExitSignal, kCloneFlag), part_or_alone(kExitSignal, kSignal)};

constexpr Type kPidPointer = pointer_to(kPid);
constexpr Type kFdPointer = pointer_to(kFd);

/// struct clone_args of <linux/sched.h>: the same in every ABI.
struct Args {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
  uint64_t set_tid, set_tid_size, cgroup;
};
constexpr size_t kFirstArgsBytes = 64;       // CLONE_ARGS_SIZE_VER0
constexpr uint64_t kMaxTids = 32;            // MAX_PID_NS_LEVEL of the kernel
static_assert(sizeof(Args) == sizeof(clone_args));

class Fields {
 public:
  explicit Fields(Decoder& decoder) : decoder_(decoder) {}
  void add(std::string_view name, const Value& value) { fields_[count_++] = {name, value}; }
  bool empty() const { return count_ == 0; }
  Value value() { return decoder_.fields(std::span(fields_.data(), count_)); }

 private:
  Decoder& decoder_;
  std::array<FieldValue, 12> fields_;
  size_t count_ = 0;
};

Value exit_signal(uint64_t number) {
  if (number > 0x7fffffff) return Decoder::number(number, Show::Unsigned);
  return {SignalNumber{static_cast<int32_t>(number)}, {}};
}

Value set_tids(Decoder& decoder, const Args& args) {
  if (args.set_tid_size == 0 || args.set_tid_size > kMaxTids) return Decoder::address(args.set_tid);
  return decoder.array(kInt, Addr{args.set_tid}, args.set_tid_size);
}

Value tls(Decoder& decoder, uint64_t pointer) {
  return decoder.abi() == Abi::I386 ? decoder.pointee(wide(kUserDescPointer), pointer) : Decoder::address(pointer);
}

void add_args(Decoder& decoder, Fields& fields, const Args& args, uint64_t bytes) {
  fields.add("flags", Decoder::named(args.flags, kClone3Flags, 8));
  if (args.flags & kPidfd) fields.add("pidfd", Decoder::address(args.pidfd));
  if (args.flags & (kChildSettid | kChildCleartid)) fields.add("child_tid", Decoder::address(args.child_tid));
  if (args.flags & kParentSettid) fields.add("parent_tid", Decoder::address(args.parent_tid));
  fields.add("exit_signal", exit_signal(args.exit_signal));
  fields.add("stack", Decoder::address(args.stack));
  fields.add("stack_size", Decoder::number(args.stack_size, Show::Hex));
  if (args.flags & kSetTls) fields.add("tls", tls(decoder, args.tls));
  if (args.set_tid != 0 || args.set_tid_size != 0) {
    fields.add("set_tid", set_tids(decoder, args));
    fields.add("set_tid_size", Decoder::number(args.set_tid_size, Show::Unsigned));
  }
  bool has_cgroup = bytes >= sizeof args;
  if (has_cgroup && (args.flags & kIntoCgroup || args.cgroup != 0))
    fields.add("cgroup", Decoder::number(args.cgroup, Show::Unsigned));
}

Value offered_args(Decoder& decoder, Addr at, uint64_t bytes) {
  Args args{};
  if (bytes < kFirstArgsBytes) return Decoder::address(raw(at));
  auto known = std::as_writable_bytes(std::span(&args, 1));
  if (!decoder.read_bytes(at, known.first(std::min<uint64_t>(bytes, sizeof args)))) return decoder.missing(at);
  Fields fields(decoder);
  add_args(decoder, fields, args, bytes);
  if (bytes > sizeof args)
    if (Value rest = decode_excess(decoder, at, sizeof args, bytes); !rest.absent()) fields.add("", rest);
  return fields.value();
}

/// The values that the kernel stored at the arguments' addresses, or nothing.
Value stored_args(Decoder& decoder, Addr at, uint64_t bytes) {
  Args args{};
  if (!decoder.read_bytes(at, std::as_writable_bytes(std::span(&args, 1)).first(kFirstArgsBytes))) return {};
  Fields fields(decoder);
  if (args.flags & kPidfd) fields.add("pidfd", decoder.pointee(wide(kFdPointer), args.pidfd));
  if (args.flags & kParentSettid) fields.add("parent_tid", decoder.pointee(wide(kPidPointer), args.parent_tid));
  if (bytes > sizeof args)
    if (Value rest = decode_excess(decoder, at, sizeof args, bytes); !rest.absent()) fields.add("", rest);
  return fields.empty() ? Value{} : fields.value();
}

// The memory that is read: the structure, and the memory that it points to.
constexpr FieldType kReadFields[] = {
    at(0, field("", kExtensible<1>)), at(8, field("pidfd", kPidPointer)), at(24, field("parent_tid", kPidPointer)),
    at(64, field("set_tid", pointer_to(kPid, by_field(4)))), at(72, field("set_tid_size", kU64)),
};
constexpr StructLayout kReadLayout = {"clone_args", kReadFields};

uint64_t flags_of(const Call& call) { return call.regs[0]; }

}  // namespace

constinit const Type kCloneArgsRead = structure(kReadLayout);
constinit const ConstantSet kCloneFlags = flag_set("CLONE_???", kCloneNames);
constinit const ConstantSet kClone3Flags = flag_set("CLONE_???", kClone3Names);
constinit const ConstantSet kUnshareFlags = flag_set("CLONE_???", kUnshareNames);
constinit const ConstantSet kSetnsTypes = flag_set("CLONE_NEW???", kSetnsNames);

constinit const WordLayout kCloneFlagWord = {.parts = kCloneParts, .one_is_plain = true};

bool clone_stores_tid(Decoder& decoder, Addr) { return (flags_of(decoder.call()) & kPidfd) == 0; }

Value decode_clone_args(Decoder& decoder, uint64_t at, size_t) {
  const Value* offered = decoder.at_enter(0);
  if (decoder.phase() == Phase::Enter || !offered) return offered_args(decoder, Addr{at}, decoder.arg(1));
  Value stored = stored_args(decoder, Addr{at}, decoder.arg(1));
  return stored.absent() || !std::holds_alternative<Struct>(offered->is) ? *offered : stored;
}

bool clone_stores_parent_tid(const Call& call) { return flags_of(call) & (kParentSettid | kPidfd); }
bool clone_sets_tls(const Call& call) { return flags_of(call) & kSetTls; }
bool clone_uses_child_tid(const Call& call) { return flags_of(call) & (kChildSettid | kChildCleartid); }

}  // namespace strut

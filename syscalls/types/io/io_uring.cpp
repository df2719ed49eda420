#include "syscalls/types/io/io_uring.hpp"

#include <algorithm>
#include <array>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reads.hpp"
#include "syscalls/types/common/reserved.hpp"
#include "syscalls/types/io/io_uring_objects.hpp"
#include "syscalls/types/io/io_uring_register.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- struct io_uring_params -------------------------------------------------------------------------
constexpr FieldType kSqOffsetFields[] = {
    field("head", kUInt), field("tail", kUInt), field("ring_mask", kUInt), field("ring_entries", kUInt),
    field("flags", kUInt), field("dropped", kUInt), field("array", kUInt), field("resv1", kHex32, not_zero<28, 4>),
    field("user_addr", kHex64),
};
constexpr FieldType kCqOffsetFields[] = {
    field("head", kUInt), field("tail", kUInt), field("ring_mask", kUInt), field("ring_entries", kUInt),
    field("overflow", kUInt), field("cqes", kUInt), field("flags", kUInt), field("resv1", kHex32, not_zero<28, 4>),
    field("user_addr", kHex64),
};
constexpr StructLayout kSqOffsets = {"io_sqring_offsets", kSqOffsetFields};
constexpr StructLayout kCqOffsets = {"io_cqring_offsets", kCqOffsetFields};

constexpr uint32_t kAttachWq = 1u << 5;
bool failed(Decoder& decoder, Addr) { return decoder.call().error != 0; }
constexpr FieldType kParamsFields[] = {
    at(8, field("flags", named(kUringSetupFlags))),
    at(12, field("sq_thread_cpu", kHex32)),
    at(16, field("sq_thread_idle", kUInt)),
    at(24, field("wq_fd", kFd, word_has<8, kAttachWq>)),
    at(28, field("resv", kReserved<3>, not_zero<28, 12>)),
    at(0, field("sq_entries", kUInt, unless<failed>)),
    at(4, field("cq_entries", kUInt, unless<failed>)),
    at(20, field("features", named(kUringFeatures), unless<failed>)),
    at(40, field("sq_off", structure(kSqOffsets), unless<failed>)),
    at(80, field("cq_off", structure(kCqOffsets), unless<failed>)),
};
constexpr StructLayout kParamsLayout = {"io_uring_params", kParamsFields};
static_assert(size_of(kParamsLayout, Abi::X86_64) == 120 && size_of(kParamsLayout, Abi::I386) == 120);

// -- io_uring_enter ---------------------------------------------------------------------------------
/// The flags say how the argument is passed.
constexpr uint64_t kExtArg = 1u << 3, kExtArgReg = 1u << 6;
template <uint64_t kHow>
bool passed(Decoder& decoder, Addr) {
  return (argument_of(decoder, 3) & (kExtArg | kExtArgReg)) == kHow;
}

constexpr Type kSigsetPointer = pointer_to(kSigset), kWideSigset = wide(kSigsetPointer);
constexpr FieldType kGeteventsFields[] = {
    field("sigmask", kEither<word_is<8, 8>, kWideSigset, kWideAddress>), field("sigmask_sz", kUInt),
    field("min_wait_usec", kUInt), field("ts", wide(pointer_to(kTimespec64))),
};
constexpr StructLayout kGeteventsLayout = {"io_uring_getevents_arg", kGeteventsFields};
constexpr Type kGetevents = structure(kGeteventsLayout), kGeteventsPointer = pointer_to(kGetevents);
constexpr Type kMask = kEither<arg_is<5, 8>, kSigsetPointer, kAddress>;
constexpr Type kMaskOrOffset = kEither<passed<kExtArgReg>, kUnsignedResult, kMask>;

// -- io_uring_register --------------------------------------------------------------------------------
/// Descriptors behind a 64-bit pointer, as many as argument 3 says.
constexpr FieldType kFilesUpdateFields[] = {
    field("offset", kUInt), field("resv", kHex32, not_zero<4, 4>),
    field("fds", wide(pointer_to(kUringFdOrSkip, by_arg(3)))),
};
constexpr StructLayout kFilesUpdateLayout = {"io_uring_files_update", kFilesUpdateFields};
constexpr Type kFilesUpdate = structure(kFilesUpdateLayout);

constexpr Constant kProbeFlagNames[] = {{1, "IO_URING_OP_SUPPORTED"}};
constinit const ConstantSet kProbeFlags = flag_set("IO_URING_OP_???", kProbeFlagNames);
constexpr FieldType kProbeOpFields[] = {
    field("op", named(kUringOps, Width::B1)), field("resv", number(Width::B1, Show::Hex), not_zero<1, 1>),
    field("flags", named(kProbeFlags, Width::B2)), field("resv2", kHex32, not_zero<4, 4>),
};
constexpr StructLayout kProbeOpLayout = {"io_uring_probe_op", kProbeOpFields};
constexpr Type kProbeOp = structure(kProbeOpLayout);

struct ProbeHead {
  uint8_t last_op, ops_len;
  uint16_t reserved;
  uint32_t reserved2[3];
};

/// struct io_uring_probe with so many of its operations; `more` of them are there.
Value probe(Decoder& decoder, Addr at, uint64_t count, bool more) {
  ProbeHead head;
  if (!decoder.read(at, head)) return decoder.missing(at);
  std::array<FieldValue, 5> fields = {{
      {"last_op", Decoder::named(head.last_op, kUringOps, 1)},
      {"ops_len", Decoder::number(head.ops_len, Show::Unsigned)},
  }};
  size_t held = 2;
  if (head.reserved != 0) fields[held++] = {"resv", Decoder::number(head.reserved, Show::Hex)};
  if (head.reserved2[0] | head.reserved2[1] | head.reserved2[2])
    fields[held++] = {"resv2", decoder.array(kHex32, at + offsetof(ProbeHead, reserved2), std::size(head.reserved2))};
  Value operations = decoder.array(kProbeOp, at + sizeof head, count);
  if (auto* array = std::get_if<Array>(&operations.is); array && more && raw(array->unreadable_at) == 0)
    array->cut = true;
  fields[held++] = {"ops", operations};
  return decoder.fields(std::span(fields).first(held));
}

/// The bytes that the caller passes should be zeros, and then are not shown.
Value decode_probe(Decoder& decoder, uint64_t at, size_t) {
  constexpr uint64_t kMaxOperations = 256, kOperationBytes = 8;
  uint64_t room = static_cast<uint32_t>(decoder.arg(3));
  const Value* before = decoder.at_enter(2);
  if (decoder.phase() == Phase::Enter || !before) {
    auto given = decoder.all_bytes(Addr{at}, sizeof(ProbeHead) + kOperationBytes * std::min(room, kMaxOperations));
    if (!given) return decoder.missing(Addr{at});
    return given->find_first_not_of('\0') == given->npos ? Decoder::number(0, Show::Hex)
                                                         : probe(decoder, Addr{at}, room, false);
  }
  bool passed = std::holds_alternative<Struct>(before->is),
       unread = !passed && !std::holds_alternative<Number>(before->is);
  if (unread) return *before;
  if (decoder.call().error != 0) return passed ? *before : Decoder::address(at);
  uint64_t there = decoder.read_number(Addr{at} + 1, Width::B1).value_or(0);
  Value now = probe(decoder, Addr{at}, std::min(there, room), there > room);
  return passed ? decoder.change(*before, now) : now;
}

constexpr uint32_t kMaxCpus = 1024;
constexpr Type kWorkerCpus = bit_set(kUInt, at_most(kMaxCpus, by_arg(3)));

constexpr FieldType kRingFdFields[] = {
    field("offset", number(Width::B4, Show::Id)), field("resv", kHex32, not_zero<4, 4>),
    field("data", kFd), padding_bytes(4),
};
constexpr StructLayout kRingFdLayout = {"io_uring_rsrc_update", kRingFdFields};
constexpr FieldType kRingSlotFields[] = {
    field("offset", kUInt), field("resv", kHex32, not_zero<4, 4>), field("data", kHex64, not_zero<8, 8>),
};
constexpr StructLayout kRingSlotLayout = {"io_uring_rsrc_update", kRingSlotFields};

constexpr Type kRingFd = structure(kRingFdLayout), kRingSlot = structure(kRingSlotLayout);
constexpr Type kProbe = custom(decode_probe, sizeof(ProbeHead) + 256 * 8, Width::B4);  // of all operations

constexpr Type kR = kUnsignedResult;
constexpr uint32_t kUseRegisteredRing = 0x80000000;  // IORING_REGISTER_USE_REGISTERED_RING
constexpr Type kRegisterOp = named(kUringRegisterOps), kRegisterFlag = named(kUringRegisterFlags);
constexpr WordPart kRegisterParts[] = {
    part(~kUseRegisteredRing, kRegisterOp), part_if_any(kUseRegisteredRing, kRegisterFlag),
};
// A registered ring has no target to be shown, but filters of descriptors take its number for one.
constexpr Type kRingNumber = unnamed(kFd);
constexpr Type kRegisteredRing = kEither<int_is<0x80000000, 0xffffffff>, kUInt, kRingNumber>;
constexpr ArgType kCount = uinteger("nr_args");
constexpr ArgType fds(const char* name) { return array_in(name, kFd, by_arg(3)); }
/// A structure of which argument 3 counts one.
template <const Type& kObject>
constexpr Type kOne = kEither<int_arg_is<3, 1>, kReadsOne<kObject>, kAddress>;
template <const Type& kObject>
constexpr ArgType one(Direction direction = Direction::In) { return arg("arg", kOne<kObject>, direction); }
/// Before and after, though nothing changed.
constexpr ArgType shown_twice(ArgType argument) {
  argument.shows_both = true;
  return argument;
}
constexpr Type kClock = kEither<arg_is<3, 0>, kReadsOne<kUringClock>, kAddress>;
constexpr CommandRow kRows[] = {
    command(0, kR, array_in("arg", kIovec, by_arg(3)), kCount),
    command(2, kR, fds("arg"), kCount),
    command(4, kR, fds("arg"), kCount),
    command(6, kR, in("arg", kFilesUpdate), kCount),
    command(7, kR, fds("arg"), kCount),
    command(8, kR, even_on_failure(remembered(out("arg", kProbe))), kCount),
    command(11, kR, array_in("arg", kUringRestriction, by_arg(3)), kCount),
    command(13, kR, in("arg", kUringFilesRegister), kCount),
    command(14, kR, in("arg", kUringFilesUpdate), kCount),
    command(15, kR, in("arg", kUringBuffersRegister), kCount),
    command(16, kR, in("arg", kUringBuffersUpdate), kCount),
    command(17, kR, in("arg", kWorkerCpus), kCount),
    command(19, kR, even_on_failure(remembered(array_out("arg", kUringWorkerLimits, by_arg(3)))), kCount),
    command(20, kR, array_in("arg", kRingFd, by_arg(3)), kCount),
    command(21, kR, array_in("arg", kRingSlot, by_arg(3)), kCount),
    command(22, kR, one<kUringBufferRing>(), kCount),
    command(23, kR, one<kUringBufferRing>(), kCount),
    command(24, kR, one<kUringCancel>(), kCount),
    command(25, kR, one<kUringFileRange>(), kCount),
    command(26, kR, one<kUringBufferStatus>(Direction::Out), kCount),
    command(27, kR, shown_twice(one<kUringPolling>(Direction::InOut)), kCount),
    command(28, kR, one<kUringPolling>(Direction::Out), kCount),
    command(29, kR, arg("arg", kClock), kCount),
    command(30, kR, one<kUringClone>(), kCount),
    command(32, kR, one<kZcrxQueue>(), kCount),
    command(33, kR, one<kUringResize>(), kCount),
    command(34, kR, one<kUringRegion>(), kCount),
    command(35, kR, in("arg", kUringQuery), kCount),
    command(36, kR, one<kZcrxControl>(), kCount),
};

}  // namespace

constinit const Type kUringParams = structure(kParamsLayout);
constinit const Choice kUringArgumentForms = {passed<kExtArg>, &kGeteventsPointer, &kMaskOrOffset};
constinit const Choice kUringRings = {arg_has<1, kUseRegisteredRing>, &kRegisteredRing, &kFd};
constinit const WordLayout kUringRegisterWord = {.parts = kRegisterParts, .one_is_plain = true};
constinit const CommandTable kUringRegisterCommands = {1, 2, kRows, 0x7fffffff};

}  // namespace strut

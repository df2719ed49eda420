#include "syscalls/types/io/io_uring.hpp"

#include <algorithm>
#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/io/io_uring_objects.hpp"
#include "syscalls/types/io/io_uring_register.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- struct io_uring_params -------------------------------------------------------------------------
struct Offsets {
  uint32_t words[8];
  uint64_t user_addr;
};
struct Params {
  uint32_t sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, features, wq_fd, reserved[3];
  Offsets sq, cq;
};
static_assert(sizeof(Params) == 120);

constexpr uint32_t kAttachWq = 1u << 5;
using OffsetNames = std::array<const char*, 8>;
constexpr OffsetNames kSqNames = {"head", "tail", "ring_mask", "ring_entries", "flags", "dropped", "array", "resv1"};
constexpr OffsetNames kCqNames = {"head", "tail", "ring_mask", "ring_entries", "overflow", "cqes", "flags", "resv1"};

Value words(Decoder& decoder, std::span<const uint32_t> numbers) {
  std::span<Value> items = decoder.arena().array<Value>(numbers.size());
  for (size_t i = 0; i < numbers.size(); i++) items[i] = Decoder::number(numbers[i], Show::Hex);
  return decoder.listed(items);
}

/// Offsets into a ring; the reserved word behind them only if it is used.
Value offsets(Decoder& decoder, const Offsets& ring, const OffsetNames& names) {
  std::array<FieldValue, 9> fields;
  size_t count = 0;
  for (; count < 7; count++) fields[count] = {names[count], Decoder::number(ring.words[count], Show::Unsigned)};
  if (ring.words[7] != 0) fields[count++] = {names[7], Decoder::number(ring.words[7], Show::Hex)};
  fields[count++] = {"user_addr", Decoder::number(ring.user_addr, Show::Hex)};
  return decoder.fields(std::span(fields).first(count));
}

// -- io_uring_enter ---------------------------------------------------------------------------------
constexpr uint32_t kExtArg = 1u << 3, kExtArgReg = 1u << 6;

/// struct io_uring_getevents_arg.
struct GeteventsArg {
  uint64_t sigmask;
  uint32_t sigmask_bytes, min_wait_usec;
  uint64_t timeout;
};

constexpr Type kSigsetPointer = wide(pointer_to(kSigset)), kTimeoutPointer = wide(pointer_to(kTimespec64));

Value masked(Decoder& decoder, uint64_t mask, uint64_t bytes) {
  return bytes == 8 ? decoder.pointee(kSigsetPointer, mask) : Decoder::address(mask);
}

Value getevents_arg(Decoder& decoder, Addr at) {
  GeteventsArg arg;
  if (raw(at) == 0 || !decoder.dereferences()) return Decoder::address(raw(at));
  if (!decoder.read(at, arg)) return decoder.missing(at);
  FieldValue fields[] = {
      {"sigmask", masked(decoder, arg.sigmask, arg.sigmask_bytes)},
      {"sigmask_sz", Decoder::number(arg.sigmask_bytes, Show::Unsigned)},
      {"min_wait_usec", Decoder::number(arg.min_wait_usec, Show::Unsigned)},
      {"ts", decoder.pointee(kTimeoutPointer, arg.timeout)},
  };
  return decoder.fields(fields);
}

// The memory that is read of the structure.
constexpr FieldType kReadFields[] = {
    at(0, field("sigmask", kSigsetPointer)),
    at(8, padding(kU64)),
    at(16, field("ts", kTimeoutPointer)),
    at(20, padding(kUInt)),
};
constexpr FieldType kParamsFields[] = {at(24, field("wq_fd", kFd)), at(112, padding(kU64))};
constexpr StructLayout kParamsLayout = {"io_uring_params", kParamsFields};
static_assert(size_of(kParamsLayout, Abi::X86_64) == sizeof(Params));
constexpr StructLayout kReadLayout = {"io_uring_getevents_arg", kReadFields};

// -- io_uring_register --------------------------------------------------------------------------------
template <size_t kOffset, Width kWidth>
bool is_used(Decoder& decoder, Addr at) {
  return decoder.read_number(at + kOffset, kWidth).value_or(0) != 0;
}

/// struct io_uring_files_update: descriptors behind a 64-bit pointer, as many as argument 3 says.
Value decode_files_update(Decoder& decoder, uint64_t at, size_t) {
  struct {
    uint32_t offset, reserved;
    uint64_t fds;
  } update;
  if (!decoder.read(Addr{at}, update)) return decoder.missing(Addr{at});
  std::array<FieldValue, 3> fields = {{{"offset", Decoder::number(update.offset, Show::Unsigned)}}};
  size_t count = 1;
  if (update.reserved != 0) fields[count++] = {"resv", Decoder::number(update.reserved, Show::Hex)};
  fields[count++] = {"fds", decoder.array(kUringFdOrSkip, Addr{update.fds}, decoder.arg(3))};
  return decoder.fields(std::span(fields).first(count));
}

constexpr Constant kProbeFlagNames[] = {{1, "IO_URING_OP_SUPPORTED"}};
constinit const ConstantSet kProbeFlags = flag_set("IO_URING_OP_???", kProbeFlagNames);
constexpr FieldType kProbeOpFields[] = {
    field("op", named(kUringOps, Width::B1)), field("resv", number(Width::B1, Show::Hex), is_used<1, Width::B1>),
    field("flags", named(kProbeFlags, Width::B2)), field("resv2", kHex32, is_used<4, Width::B4>),
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
    fields[held++] = {"resv2", words(decoder, head.reserved2)};
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

/// A CPU set of as many bytes as argument 3 says.
Value decode_worker_cpus(Decoder& decoder, uint64_t at, size_t) {
  constexpr uint64_t kMaxBytes = 128;
  std::array<uint8_t, kMaxBytes> set;
  size_t held = std::min(decoder.arg(3), kMaxBytes), count = 0;
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(std::span(set)).first(held)))
    return decoder.missing(Addr{at});
  std::span<Value> cpus = decoder.arena().array<Value>(held * 8);
  for (size_t cpu = 0; cpu < held * 8; cpu++)
    if (set[cpu / 8] >> (cpu % 8) & 1) cpus[count++] = Decoder::number(cpu, Show::Unsigned);
  return {Array{cpus.first(count), ArrayStyle::Set, held < decoder.arg(3), {}}, {}};
}

constexpr FieldType kRingFdFields[] = {
    field("offset", number(Width::B4, Show::Id)), field("resv", kHex32, is_used<4, Width::B4>),
    field("data", reading(custom([](Decoder& decoder, uint64_t at, size_t) {
            auto fd = decoder.read_number(Addr{at}, Width::B8);
            return fd ? decoder.fd(static_cast<int32_t>(*fd)) : decoder.missing(Addr{at});
          }, 8, Width::B8), kFd)),
};
constexpr StructLayout kRingFdLayout = {"io_uring_rsrc_update", kRingFdFields};
constexpr FieldType kRingSlotFields[] = {
    field("offset", kUInt), field("resv", kHex32, is_used<4, Width::B4>), field("data", kHex64, is_used<8, Width::B8>),
};
constexpr StructLayout kRingSlotLayout = {"io_uring_rsrc_update", kRingSlotFields};

constexpr Type kRingFd = structure(kRingFdLayout), kRingSlot = structure(kRingSlotLayout);
constexpr FieldType kFilesUpdateRead[] = {at(8, field("fds", wide(pointer_to(kUringFdOrSkip, by_arg(3)))))};
constexpr StructLayout kFilesUpdateLayout = {"io_uring_files_update", kFilesUpdateRead};
constexpr Type kFilesUpdateObject = structure(kFilesUpdateLayout);
constexpr Type kFilesUpdate = reading(custom(decode_files_update, 16, Width::B4), kFilesUpdateObject);
constexpr Type kProbe = custom(decode_probe, sizeof(ProbeHead) + 256 * 8, Width::B4);  // of all operations
constexpr Type kWorkerCpus = custom(decode_worker_cpus, 8, Width::B1);

constexpr Type kR = kUnsignedResult;
constexpr uint32_t kUseRegisteredRing = 0x80000000;  // IORING_REGISTER_USE_REGISTERED_RING
constexpr ArgType kCount = uinteger("nr_args");
constexpr ArgType fds(const char* name) { return array_in(name, kFd, by_arg(3)); }
constexpr CommandRow kRows[] = {
    command(0, kR, array_in("arg", kIovecsNamed, by_arg(3)), kCount),
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
    command(22, kR, in("arg", kUringBufferRing), kCount),
    command(23, kR, in("arg", kUringBufferRing), kCount),
    command(24, kR, in("arg", kUringCancel), kCount),
    command(25, kR, in("arg", kUringFileRange), kCount),
    command(26, kR, out("arg", kUringBufferStatus), kCount),
    command(27, kR, even_on_failure(remembered(out("arg", kUringPollingChange))), kCount),
    command(28, kR, out("arg", kUringPolling), kCount),
    command(29, kR, in("arg", kUringClock), kCount),
    command(30, kR, in("arg", kUringClone), kCount),
    command(32, kR, in("arg", kZcrxQueue), kCount),
    command(33, kR, in("arg", kUringResize), kCount),
    command(34, kR, in("arg", kUringRegion), kCount),
    command(35, kR, in("arg", kUringQuery), kCount),
    command(36, kR, in("arg", kZcrxControl), kCount),
};

}  // namespace

constinit const Type kUringParamsRead = structure(kParamsLayout);
constinit const Type kUringArgumentRead = structure(kReadLayout);
constinit const CommandTable kUringRegisterCommands = {1, 2, kRows, 0x7fffffff};

Value decode_uring_params(Decoder& decoder, uint64_t at, size_t) {
  Params params;
  if (!decoder.read(Addr{at}, params)) return decoder.missing(Addr{at});
  std::array<FieldValue, 10> fields;
  size_t count = 0;
  auto add = [&](std::string_view name, const Value& value) { fields[count++] = {name, value}; };
  add("flags", Decoder::named(params.flags, kUringSetupFlags));
  add("sq_thread_cpu", Decoder::number(params.sq_thread_cpu, Show::Hex));
  add("sq_thread_idle", Decoder::number(params.sq_thread_idle, Show::Unsigned));
  if (params.flags & kAttachWq) add("wq_fd", decoder.fd(static_cast<int32_t>(params.wq_fd)));
  if (params.reserved[0] | params.reserved[1] | params.reserved[2]) add("resv", words(decoder, params.reserved));
  if (decoder.call().error != 0) return decoder.fields(std::span(fields).first(count));
  add("sq_entries", Decoder::number(params.sq_entries, Show::Unsigned));
  add("cq_entries", Decoder::number(params.cq_entries, Show::Unsigned));
  add("features", Decoder::named(params.features, kUringFeatures));
  add("sq_off", offsets(decoder, params.sq, kSqNames));
  add("cq_off", offsets(decoder, params.cq, kCqNames));
  return decoder.fields(std::span(fields).first(count));
}

// A registered ring has no target to be shown, but filters of descriptors take its number for one.
Value decode_uring_ring(Decoder& decoder, uint64_t ring, size_t) {
  uint32_t number = static_cast<uint32_t>(ring);
  if (!(decoder.arg(1) & kUseRegisteredRing)) return decoder.fd(static_cast<int32_t>(number));
  if (number >> 31) return Decoder::number(number, Show::Unsigned, 4);
  return {Fd{static_cast<int32_t>(number), nullptr, false}, {}};
}

Value decode_uring_register_op(Decoder& decoder, uint64_t opcode, size_t) {
  uint32_t bits = static_cast<uint32_t>(opcode);
  Value operation = Decoder::named(bits & ~kUseRegisteredRing, kUringRegisterOps);
  if (!(bits & kUseRegisteredRing)) return operation;
  std::span<Value> parts = decoder.arena().array<Value>(2);
  parts[0] = operation;
  parts[1] = Decoder::named(kUseRegisteredRing, kUringRegisterFlags);
  return {Union{.parts = parts, .apart = true}, {}};
}

Value decode_uring_argument(Decoder& decoder, uint64_t argument, size_t) {
  uint32_t flags = static_cast<uint32_t>(decoder.arg(3));
  bool extended = flags & kExtArg, by_region = flags & kExtArgReg;
  if (extended && !by_region) return getevents_arg(decoder, Addr{argument});
  if (by_region && !extended) return Decoder::number(argument, Show::Unsigned);
  return masked(decoder, argument, decoder.arg(5));
}

}  // namespace strut

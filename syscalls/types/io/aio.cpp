#include "syscalls/types/io/aio.hpp"

#include <linux/aio_abi.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reads.hpp"
#include "syscalls/types/fs/file_ops.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/io/poll.hpp"
#include "syscalls/types/process/sched.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kCommandNames[] = {
    {0, "IOCB_CMD_PREAD"}, {1, "IOCB_CMD_PWRITE"}, {2, "IOCB_CMD_FSYNC"}, {3, "IOCB_CMD_FDSYNC"},
    {4, "IOCB_CMD_PREADX"}, {5, "IOCB_CMD_POLL"}, {6, "IOCB_CMD_NOOP"}, {7, "IOCB_CMD_PREADV"},
    {8, "IOCB_CMD_PWRITEV"},
};
constexpr Constant kFlagNames[] = {{1, "IOCB_FLAG_RESFD"}, {2, "IOCB_FLAG_IOPRIO"}};
constinit const ConstantSet kCommands = enumeration("IOCB_CMD_???", kCommandNames, NumberBase::Decimal);
constinit const ConstantSet kFlags = flag_set("IOCB_FLAG_???", kFlagNames);

/// The operation is one of these.
template <uint16_t... kCommand>
bool does(Decoder& decoder, Addr request) {
  constexpr uint16_t kOpcodeAt = 16;
  uint64_t opcode = word_at(decoder, request + kOpcodeAt, Width::B2);
  return ((opcode == kCommand) || ...);
}
constexpr FieldCondition kReads = does<IOCB_CMD_PREAD>, kWrites = does<IOCB_CMD_PWRITE>;
constexpr FieldCondition kReadsBuffers = does<IOCB_CMD_PREADV>, kWritesBuffers = does<IOCB_CMD_PWRITEV>;
constexpr FieldCondition kHasBytes = does<IOCB_CMD_PREAD, IOCB_CMD_PWRITE>, kPolls = does<IOCB_CMD_POLL>;
constexpr FieldCondition kHasOffset = does<IOCB_CMD_PREAD, IOCB_CMD_PWRITE, IOCB_CMD_PREADV, IOCB_CMD_PWRITEV>;
constexpr FieldCondition kHasFlags =
    does<IOCB_CMD_PREAD, IOCB_CMD_PWRITE, IOCB_CMD_PREADV, IOCB_CMD_PWRITEV, IOCB_CMD_POLL>;
constexpr FieldCondition kHasPriority = word_has<56, IOCB_FLAG_IOPRIO>, kHasEvent = word_has<56, IOCB_FLAG_RESFD>;

constexpr Type kIoprio16 = word(kIoprioFormInHex, Width::B2);
constexpr FieldType kRequestFields[] = {
    at(60, padding(kUInt)),  // the flag of a priority stands behind all that names the request
    at(0, field("aio_data", kHex64)),
    at(8, field("aio_key", kUInt, not_zero<8, 4>)),
    at(12, field("aio_rw_flags", named(kReadWriteFlags), not_zero<12, 4>)),
    at(16, field("aio_lio_opcode", named(kCommands, Width::B2))),
    at(18, field("aio_reqprio", kIoprio16, kHasPriority)),
    at(18, field("aio_reqprio", kS16, both<unless<kHasPriority>, not_zero<18, 2>>)),
    at(20, field("aio_fildes", kFd)),
    at(32, padding(kU64)),
    at(24, field("aio_buf", wide(pointer_to(kBytes, by_field(8))), kWrites)),
    at(24, field("aio_buf", kHex64, kReads)),
    at(24, field("aio_buf", wide(pointer_to(kIovecsWritten, by_field(8))), kWritesBuffers)),
    at(24, field("aio_buf", wide(pointer_to(kIovec, by_field(8))), kReadsBuffers)),
    at(24, field("aio_buf", named(kPollEvents, Width::B8), kPolls)),
    at(32, field("aio_nbytes", kU64, kHasBytes)),
    at(40, field("aio_offset", kS64, kHasOffset)),
    at(56, field("aio_flags", named(kFlags), both<kHasFlags, not_zero<56, 4>>)),
    at(60, field("aio_resfd", kFd, both<kHasFlags, kHasEvent>)),
    at(60, field("aio_resfd", kHex32, both<kHasFlags, both<unless<kHasEvent>, not_zero<60, 4>>>)),
};
constexpr StructLayout kRequestLayout = {"iocb", kRequestFields};
static_assert(size_of(kRequestLayout, Abi::X86_64) == sizeof(iocb));

// The memory that is read, once for all operations: the request, and the start of its data, or of its array of buffers.
constexpr Type kWrittenRead = pointer_to(kWhole<256>, by_field(1));
constexpr FieldType kReadFields[] = {at(20, field("aio_fildes", kFd)), at(60, field("aio_resfd", kFd)),
                                     at(24, field("aio_buf", kWrittenRead)), at(32, field("aio_nbytes", kU64)),
                                     at(40, padding(array_of(kU64, 3)))};
constexpr StructLayout kReadLayout = {"iocb", kReadFields};
static_assert(size_of(kReadLayout, Abi::X86_64) == sizeof(iocb));
constexpr Type kIocbRead = structure(kReadLayout), kIocb = reading(structure(kRequestLayout), kIocbRead);
constexpr Type kIocbPointer = pointer_to(kIocb), kIocbPointers = pointer_to(kIocbPointer, at_most(1u << 16, by_arg(1)));

// The members that name a request, of which no buffer is shown.
constexpr StructLayout kNamedLayout = {"iocb", std::span(kRequestFields).first(8)};

constexpr FieldType kEventFields[] = {
    field("data", kHex64), field("obj", kHex64), field("res", kS64), field("res2", kS64),
};
constexpr StructLayout kEventLayout = {"io_event", kEventFields};
static_assert(size_of(kEventLayout, Abi::X86_64) == sizeof(io_event));

int64_t count_of(Decoder& decoder, uint64_t bits) {
  return pointer_bytes(decoder.abi()) == 8 ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits);
}

bool is_negative(Decoder& decoder, Addr) { return count_of(decoder, decoder.arg(1)) < 0; }

}  // namespace

constinit const Choice kIocbsOrAddress = {is_negative, &kAddress, &kIocbPointers};
constinit const Type kNamedIocb = structure(kNamedLayout);
constinit const Type kIoEvent = structure(kEventLayout);

Value aio_count(Decoder& decoder, uint64_t bits) {
  return Decoder::number(static_cast<uint64_t>(count_of(decoder, bits)), Show::Signed);
}

}  // namespace strut

#include "syscalls/types/io/aio.hpp"

#include <algorithm>

#include <linux/aio_abi.h>

#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/fs/file_ops.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/io/poll.hpp"
#include "syscalls/types/process/sched.hpp"
#include "syscalls/types/common/reads.hpp"

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

constexpr uint64_t kMaxRequests = 1u << 16;

Value number(uint64_t bits, Show show, uint8_t bytes) { return Decoder::number(bits, show, bytes); }
Value signed_number(int64_t bits, uint8_t bytes) { return number(static_cast<uint64_t>(bits), Show::Signed, bytes); }

void add_common(Decoder& decoder, const iocb& request, FieldList& fields) {
  fields.add("aio_data", number(request.aio_data, Show::Hex, 8));
  if (request.aio_key != 0) fields.add("aio_key", number(request.aio_key, Show::Unsigned, 4));
  if (request.aio_rw_flags != 0)
    fields.add("aio_rw_flags", Decoder::named(static_cast<uint32_t>(request.aio_rw_flags), kReadWriteFlags));
  fields.add("aio_lio_opcode", Decoder::named(request.aio_lio_opcode, kCommands, 2));
  if (request.aio_flags & IOCB_FLAG_IOPRIO)
    fields.add("aio_reqprio", io_priority(decoder, static_cast<uint16_t>(request.aio_reqprio), Show::Hex));
  else if (request.aio_reqprio != 0)
    fields.add("aio_reqprio", signed_number(request.aio_reqprio, 2));
  fields.add("aio_fildes", decoder.fd(static_cast<int32_t>(request.aio_fildes)));
}

void add_transfer(Decoder& decoder, const iocb& request, FieldList& fields) {
  Addr buffer{request.aio_buf};
  switch (request.aio_lio_opcode) {
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PWRITE: {
      bool writes = request.aio_lio_opcode == IOCB_CMD_PWRITE;
      fields.add("aio_buf",
                 writes ? decoder.buffer(buffer, request.aio_nbytes) : number(request.aio_buf, Show::Hex, 8));
      fields.add("aio_nbytes", number(request.aio_nbytes, Show::Unsigned, 8));
      break;
    }
    case IOCB_CMD_PREADV:
    case IOCB_CMD_PWRITEV: {
      bool writes = request.aio_lio_opcode == IOCB_CMD_PWRITEV;
      fields.add("aio_buf", writes ? decode_iovecs(decoder, buffer, request.aio_nbytes, ~0ull)
                                   : decoder.array(kIovec, buffer, request.aio_nbytes));
      break;
    }
    case IOCB_CMD_POLL:
      fields.add("aio_buf", Decoder::named(request.aio_buf, kPollEvents, 8));
      return;
    default: return;
  }
  fields.add("aio_offset", signed_number(request.aio_offset, 8));
}

bool transfers(const iocb& request) {
  switch (request.aio_lio_opcode) {
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PWRITE:
    case IOCB_CMD_PREADV:
    case IOCB_CMD_PWRITEV:
    case IOCB_CMD_POLL: return true;
    default: return false;
  }
}

Value submitted(Decoder& decoder, Addr at) {
  iocb request;
  if (!decoder.read(at, request)) return decoder.missing(at);
  FieldList fields;
  add_common(decoder, request, fields);
  if (transfers(request)) {
    add_transfer(decoder, request, fields);
    if (request.aio_flags != 0) fields.add("aio_flags", Decoder::named(request.aio_flags, kFlags));
    if (request.aio_flags & IOCB_FLAG_RESFD)
      fields.add("aio_resfd", decoder.fd(static_cast<int32_t>(request.aio_resfd)));
    else if (request.aio_resfd != 0)
      fields.add("aio_resfd", number(request.aio_resfd, Show::Hex, 4));
  }
  return fields.structure(decoder);
}

Value decode_request(Decoder& decoder, uint64_t at, size_t) {
  auto pointer = decoder.read_number(Addr{at}, Width::Long);
  if (!pointer) return decoder.missing(Addr{at});
  return *pointer == 0 ? Decoder::address(0) : submitted(decoder, Addr{*pointer});
}
constexpr Type kRequest = custom(decode_request, 8, Width::Long);
constexpr Type kRequest32 = custom(decode_request, 4, Width::Long);

// The memory that is read: the request, and the start of its data, or of its array of buffers.
constexpr Type kWrittenRead = pointer_to(kWhole<256>, by_field(1));
constexpr FieldType kReadFields[] = {at(20, field("aio_fildes", kFd)), at(60, field("aio_resfd", kFd)),
                                     at(24, field("aio_buf", kWrittenRead)), at(32, field("aio_nbytes", kU64)),
                                     at(40, padding(array_of(kU64, 3)))};
constexpr StructLayout kReadLayout = {"iocb", kReadFields};
static_assert(size_of(kReadLayout, Abi::X86_64) == sizeof(iocb));
constexpr Type kIocbRead = structure(kReadLayout);

// The members that name a request, of which no buffer is shown.
constexpr FieldType kNamedFields[] = {at(20, field("aio_fildes", kFd)), at(60, field("aio_resfd", kFd))};
constexpr StructLayout kNamedLayout = {"iocb", kNamedFields};
static_assert(size_of(kNamedLayout, Abi::X86_64) == sizeof(iocb));

constexpr FieldType kEventFields[] = {
    field("data", kHex64), field("obj", kHex64), field("res", kS64), field("res2", kS64),
};
constexpr StructLayout kEventLayout = {"io_event", kEventFields};
static_assert(size_of(kEventLayout, Abi::X86_64) == sizeof(io_event));

int64_t count_of(Decoder& decoder, uint64_t bits) {
  return pointer_bytes(decoder.abi()) == 8 ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits);
}

}  // namespace

constinit const Type kIocbPointer = pointer_to(kIocbRead);
constinit const Type kNamedIocb = structure(kNamedLayout);

Value decode_iocbs(Decoder& decoder, uint64_t pointer, size_t) {
  int64_t count = count_of(decoder, decoder.arg(1));
  if (count < 0 || (!decoder.dereferences() && count != 0)) return Decoder::address(pointer);
  const Type& request = decoder.abi() == Abi::X86_64 ? kRequest : kRequest32;
  return decoder.array(request, Addr{pointer}, std::min(static_cast<uint64_t>(count), kMaxRequests));
}
Value decode_cancelled_iocb(Decoder& decoder, uint64_t pointer, size_t) {
  if (pointer == 0 || !decoder.dereferences()) return Decoder::address(pointer);
  iocb request;
  if (!decoder.read(Addr{pointer}, request)) return decoder.missing(Addr{pointer});
  FieldList fields;
  add_common(decoder, request, fields);
  return fields.structure(decoder);
}
constinit const Type kIoEvent = structure(kEventLayout);

Value decode_aio_count(Decoder& decoder, uint64_t bits, size_t) {
  return Decoder::number(static_cast<uint64_t>(count_of(decoder, bits)), Show::Signed);
}

}  // namespace strut

#include "syscalls/types/io/io_uring_objects.hpp"

#include <algorithm>
#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/trailing_bytes.hpp"
#include "syscalls/types/io/io_uring_constants.hpp"
#include "syscalls/types/io/iovec.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/io_uring.h>, <linux/io_uring/zcrx.h>
constexpr Constant kCancelNames[] = {
    {0x1, "IORING_ASYNC_CANCEL_ALL"}, {0x2, "IORING_ASYNC_CANCEL_FD"}, {0x4, "IORING_ASYNC_CANCEL_ANY"},
    {0x8, "IORING_ASYNC_CANCEL_FD_FIXED"}, {0x10, "IORING_ASYNC_CANCEL_USERDATA"}, {0x20, "IORING_ASYNC_CANCEL_OP"},
};
constexpr Constant kPollingNames[] = {
    {0, "IO_URING_NAPI_REGISTER_OP"}, {1, "IO_URING_NAPI_STATIC_ADD_ID"}, {2, "IO_URING_NAPI_STATIC_DEL_ID"},
};
constexpr Constant kTrackingNames[] = {
    {0, "IO_URING_NAPI_TRACKING_DYNAMIC"},
    {1, "IO_URING_NAPI_TRACKING_STATIC"},
    {255, "IO_URING_NAPI_TRACKING_INACTIVE"},
};
constexpr Constant kCloneNames[] = {{0x1, "IORING_REGISTER_SRC_REGISTERED"}, {0x2, "IORING_REGISTER_DST_REPLACE"}};
constexpr Constant kRegionNames[] = {{0x1, "IORING_MEM_REGION_REG_WAIT_ARG"}};
constexpr Constant kControlNames[] = {{0, "ZCRX_CTRL_FLUSH_RQ"}, {1, "ZCRX_CTRL_EXPORT"}, {2, "ZCRX_CTRL_ARM_EVENT"}};
constexpr Constant kEventNames[] = {{0, "ZCRX_EVENT_ALLOC_FAIL"}, {1, "ZCRX_EVENT_COPY"}};
constexpr Constant kSparseNames[] = {{0x1, "IORING_RSRC_REGISTER_SPARSE"}};
constexpr Constant kSkipNames[] = {{~1ull, "IORING_REGISTER_FILES_SKIP"}};  // -2
constinit const ConstantSet kCancelFlags = flag_set("IORING_ASYNC_CANCEL_???", kCancelNames);
constinit const ConstantSet kPollingOps = enumeration("IO_URING_NAPI_???", kPollingNames);
constinit const ConstantSet kTrackings = enumeration("IO_URING_NAPI_TRACKING_???", kTrackingNames);
constinit const ConstantSet kCloneFlags = flag_set("IORING_REGISTER_???", kCloneNames);
constinit const ConstantSet kRegionFlags = flag_set("IORING_MEM_REGION_REG_???", kRegionNames);
constinit const ConstantSet kControls = enumeration("ZCRX_CTRL_???", kControlNames);
constinit const ConstantSet kEvents = enumeration("ZCRX_EVENT_???", kEventNames);
constinit const ConstantSet kSparseFlags = flag_set("IORING_RSRC_REGISTER_???", kSparseNames);
constinit const ConstantSet kSkips = enumeration(nullptr, kSkipNames, NumberBase::Decimal);

/// True if any byte of this part of a structure is not zero.
template <size_t kFrom, size_t kBytes>
bool used(Decoder& decoder, Addr at) {
  std::array<std::byte, kBytes> bytes;
  if (!decoder.read_bytes(at + kFrom, bytes)) return false;
  return std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; });
}
template <size_t kFrom, uint32_t kValue>
bool holds(Decoder& decoder, Addr at) {
  return decoder.read_number(at + kFrom, Width::B4).value_or(0) == kValue;
}
constexpr Type kHex8 = number(Width::B1, Show::Hex), kHex16 = number(Width::B2, Show::Hex);

// -- layouts ----------------------------------------------------------------------------------------
constexpr Type kWords2 = array_of(kHex32, 2), kWords3 = array_of(kHex32, 3), kWords5 = array_of(kHex32, 5);
constexpr Type kWords8 = array_of(kHex32, 8), kWords11 = array_of(kHex32, 11), kBytes2 = array_of(kHex8, 2);
constexpr Type kBytes7 = array_of(kHex8, 7), kLongs2 = array_of(kHex64, 2), kLongs3 = array_of(kHex64, 3);
constexpr Type kLongs6 = array_of(kHex64, 6);

constexpr FieldType kBufferRingFields[] = {
    field("ring_addr", kWideAddress), field("ring_entries", kUInt), field("bgid", kU16), field("flags", kHex16),
    field("min_left", kUInt), field("resv", kWords5, used<20, 20>),
};
constexpr FieldType kBufferStatusFields[] = {
    field("buf_group", kHex32), field("head", kHex32), field("resv", kWords8, used<8, 32>),
};
constexpr FieldType kTimeoutFields[] = {field("tv_sec", kS64), field("tv_nsec", kS64)};
constexpr StructLayout kTimeoutLayout = {"__kernel_timespec", kTimeoutFields};
constexpr FieldType kCancelFields[] = {
    field("addr", kWideAddress),
    field("fd", kFd),
    field("flags", named(kCancelFlags)),
    at(16, field("timeout", structure(kTimeoutLayout))),
    at(32, field("opcode", named(kUringOpsInHex, Width::B1))),
    field("pad", kBytes7, used<33, 7>),
    at(40, field("pad2", kLongs3, used<40, 24>)),
};
constexpr FieldType kFileRangeFields[] = {
    field("off", kUInt), field("len", kUInt), field("resv", kHex64, used<8, 8>),
};
bool registers_polling(Decoder& decoder, Addr at) { return !used<5, 1>(decoder, at); }
constexpr FieldType kPollingFields[] = {
    field("busy_poll_to", kHex32), field("prefer_busy_poll", kHex8), field("opcode", named(kPollingOps, Width::B1)),
    field("pad", kBytes2, used<6, 2>), at(8, field("op_param", named(kTrackings), registers_polling)),
    at(8, field("op_param", kHex32, used<5, 1>)), field("resv", kHex32, used<12, 4>),
};
constexpr FieldType kCloneFields[] = {
    field("src_fd", kFd), field("flags", named(kCloneFlags)), field("src_off", kUInt), field("dst_off", kUInt),
    field("nr", kUInt), field("pad", kWords3, used<20, 12>),
};
constexpr FieldType kUserAddressFields[] = {field("user_addr", kHex64)};
constexpr StructLayout kUserAddressLayout = {"io_sqring_offsets", kUserAddressFields};
constexpr FieldType kResizeFields[] = {
    field("sq_entries", kUInt), field("cq_entries", kUInt), field("flags", named(kUringSetupFlags)),
    at(72, field("sq_off", structure(kUserAddressLayout), used<72, 8>)),
    at(112, field("cq_off", structure(kUserAddressLayout), used<112, 8>)), at(28, field("resv", kWords3, used<28, 12>)),
};
constexpr FieldType kRegionFields[] = {
    field("region_uptr", kWideAddress), field("flags", named(kRegionFlags, Width::B8)),
    field("__resv", kLongs2, used<16, 16>),
};
constexpr FieldType kZcrxOffsetsFields[] = {
    field("head", kUInt), field("tail", kUInt), field("rqes", kUInt), field("__resv2", kHex32, used<12, 4>),
    field("__resv", kLongs2, used<16, 16>),
};
constexpr StructLayout kZcrxOffsetsLayout = {"io_uring_zcrx_offsets", kZcrxOffsetsFields};
constexpr FieldType kZcrxQueueFields[] = {
    field("if_idx", kUInt), field("if_rxq", kUInt), field("rq_entries", kUInt), field("flags", named(kZcrxFlags)),
    field("area_ptr", kWideAddress), field("region_ptr", kWideAddress), field("offsets", structure(kZcrxOffsetsLayout)),
    field("zcrx_id", kUInt), field("rx_buf_len", kUInt), field("event_desc", kWideAddress),
    field("__resv", kLongs2, used<80, 16>),
};
constexpr FieldType kFlushFields[] = {field("__resv", kLongs6, used<0, 48>)};
constexpr FieldType kExportFields[] = {field("zcrx_fd", kFd), field("__resv1", kWords11, used<4, 44>)};
constexpr FieldType kArmFields[] = {field("event_type", named(kEvents)), field("__resv", kWords11, used<4, 44>)};
constexpr StructLayout kFlushLayout = {"zcrx_ctrl_flush_rq", kFlushFields};
constexpr StructLayout kExportLayout = {"zcrx_ctrl_export", kExportFields};
constexpr StructLayout kArmLayout = {"zcrx_ctrl_arm_event", kArmFields};
constexpr FieldType kControlFields[] = {
    field("zcrx_id", kUInt), field("op", named(kControls)), field("__resv", kLongs2, used<8, 16>),
    at(24, field("zc_flush", structure(kFlushLayout), holds<4, 0>)),
    at(24, field("zc_export", structure(kExportLayout), holds<4, 1>)),
    at(24, field("zc_arm_event", structure(kArmLayout), holds<4, 2>)),
};
constexpr StructLayout kBufferRing = {"io_uring_buf_reg", kBufferRingFields};
constexpr StructLayout kBufferStatus = {"io_uring_buf_status", kBufferStatusFields};
constexpr StructLayout kCancel = {"io_uring_sync_cancel_reg", kCancelFields};
constexpr StructLayout kFileRange = {"io_uring_file_index_range", kFileRangeFields};
constexpr StructLayout kPolling = {"io_uring_napi", kPollingFields};
constexpr StructLayout kClone = {"io_uring_clone_buffers", kCloneFields};
constexpr StructLayout kResize = {"io_uring_params", kResizeFields};
constexpr StructLayout kRegion = {"io_uring_mem_region_reg", kRegionFields};
constexpr StructLayout kQueue = {"io_uring_zcrx_ifq_reg", kZcrxQueueFields};
constexpr StructLayout kControl = {"zcrx_ctrl", kControlFields};
static_assert(size_of(kBufferRing, Abi::X86_64) == 40 && size_of(kBufferStatus, Abi::X86_64) == 40);
static_assert(size_of(kCancel, Abi::X86_64) == 64 && size_of(kCancel, Abi::I386) == 64);
static_assert(size_of(kPolling, Abi::X86_64) == 16 && size_of(kClone, Abi::X86_64) == 32);
static_assert(size_of(kResize, Abi::X86_64) == 120 && size_of(kRegion, Abi::I386) == 32);
static_assert(size_of(kQueue, Abi::X86_64) == 96 && size_of(kQueue, Abi::I386) == 96);
static_assert(size_of(kControl, Abi::X86_64) == 72 && size_of(kControl, Abi::I386) == 72);

template <const StructLayout& kLayout>
Value decode_one(Decoder& decoder, uint64_t at, size_t) {
  return static_cast<uint32_t>(decoder.arg(3)) == 1 ? decoder.structure(kLayout, Addr{at}) : Decoder::address(at);
}
template <const StructLayout& kLayout>
constexpr Type one() {
  return custom(decode_one<kLayout>, static_cast<uint32_t>(size_of(kLayout, Abi::X86_64)), Width::B4);
}

Value decode_polling_change(Decoder& decoder, uint64_t at, size_t) {
  const Value* before = decoder.at_enter(2);
  Value now = decode_one<kPolling>(decoder, at, 0);
  if (decoder.phase() == Phase::Enter || !before) return now;
  bool reported = decoder.call().error == 0 && std::holds_alternative<Struct>(before->is);
  return reported ? decoder.change(*before, now) : *before;
}

Value decode_fd_or_skip(Decoder& decoder, uint64_t at, size_t) {
  auto number = decoder.read_number(Addr{at}, Width::B4, true);
  if (!number) return decoder.missing(Addr{at});
  return kSkips.name_of(*number) ? Decoder::named(*number, kSkips) : decoder.fd(static_cast<int32_t>(*number));
}

// -- resources ----------------------------------------------------------------------------------------
struct Resources {
  uint32_t first, second;  // number and flags, or offset and a reserved word
  uint64_t words[3];       // a reserved word, data and tags; or data, tags and a number
};
constexpr size_t kResourceBytes = sizeof(Resources);
static_assert(kResourceBytes == 32);

bool is_whole(Decoder& decoder) { return static_cast<uint32_t>(decoder.arg(3)) >= kResourceBytes; }

Value ended(Decoder& decoder, FieldList& fields, uint64_t at) {
  uint64_t bytes = static_cast<uint32_t>(decoder.arg(3));
  Value rest = bytes > kResourceBytes ? trailing_bytes(decoder, Addr{at}, kResourceBytes, bytes) : Value{};
  if (!rest.absent()) fields.add("", rest);
  return fields.structure(decoder);
}
void add_items(Decoder& decoder, FieldList& fields, const Type& item, uint64_t items, uint64_t tags, uint64_t count) {
  fields.add("data", decoder.array(item, Addr{items}, count));
  fields.add("tags", decoder.array(kHex64, Addr{tags}, count));
}

template <const Type& kItem>
Value decode_register(Decoder& decoder, uint64_t at, size_t) {
  Resources given;
  if (!is_whole(decoder)) return Decoder::address(at);
  if (!decoder.read(Addr{at}, given)) return decoder.missing(Addr{at});
  FieldList fields;
  fields.add("nr", Decoder::number(given.first, Show::Unsigned));
  fields.add("flags", Decoder::named(given.second, kSparseFlags));
  if (given.words[0] != 0) fields.add("resv2", Decoder::number(given.words[0], Show::Hex));
  add_items(decoder, fields, kItem, given.words[1], given.words[2], given.first);
  return ended(decoder, fields, at);
}

template <const Type& kItem>
Value decode_update(Decoder& decoder, uint64_t at, size_t) {
  Resources given;
  if (!is_whole(decoder)) return Decoder::address(at);
  if (!decoder.read(Addr{at}, given)) return decoder.missing(Addr{at});
  uint32_t count = static_cast<uint32_t>(given.words[2]), reserved = static_cast<uint32_t>(given.words[2] >> 32);
  FieldList fields;
  fields.add("offset", Decoder::number(given.first, Show::Unsigned));
  if (given.second != 0) fields.add("resv", Decoder::number(given.second, Show::Hex));
  add_items(decoder, fields, kItem, given.words[0], given.words[1], count);
  fields.add("nr", Decoder::number(count, Show::Unsigned));
  if (reserved != 0) fields.add("resv2", Decoder::number(reserved, Show::Hex));
  return ended(decoder, fields, at);
}

// The memory that is read of them: all bytes that argument 3 counts, and items.
constexpr Type kAll = whole_bytes(4096, by_arg(3));
template <const Type& kItem>
constexpr FieldType kRegisterFields[] = {
    at(0, padding(kAll)), at(0, field("nr", kUInt)), at(16, field("data", wide(pointer_to(kItem, by_field(1))))),
    at(24, field("tags", wide(pointer_to(kHex64, by_field(1))))),
};
template <const Type& kItem>
constexpr FieldType kUpdateFields[] = {
    at(0, padding(kAll)), at(8, field("data", wide(pointer_to(kItem, by_field(3))))),
    at(16, field("tags", wide(pointer_to(kHex64, by_field(3))))), at(24, field("nr", kUInt)), at(28, padding(kUInt)),
};
template <const Type& kItem>
constexpr StructLayout kRegisterLayout = {"io_uring_rsrc_register", kRegisterFields<kItem>};
template <const Type& kItem>
constexpr StructLayout kUpdateLayout = {"io_uring_rsrc_update2", kUpdateFields<kItem>};
template <const StructLayout& kLayout>
constexpr Type kObject = structure(kLayout);
template <const Type& kItem>
constexpr Type registering() {
  return reading(custom(decode_register<kItem>, kResourceBytes, Width::B8), kObject<kRegisterLayout<kItem>>);
}
template <const Type& kItem>
constexpr Type updating() {
  return reading(custom(decode_update<kItem>, kResourceBytes, Width::B8), kObject<kUpdateLayout<kItem>>);
}

}  // namespace

constinit const Type kUringBufferRing = one<kBufferRing>();
constinit const Type kUringBufferStatus = one<kBufferStatus>();
constinit const Type kUringCancel = one<kCancel>();
constinit const Type kUringFileRange = one<kFileRange>();
constinit const Type kUringPolling = one<kPolling>();
constinit const Type kUringPollingChange = custom(decode_polling_change, 16, Width::B4);
constinit const Type kUringClone = one<kClone>();
constinit const Type kUringResize = one<kResize>();
constinit const Type kUringRegion = one<kRegion>();
constinit const Type kZcrxQueue = one<kQueue>();
constinit const Type kZcrxControl = one<kControl>();
constinit const Type kUringFdOrSkip = reading(custom(decode_fd_or_skip, 4, Width::B4), kFd);
constinit const Type kUringFilesRegister = registering<kFd>();
constinit const Type kUringBuffersRegister = registering<kIovec>();
constinit const Type kUringFilesUpdate = updating<kUringFdOrSkip>();
constinit const Type kUringBuffersUpdate = updating<kIovec>();

}  // namespace strut

#include "syscalls/types/io/io_uring_objects.hpp"

#include "syscalls/conditions.hpp"
#include "syscalls/types/common/hex.hpp"
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
constexpr Constant kZcrxEventNames[] = {{0, "ZCRX_EVENT_ALLOC_FAIL"}, {1, "ZCRX_EVENT_COPY"}};
constexpr Constant kSparseNames[] = {{0x1, "IORING_RSRC_REGISTER_SPARSE"}};
constexpr Constant kSkipNames[] = {{~1ull, "IORING_REGISTER_FILES_SKIP"}};  // -2
constinit const ConstantSet kCancelFlags = flag_set("IORING_ASYNC_CANCEL_???", kCancelNames);
constinit const ConstantSet kPollingOps = enumeration("IO_URING_NAPI_???", kPollingNames);
constinit const ConstantSet kTrackings = enumeration("IO_URING_NAPI_TRACKING_???", kTrackingNames);
constinit const ConstantSet kCloneFlags = flag_set("IORING_REGISTER_???", kCloneNames);
constinit const ConstantSet kRegionFlags = flag_set("IORING_MEM_REGION_REG_???", kRegionNames);
constinit const ConstantSet kControls = enumeration("ZCRX_CTRL_???", kControlNames);
constinit const ConstantSet kZcrxEvents = enumeration("ZCRX_EVENT_???", kZcrxEventNames);
constinit const ConstantSet kSparseFlags = flag_set("IORING_RSRC_REGISTER_???", kSparseNames);
constinit const ConstantSet kSkips = enumeration(nullptr, kSkipNames, NumberBase::Decimal);

// -- layouts ----------------------------------------------------------------------------------------
constexpr Type kWords3 = array_of(kHex32, 3), kWords5 = array_of(kHex32, 5);
constexpr Type kWords8 = array_of(kHex32, 8), kWords11 = array_of(kHex32, 11), kBytes2 = array_of(kHex8, 2);
constexpr Type kBytes7 = array_of(kHex8, 7), kLongs2 = array_of(kHex64, 2), kLongs3 = array_of(kHex64, 3);
constexpr Type kLongs6 = array_of(kHex64, 6);

constexpr FieldType kBufferRingFields[] = {
    field("ring_addr", kWideAddress), field("ring_entries", kUInt), field("bgid", kU16), field("flags", kHex16),
    field("min_left", kUInt), field("resv", kWords5, not_zero<20, 20>),
};
constexpr FieldType kBufferStatusFields[] = {
    field("buf_group", kHex32), field("head", kHex32), field("resv", kWords8, not_zero<8, 32>),
};
constexpr FieldType kTimeoutFields[] = {field("tv_sec", kS64), field("tv_nsec", kS64)};
constexpr StructLayout kTimeoutLayout = {"__kernel_timespec", kTimeoutFields};
constexpr FieldType kCancelFields[] = {
    field("addr", kWideAddress),
    field("fd", kFd),
    field("flags", named(kCancelFlags)),
    at(16, field("timeout", structure(kTimeoutLayout))),
    at(32, field("opcode", named(kUringOpsInHex, Width::B1))),
    field("pad", kBytes7, not_zero<33, 7>),
    at(40, field("pad2", kLongs3, not_zero<40, 24>)),
};
constexpr FieldType kFileRangeFields[] = {
    field("off", kUInt), field("len", kUInt), field("resv", kHex64, not_zero<8, 8>),
};
constexpr FieldType kPollingFields[] = {
    field("busy_poll_to", kHex32), field("prefer_busy_poll", kHex8), field("opcode", named(kPollingOps, Width::B1)),
    field("pad", kBytes2, not_zero<6, 2>), at(8, field("op_param", named(kTrackings), unless<not_zero<5, 1>>)),
    at(8, field("op_param", kHex32, not_zero<5, 1>)), field("resv", kHex32, not_zero<12, 4>),
};
constexpr FieldType kCloneFields[] = {
    field("src_fd", kFd), field("flags", named(kCloneFlags)), field("src_off", kUInt), field("dst_off", kUInt),
    field("nr", kUInt), field("pad", kWords3, not_zero<20, 12>),
};
constexpr FieldType kUserAddressFields[] = {field("user_addr", kHex64)};
constexpr StructLayout kUserAddressLayout = {"io_sqring_offsets", kUserAddressFields};
constexpr FieldType kResizeFields[] = {
    field("sq_entries", kUInt), field("cq_entries", kUInt), field("flags", named(kUringSetupFlags)),
    at(72, field("sq_off", structure(kUserAddressLayout), not_zero<72, 8>)),
    at(112, field("cq_off", structure(kUserAddressLayout), not_zero<112, 8>)),
    at(28, field("resv", kWords3, not_zero<28, 12>)),
};
constexpr FieldType kRegionFields[] = {
    field("region_uptr", kWideAddress), field("flags", named(kRegionFlags, Width::B8)),
    field("__resv", kLongs2, not_zero<16, 16>),
};
constexpr FieldType kZcrxOffsetsFields[] = {
    field("head", kUInt), field("tail", kUInt), field("rqes", kUInt), field("__resv2", kHex32, not_zero<12, 4>),
    field("__resv", kLongs2, not_zero<16, 16>),
};
constexpr StructLayout kZcrxOffsetsLayout = {"io_uring_zcrx_offsets", kZcrxOffsetsFields};
constexpr FieldType kZcrxQueueFields[] = {
    field("if_idx", kUInt), field("if_rxq", kUInt), field("rq_entries", kUInt), field("flags", named(kZcrxFlags)),
    field("area_ptr", kWideAddress), field("region_ptr", kWideAddress), field("offsets", structure(kZcrxOffsetsLayout)),
    field("zcrx_id", kUInt), field("rx_buf_len", kUInt), field("event_desc", kWideAddress),
    field("__resv", kLongs2, not_zero<80, 16>),
};
constexpr FieldType kFlushFields[] = {field("__resv", kLongs6, not_zero<0, 48>)};
constexpr FieldType kExportFields[] = {field("zcrx_fd", kFd), field("__resv1", kWords11, not_zero<4, 44>)};
constexpr FieldType kArmFields[] = {field("event_type", named(kZcrxEvents)),
                                    field("__resv", kWords11, not_zero<4, 44>)};
constexpr StructLayout kFlushLayout = {"zcrx_ctrl_flush_rq", kFlushFields};
constexpr StructLayout kExportLayout = {"zcrx_ctrl_export", kExportFields};
constexpr StructLayout kArmLayout = {"zcrx_ctrl_arm_event", kArmFields};
constexpr FieldType kControlFields[] = {
    field("zcrx_id", kUInt), field("op", named(kControls)), field("__resv", kLongs2, not_zero<8, 16>),
    at(24, field("zc_flush", structure(kFlushLayout), word_is<4, 0>)),
    at(24, field("zc_export", structure(kExportLayout), word_is<4, 1>)),
    at(24, field("zc_arm_event", structure(kArmLayout), word_is<4, 2>)),
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

constexpr Type kSkip = signed_type(named(kSkips));

// -- resources ----------------------------------------------------------------------------------------
template <const Type& kItem>
constexpr FieldType kRegisterFields[] = {
    field("nr", kUInt), field("flags", named(kSparseFlags)), field("resv2", kHex64, not_zero<8, 8>),
    field("data", wide(pointer_to(kItem, by_field(0)))), field("tags", wide(pointer_to(kHex64, by_field(0)))),
};
template <const Type& kItem>
constexpr FieldType kUpdateFields[] = {
    field("offset", kUInt), field("resv", kHex32, not_zero<4, 4>), field("data", wide(pointer_to(kItem, by_field(4)))),
    field("tags", wide(pointer_to(kHex64, by_field(4)))), field("nr", kUInt), field("resv2", kHex32, not_zero<28, 4>),
};
template <const Type& kItem>
constexpr StructLayout kRegister = {"io_uring_rsrc_register", kRegisterFields<kItem>};
template <const Type& kItem>
constexpr StructLayout kUpdate = {"io_uring_rsrc_update2", kUpdateFields<kItem>};
constexpr uint32_t kResourceBytes = 32;
constexpr Type of_caller_size(const StructLayout& layout) { return extensible(layout, by_arg(3), kResourceBytes); }
static_assert(size_of(kRegister<kFd>, Abi::X86_64) == kResourceBytes &&
              size_of(kUpdate<kFd>, Abi::I386) == kResourceBytes);

}  // namespace

constinit const Type kUringBufferRing = structure(kBufferRing);
constinit const Type kUringBufferStatus = structure(kBufferStatus);
constinit const Type kUringCancel = structure(kCancel);
constinit const Type kUringFileRange = structure(kFileRange);
constinit const Type kUringPolling = structure(kPolling);
constinit const Type kUringClone = structure(kClone);
constinit const Type kUringResize = structure(kResize);
constinit const Type kUringRegion = structure(kRegion);
constinit const Type kZcrxQueue = structure(kQueue);
constinit const Type kZcrxControl = structure(kControl);
constinit const Type kUringFdOrSkip = kEither<word_is<0, ~1u>, kSkip, kFd>;
constinit const Type kUringFilesRegister = of_caller_size(kRegister<kFd>);
constinit const Type kUringBuffersRegister = of_caller_size(kRegister<kIovec>);
constinit const Type kUringFilesUpdate = of_caller_size(kUpdate<kUringFdOrSkip>);
constinit const Type kUringBuffersUpdate = of_caller_size(kUpdate<kIovec>);

}  // namespace strut

#include "syscalls/types/ioctl/ioctl_tee.hpp"

#include <linux/tee.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/uuid.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kImplementationNames[] = {
    {1, "TEE_IMPL_ID_OPTEE"}, {2, "TEE_IMPL_ID_AMDTEE"}, {3, "TEE_IMPL_ID_TSTEE"}, {4, "TEE_IMPL_ID_QTEE"}};
constexpr Constant kCapabilityNames[] = {{1, "TEE_GEN_CAP_GP"},
                                         {2, "TEE_GEN_CAP_PRIVILEGED"},
                                         {4, "TEE_GEN_CAP_REG_MEM"},
                                         {8, "TEE_GEN_CAP_MEMREF_NULL"},
                                         {0x10, "TEE_GEN_CAP_OBJREF"}};
constexpr Constant kOpteeNames[] = {{1, "TEE_OPTEE_CAP_TZ"}};
// Flags from 4 on are the kernel's own: <linux/tee_drv.h>.
constexpr Constant kMemoryNames[] = {
    {1, "TEE_IOCTL_SHM_MAPPED"},         {2, "TEE_IOCTL_SHM_DMA_BUF"},      {4, "TEE_IOCTL_SHM_EXT_DMA_BUF"},
    {8, "TEE_IOCTL_SHM_REGISTER"},       {0x10, "TEE_IOCTL_SHM_USER_MAPPED"}, {0x20, "TEE_IOCTL_SHM_POOL"},
    {0x40, "TEE_IOCTL_SHM_KERNEL_MAPPED"},
};
constexpr Constant kTeeParameterNames[] = {
    {0, "TEE_IOCTL_PARAM_ATTR_TYPE_NONE"},          {1, "TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_INPUT"},
    {2, "TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_OUTPUT"},  {3, "TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_INOUT"},
    {5, "TEE_IOCTL_PARAM_ATTR_TYPE_MEMREF_INPUT"},  {6, "TEE_IOCTL_PARAM_ATTR_TYPE_MEMREF_OUTPUT"},
    {7, "TEE_IOCTL_PARAM_ATTR_TYPE_MEMREF_INOUT"},
};
constexpr Constant kLoginNames[] = {
    {0, "TEE_IOCTL_LOGIN_PUBLIC"},           {1, "TEE_IOCTL_LOGIN_USER"},
    {2, "TEE_IOCTL_LOGIN_GROUP"},            {4, "TEE_IOCTL_LOGIN_APPLICATION"},
    {5, "TEE_IOCTL_LOGIN_USER_APPLICATION"}, {6, "TEE_IOCTL_LOGIN_GROUP_APPLICATION"},
};
// GlobalPlatform TEE Client API.
constexpr Constant kOriginNames[] = {
    {1, "TEEC_ORIGIN_API"}, {2, "TEEC_ORIGIN_COMMS"}, {3, "TEEC_ORIGIN_TEE"}, {4, "TEEC_ORIGIN_TRUSTED_APP"}};
constinit const ConstantSet kImplementations = enumeration("TEE_IMPL_ID_???", kImplementationNames);
constinit const ConstantSet kTeeCapabilities = flag_set("TEE_GEN_CAP_???", kCapabilityNames);
constinit const ConstantSet kOpteeCapabilities = flag_set("TEE_OPTEE_CAP_???", kOpteeNames);
constinit const ConstantSet kMemoryFlags = flag_set("TEE_IOCTL_SHM_???", kMemoryNames);
constinit const ConstantSet kTeeParameters = enumeration("TEE_IOCTL_PARAM_ATTR_", kTeeParameterNames);
constinit const ConstantSet kLogins = enumeration("TEE_IOCTL_LOGIN_???", kLoginNames);
constinit const ConstantSet kOrigins = enumeration("TEEC_ORIGIN_???", kOriginNames);

// -- versions and memory --------------------------------------------------------------------------------------------
constexpr uint16_t kImplementation = offsetof(tee_ioctl_version_data, impl_id);
constexpr FieldType kVersionFields[] = {
    at(0, field("impl_id", kWord<kImplementations>)),
    at(8, field("gen_caps", kWord<kTeeCapabilities>)),
    at(4, field("impl_caps", kWord<kOpteeCapabilities>, word_is<kImplementation, TEE_IMPL_ID_OPTEE>)),
    at(4, field("impl_caps", kHex32, unless<word_is<kImplementation, TEE_IMPL_ID_OPTEE>>)),
};
constexpr StructLayout kTeeVersion = {"tee_ioctl_version_data", kVersionFields};
constexpr FieldType kAllocatedFields[] = {field("size", kHex64), field("flags", kWord<kMemoryFlags>),
                                          answer(field("id", kInt))};
constexpr StructLayout kAllocated = {"tee_ioctl_shm_alloc_data", kAllocatedFields};
constexpr FieldType kRegisteredFields[] = {field("addr", kWideAddress, unless<is_answered>), field("length", kHex64),
                                           field("flags", kWord<kMemoryFlags>), answer(field("id", kInt))};
constexpr StructLayout kRegistered = {"tee_ioctl_shm_register_data", kRegisteredFields};
constexpr FieldType kCancelledFields[] = {field("cancel_id", kUInt), field("session", kHex32)};
constexpr StructLayout kCancelled = {"tee_ioctl_cancel_arg", kCancelledFields};
constexpr FieldType kClosedFields[] = {field("session", kHex32)};
constexpr StructLayout kClosed = {"tee_ioctl_close_session_arg", kClosedFields};
static_assert(size_of(kTeeVersion, Abi::X86_64) == sizeof(tee_ioctl_version_data) &&
              size_of(kAllocated, Abi::X86_64) == sizeof(tee_ioctl_shm_alloc_data) &&
              size_of(kRegistered, Abi::X86_64) == sizeof(tee_ioctl_shm_register_data));

// -- parameters of a call -------------------------------------------------------------------------------------------
constexpr uint32_t kMeta = TEE_IOCTL_PARAM_ATTR_META;
Value meta(Decoder&, uint64_t) { return Decoder::bare("TEE_IOCTL_PARAM_ATTR_META"); }  // in every style
constexpr Type kMetaFlag = shown_by(meta);
constexpr WordPart kAttributeParts[] = {part(~kMeta, kWord<kTeeParameters>), part_if_any(kMeta, kMetaFlag)};
constexpr WordLayout kAttributes = {.parts = kAttributeParts, .one_is_plain = true};
constexpr uint32_t kNoParameter = TEE_IOCTL_PARAM_ATTR_TYPE_NONE;
template <uint32_t... kTypes>
constexpr FieldCondition kIsOf = word_is<0, kTypes...>;
constexpr FieldCondition kIsMemory = kIsOf<5, 6, 7>, kIsValue = unless<word_is<0, kNoParameter, 5, 6, 7>>;
constexpr FieldType kTeeParameterFields[] = {
    at(0, field("attr", word(kAttributes))),
    at(8, field("shm_offs", kHex64, kIsMemory)),
    field("size", kHex64, kIsMemory),
    field("shm_id", kInt, kIsMemory),
    at(8, field("a", kHex64, kIsValue)),
    at(16, field("b", kHex64, kIsValue)),
    at(24, field("c", kHex64, kIsValue)),
};
constexpr StructLayout kParameterLayout = {"tee_ioctl_param", kTeeParameterFields};
constexpr Type kTeeParameter = structure(kParameterLayout);
static_assert(size_of(kParameterLayout, Abi::X86_64) == sizeof(tee_ioctl_param));

// -- calls: a head, and as many parameters as its last word says ----------------------------------------------------
constexpr uint16_t kLogin = offsetof(tee_ioctl_open_session_arg, clnt_login);
constexpr FieldCondition kIsGroup = word_is<kLogin, TEE_IOCTL_LOGIN_GROUP, TEE_IOCTL_LOGIN_GROUP_APPLICATION>;
constexpr FieldCondition kIsUnknownClient = unless<word_is<kLogin, 0, 1, 2, 4, 5, 6>>;
constexpr Type kByte = number(Width::B1, Show::Hex), kClientBytes = array_of(kByte, TEE_IOCTL_UUID_LEN);
constexpr FieldType kOpenedFields[] = {
    at(0, asked(field("uuid", kUuid))),
    at(kLogin, asked(field("clnt_login", kWord<kLogins>))),
    at(16, field("clnt_uuid", kUInt, both<is_asked, kIsGroup>)),
    at(16, field("clnt_uuid", kClientBytes, both<is_asked, kIsUnknownClient>)),
    at(36, asked(field("cancel_id", kUInt))),
    at(40, answer(field("session", kHex32))),
    at(44, answer(field("ret", kUInt))),
    at(48, answer(field("ret_origin", kWord<kOrigins>))),
    at(52, asked(field("num_params", kUInt))),
};
constexpr FieldType kInvokedFields[] = {
    asked(field("func", kUInt)), asked(field("session", kHex32)), asked(field("cancel_id", kUInt)),
    answer(field("ret", kUInt)), answer(field("ret_origin", kWord<kOrigins>)), asked(field("num_params", kUInt)),
};
constexpr FieldType kReceivedFields[] = {asked(field("func", kUInt)), field("num_params", kUInt)};
constexpr FieldType kSentFields[] = {at(4, asked(field("num_params", kUInt))), at(0, answer(field("ret", kUInt)))};
constexpr StructLayout kOpened = {"tee_ioctl_open_session_arg", kOpenedFields};
constexpr StructLayout kInvoked = {"tee_ioctl_invoke_arg", kInvokedFields};
constexpr StructLayout kReceived = {"tee_iocl_supp_recv_arg", kReceivedFields};
constexpr StructLayout kSent = {"tee_iocl_supp_send_arg", kSentFields};
static_assert(size_of(kOpened, Abi::X86_64) == sizeof(tee_ioctl_open_session_arg) &&
              size_of(kInvoked, Abi::X86_64) == sizeof(tee_ioctl_invoke_arg) &&
              size_of(kReceived, Abi::X86_64) == sizeof(tee_iocl_supp_recv_arg) &&
              size_of(kSent, Abi::X86_64) == sizeof(tee_iocl_supp_send_arg));

/// The head and the parameters, which fill the buffer; else its address.
Value call_at(Decoder& decoder, const StructLayout& layout, uint64_t at, uint64_t bytes) {
  size_t head_bytes = size_of(layout, Abi::X86_64);
  if (!decoder.reaches(Addr{at}) || bytes < head_bytes || bytes > TEE_MAX_ARG_SIZE) return Decoder::address(at);
  Value head = decoder.structure(layout, Addr{at});
  const Struct* members = std::get_if<Struct>(&head.is);
  auto count = decoder.read_number(Addr{at + head_bytes - sizeof(uint32_t)}, Width::B4);
  if (!members || !count || bytes != head_bytes + *count * sizeof(tee_ioctl_param)) return Decoder::address(at);
  FieldList fields;
  for (const FieldValue& member : members->fields) fields.add(member.name, member.value);
  Addr parameters{at + head_bytes};
  fields.add("params", *count == 0 ? Decoder::address(0) : decoder.array(kTeeParameter, parameters, *count));
  return fields.structure(decoder);
}

/// The buffer of struct tee_ioctl_buf_data, whose length is the second member.
template <const StructLayout& kLayout>
Value decode_call(Decoder& decoder, uint64_t at, size_t) {
  tee_ioctl_buf_data buffer;
  if (!decoder.read(Addr{at}, buffer)) return decoder.missing(Addr{at});
  Value now = call_at(decoder, kLayout, buffer.buf_ptr, buffer.buf_len);
  const Value* before = decoder.at_enter(2);
  const Struct* entered = before ? std::get_if<Struct>(&before->is) : nullptr;
  bool is_exchanged = entered && entered->fields.size() == 2 && std::holds_alternative<Struct>(now.is) &&
                      std::holds_alternative<Struct>(entered->fields[1].value.is);
  return is_exchanged ? decoder.change(entered->fields[1].value, now) : now;
}
constexpr Type kCallMemory = whole_bytes(TEE_MAX_ARG_SIZE, {});
constexpr Type kCallPointer = wide(pointer_to(kCallMemory, by_field(0)));
template <const StructLayout& kLayout>
constexpr FieldType kBufferFields[] = {
    at(8, field("buf_len", kU64)),
    at(0, field("buf_ptr", reading(custom(decode_call<kLayout>, 8, Width::B8), kCallPointer))),
};
template <const StructLayout& kLayout>
constexpr StructLayout kBuffer = {"tee_ioctl_buf_data", kBufferFields<kLayout>};

/// The change is within the structure: it is shown when the call has returned.
constexpr CommandRow calls(uint64_t number, const Type& buffer) {
  return command(number, kUnsignedResult, remembered(inout("argp", buffer)));
}

constexpr CommandRow kTeeRows[] = {
    ioctl_sets(0x8004a405, kStructure<kClosed>),                  // TEE_IOC_CLOSE_SESSION
    ioctl_sets(0x8008a404, kStructure<kCancelled>),               // TEE_IOC_CANCEL
    ioctl_gets(0x800ca400, kStructure<kTeeVersion>),                 // TEE_IOC_VERSION
    calls(0x8010a402, kStructure<kBuffer<kOpened>>),      // TEE_IOC_OPEN_SESSION
    calls(0x8010a403, kStructure<kBuffer<kInvoked>>),     // TEE_IOC_INVOKE
    calls(0x8010a406, kStructure<kBuffer<kReceived>>),    // TEE_IOC_SUPPL_RECV
    calls(0x8010a407, kStructure<kBuffer<kSent>>),        // TEE_IOC_SUPPL_SEND
    ioctl_exchanges(0xc010a401, kStructure<kAllocated>),          // TEE_IOC_SHM_ALLOC
    ioctl_points(0xc018a408),                                     // TEE_IOC_SHM_REGISTER_FD
    ioctl_exchanges(0xc018a409, kStructure<kRegistered>),         // TEE_IOC_SHM_REGISTER
};

}  // namespace

constinit const IoctlRows kTeeIoctls = {kTeeRows};

}  // namespace strut

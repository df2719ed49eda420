#include "syscalls/types/bpf/bpf_layouts.hpp"

#include <algorithm>
#include <cstring>

#include "syscalls/conditions.hpp"
#include "syscalls/types/bpf/bpf_fields.hpp"
#include "syscalls/types/bpf/bpf_info.hpp"
#include "syscalls/types/bpf/bpf_instructions.hpp"
#include "syscalls/types/bpf/bpf_links.hpp"
#include "syscalls/types/common/system.hpp"

namespace strut {
namespace bpf {

bool attaches_to_interface(uint32_t attach_type) {
  constexpr uint32_t kTypes[] = {37, 46, 47, 54, 55};  // BPF_XDP, BPF_TCX_*, BPF_NETKIT_*
  return std::find(std::begin(kTypes), std::end(kTypes), attach_type) != std::end(kTypes);
}

}  // namespace bpf

namespace {

using namespace strut::notation;
using namespace strut::bpf;

uint32_t word(Decoder& decoder, Addr at) {
  return static_cast<uint32_t>(decoder.read_number(at, Width::B4).value_or(0));
}

// A name at this offset, as much of it as the caller's size holds.
template <uint32_t kOffset>
Value decode_name(Decoder& decoder, uint64_t at, size_t bytes) {
  uint32_t size = static_cast<uint32_t>(decoder.arg(2));
  return decoder.object(char_array(std::min(static_cast<uint32_t>(bytes), size - kOffset)), Addr{at});
}
template <uint32_t kOffset>
constexpr Type kAttrName = custom(decode_name<kOffset>, 16, Width::B1);  // BPF_OBJ_NAME_LEN
constexpr Type kWideString = wide(pointer_to(kString)), kPathPointer = wide(pointer_to(kPath));
constexpr Type kElementFlags = named(kBpfElementFlags, Width::B8), kUpdateFlags = named(kBpfUpdateFlags, Width::B8);

// -- maps -------------------------------------------------------------------------------------------
bool has_numa_node(Decoder& decoder, Addr at) {
  constexpr uint32_t kNumaNode = 4;  // BPF_F_NUMA_NODE
  return over<24>(decoder, at) && word(decoder, at + 16) & kNumaNode;
}
constexpr ConstantSet kNoNumaNode = enumeration("NUMA_NO_NODE", {}, NumberBase::Unsigned);
constexpr Type kNoNode = named(kNoNumaNode), kNumaNode = kEither<word_is<24, ~0u>, kNoNode, kUInt>;
constexpr FieldType kMapCreateFields[] = {
    at(0, field("map_type", named(kBpfMapTypes))), at(4, field("key_size", kUInt)), at(8, field("value_size", kUInt)),
    at(12, field("max_entries", kUInt)), at(16, field("map_flags", named(kBpfMapFlags), over<16>)),
    at(20, field("inner_map_fd", kFd, over<20>)), at(24, field("numa_node", kNumaNode, has_numa_node)),
    at(28, field("map_name", kAttrName<28>, over<28>)), at(44, field("map_ifindex", kInterfaceIndex, over<44>)),
    at(48, field("btf_fd", kFd, over<48>)), at(52, field("btf_key_type_id", kUInt, over<48>)),
    at(56, field("btf_value_type_id", kUInt, over<48>)), at(60, field("btf_vmlinux_value_type_id", kUInt, over<60>)),
    at(64, field("map_extra", kU64, over<64>)), at(72, field("value_type_btf_obj_fd", kFd, over<72>)),
    at(76, field("map_token_fd", kFd, over<76>)), at(80, field("excl_prog_hash", kFar, over<80>)),
    at(88, field("excl_prog_hash_size", kUInt, over<80>)),
};
constexpr FieldType kMapFd = at(0, field("map_fd", kFd)), kMapKey = at(8, field("key", kFar));
constexpr FieldType kLookupFields[] = {
    kMapFd, kMapKey, at(16, field("value", kFar)), at(24, field("flags", kElementFlags, over<24>)),
};
constexpr FieldType kUpdateFields[] = {
    kMapFd, kMapKey, at(16, field("value", kFar)), at(24, field("flags", kUpdateFlags)),
};
constexpr FieldType kDeleteFields[] = {kMapFd, kMapKey};
constexpr FieldType kNextKeyFields[] = {kMapFd, kMapKey, at(16, field("next_key", kFar))};
constexpr FieldType kFreezeFields[] = {kMapFd};

constexpr FieldType kBatchIn = at(0, field("in_batch", kFar)), kBatchOut = at(8, field("out_batch", kFar));
constexpr FieldType kBatchKeys = at(16, field("keys", kFar)), kBatchValues = at(24, field("values", kFar));
constexpr FieldType kBatchCount = at(32, field("count", kUInt)), kBatchFd = at(36, field("map_fd", kFd));
constexpr FieldType kBatchElements = at(40, field("elem_flags", kElementFlags));
constexpr FieldType kBatchFlags = at(48, field("flags", kHex64));
constexpr FieldType kLookupBatchFields[] = {
    kBatchIn, kBatchOut, kBatchKeys, kBatchValues, kBatchCount, kBatchFd, kBatchElements, kBatchFlags,
};
constexpr FieldType kUpdateBatchFields[] = {
    kBatchKeys, kBatchValues, kBatchCount, kBatchFd, at(40, field("elem_flags", kUpdateFlags)), kBatchFlags,
};
constexpr FieldType kDeleteBatchFields[] = {kBatchKeys, kBatchCount, kBatchFd, kBatchElements, kBatchFlags};

// -- programs ---------------------------------------------------------------------------------------
constexpr Type kAttrInstructions = wide(pointer_to(kBpfInstruction, by_field(1)));
constexpr Type kLog = wide(pointer_to(kString, by_field(6)));
constexpr FieldType kAttrProgramFields[] = {
    at(0, field("prog_type", named(kBpfProgramTypes))), at(4, field("insn_cnt", kUInt)),
    at(8, field("insns", kAttrInstructions, in_full)), at(8, field("insns", kFar, unless<in_full>)),
    at(16, field("license", kWideString)), at(24, field("log_level", kUInt, over<24>)),
    at(28, field("log_size", kUInt, over<24>)), at(32, field("log_buf", kLog, over<24>)),
    at(40, field("kern_version", kKernelVersion, over<40>)),
    at(44, field("prog_flags", named(kBpfProgramFlags), over<44>)), at(48, field("prog_name", kAttrName<48>, over<48>)),
    at(64, field("prog_ifindex", kInterfaceIndex, over<64>)),
    at(68, field("expected_attach_type", named(kBpfAttachTypes), over<68>)),
    at(72, field("prog_btf_fd", kFd, over<72>)), at(76, field("func_info_rec_size", kUInt, over<72>)),
    at(80, field("func_info", kFar, over<72>)), at(88, field("func_info_cnt", kUInt, over<72>)),
    at(92, field("line_info_rec_size", kUInt, over<72>)), at(96, field("line_info", kFar, over<72>)),
    at(104, field("line_info_cnt", kUInt, over<72>)), at(108, field("attach_btf_id", kUInt, over<108>)),
    at(112, field("attach_prog_fd", kFd, over<112>)), at(116, field("core_relo_cnt", kUInt, over<128>)),
    at(120, field("fd_array", kFar, over<120>)), at(128, field("core_relos", kFar, over<128>)),
    at(136, field("core_relo_rec_size", kUInt, over<128>)), at(140, field("log_true_size", kUInt, over<140>)),
    at(144, field("prog_token_fd", kFd, over<144>)), at(148, field("fd_array_cnt", kUInt, over<148>)),
    at(152, field("signature", wide(pointer_to(kBinary, by_field(30))), over<152>)),
    at(160, field("signature_size", kUInt, over<152>)),
    at(164, field("keyring_id", kInt, over<152>)),
};
constexpr FieldType kTestFields[] = {
    at(0, field("prog_fd", kFd)), at(4, field("retval", kUInt)), at(8, field("data_size_in", kUInt)),
    at(12, field("data_size_out", kUInt)), at(16, field("data_in", kFar)), at(24, field("data_out", kFar)),
    at(32, field("repeat", kUInt)), at(36, field("duration", kUInt)), at(40, field("ctx_size_in", kUInt, over<40>)),
    at(44, field("ctx_size_out", kUInt, over<40>)), at(48, field("ctx_in", kFar, over<40>)),
    at(56, field("ctx_out", kFar, over<40>)), at(64, field("flags", named(kBpfTestFlags), over<64>)),
    at(68, field("cpu", kUInt, over<64>)), at(72, field("batch_size", kUInt, over<72>)),
};
constexpr FieldType kBindFields[] = {
    at(0, field("prog_fd", kFd)), at(4, field("map_fd", kFd)), at(8, field("flags", kHex32)),
};
constexpr FieldType kAssociateFields[] = {
    at(0, field("map_fd", kFd)), at(4, field("prog_fd", kFd)), at(8, field("flags", kHex32)),
};
constexpr FieldType kStreamFields[] = {
    at(0, field("stream_buf", wide(pointer_to(kBytes, by_field(1))))), at(8, field("stream_buf_len", kUInt)),
    at(12, field("stream_id", kUInt)), at(16, field("prog_fd", kFd)),
};
constexpr FieldType kTracepointFields[] = {
    at(0, field("name", kWideString)), at(8, field("prog_fd", kFd)), at(16, field("cookie", kHex64, over<23>)),
};

// -- attaching --------------------------------------------------------------------------------------
template <size_t kTypeOffset>
bool targets_interface(Decoder& decoder, Addr at) { return attaches_to_interface(word(decoder, at + kTypeOffset)); }
template <size_t kTypeOffset>
bool targets_fd(Decoder& decoder, Addr at) { return !targets_interface<kTypeOffset>(decoder, at); }
bool relative_to_id(Decoder& decoder, Addr at) {
  return over<20>(decoder, at) && word(decoder, at + 12) & kAttachById;
}
bool relative_to_fd(Decoder& decoder, Addr at) {
  return over<20>(decoder, at) && !(word(decoder, at + 12) & kAttachById);
}
constexpr FieldType kAttachFields[] = {
    at(0, field("target_fd", kFd, targets_fd<8>)),
    at(0, field("target_ifindex", kInterfaceIndex, targets_interface<8>)),
    at(4, field("attach_bpf_fd", kFd)), at(8, field("attach_type", named(kBpfAttachTypes))),
    at(12, field("attach_flags", named(kBpfAttachFlags))), at(16, field("replace_bpf_fd", kFd, over<16>)),
    at(20, field("relative_fd", kFd, relative_to_fd)), at(20, field("relative_id", kUInt, relative_to_id)),
    at(24, field("expected_revision", kU64, over<20>)),
};

// A query's results are an array only once it has succeeded.
bool arrays_filled(Decoder& decoder, Addr at) {
  bool empty = word(decoder, at + 24) == 0;
  return empty || (decoder.phase() == Phase::Exit && decoder.call().error == 0);
}
template <uint32_t kBytes>
bool filled(Decoder& decoder, Addr at) { return over<kBytes>(decoder, at) && arrays_filled(decoder, at); }
template <uint32_t kBytes>
bool unfilled(Decoder& decoder, Addr at) { return over<kBytes>(decoder, at) && !arrays_filled(decoder, at); }
constexpr size_t kQueryCount = 6;
constexpr Type kAttachFlags = named(kBpfAttachFlags);
constexpr Type kIds = wide(pointer_to(kUInt, by_field(kQueryCount)));
constexpr Type kFlagArray = wide(pointer_to(kAttachFlags, by_field(kQueryCount)));
constexpr FieldType kQueryFields[] = {
    at(0, field("target_fd", kFd, targets_fd<4>)),
    at(0, field("target_ifindex", kInterfaceIndex, targets_interface<4>)),
    at(4, field("attach_type", named(kBpfAttachTypes))), at(8, field("query_flags", named(kBpfQueryFlags))),
    at(12, field("attach_flags", kAttachFlags)), at(16, field("prog_ids", kIds, filled<0>)),
    at(24, padding(kUInt)), at(16, field("prog_ids", kFar, unfilled<0>)), at(24, field("prog_cnt", kUInt)),
    at(32, field("prog_attach_flags", kFlagArray, filled<32>)),
    at(32, field("prog_attach_flags", kFar, unfilled<32>)), at(40, field("link_ids", kIds, filled<40>)),
    at(40, field("link_ids", kFar, unfilled<40>)), at(48, field("link_attach_flags", kFlagArray, filled<40>)),
    at(48, field("link_attach_flags", kFar, unfilled<40>)), at(56, field("revision", kHex64, over<40>)),
};

// -- objects ----------------------------------------------------------------------------------------
constexpr FieldType kPinFields[] = {
    at(0, field("pathname", kPathPointer)), at(8, field("bpf_fd", kFd)),
    at(12, field("file_flags", named(kBpfFileFlags), over<12>)), at(16, field("path_fd", kDirFd, over<16>)),
};
constexpr FieldType kNextIdFields[] = {at(0, field("start_id", kUInt)), at(4, field("next_id", kUInt))};
constexpr FieldType kProgramIdFields[] = {at(0, field("prog_id", kUInt))};
constexpr FieldType kMapIdFields[] = {
    at(0, field("map_id", kUInt)), at(8, field("open_flags", named(kBpfOpenFlags), over<8>)),
};
constexpr FieldType kBtfIdFields[] = {
    at(0, field("btf_id", kUInt)), at(8, field("open_flags", named(kBpfOpenFlags), over<8>)),
    at(12, field("fd_by_id_token_fd", kFd, over<8>)),
};
constexpr FieldType kLinkIdFields[] = {at(0, field("link_id", kUInt))};
constexpr FieldType kInfoFields[] = {
    at(0, field("bpf_fd", kFd)), at(4, field("info_len", kUInt)), at(8, field("info", kBpfInfo)),
};
constexpr FieldType kBtfLoadFields[] = {
    at(0, field("btf", wide(pointer_to(kBytes, by_field(2))))), at(8, field("btf_log_buf", kFar)),
    at(16, field("btf_size", kUInt)), at(20, field("btf_log_size", kUInt)), at(24, field("btf_log_level", kUInt)),
    at(28, field("btf_log_true_size", kUInt, over<28>)), at(32, field("btf_flags", named(kBpfFileFlags), over<32>)),
    at(36, field("btf_token_fd", kFd, over<32>)),
};
constexpr FieldType kTaskFdFields[] = {
    at(0, field("pid", kPid)), at(4, field("fd", kFd)), at(8, field("flags", kUInt)), at(12, field("buf_len", kUInt)),
    at(16, field("buf", wide(pointer_to(kString, by_field(3))))), at(24, field("prog_id", kUInt)),
    at(28, field("fd_type", named(kBpfFdTypes))), at(32, field("probe_offset", kHex64)),
    at(40, field("probe_addr", kHex64)),
};
constexpr FieldType kStatisticsFields[] = {at(0, field("type", named(kBpfStatistics)))};
constexpr FieldType kTokenFields[] = {at(0, field("flags", kHex32)), at(4, field("bpffs_fd", kFd))};

constexpr StructLayout kMapCreate = {"bpf_attr", kMapCreateFields}, kLookup = {"bpf_attr", kLookupFields};
constexpr StructLayout kUpdate = {"bpf_attr", kUpdateFields}, kDelete = {"bpf_attr", kDeleteFields};
constexpr StructLayout kNextKey = {"bpf_attr", kNextKeyFields}, kAttrProgram = {"bpf_attr", kAttrProgramFields};
constexpr StructLayout kPin = {"bpf_attr", kPinFields}, kAttach = {"bpf_attr", kAttachFields};
constexpr StructLayout kTest = {"bpf_attr", kTestFields}, kNextId = {"bpf_attr", kNextIdFields};
constexpr StructLayout kProgramId = {"bpf_attr", kProgramIdFields}, kMapId = {"bpf_attr", kMapIdFields};
constexpr StructLayout kInfo = {"bpf_attr", kInfoFields}, kQuery = {"bpf_attr", kQueryFields};
constexpr StructLayout kTracepoint = {"bpf_attr", kTracepointFields}, kBtfLoad = {"bpf_attr", kBtfLoadFields};
constexpr StructLayout kBtfId = {"bpf_attr", kBtfIdFields}, kTaskFd = {"bpf_attr", kTaskFdFields};
constexpr StructLayout kFreeze = {"bpf_attr", kFreezeFields}, kLookupBatch = {"bpf_attr", kLookupBatchFields};
constexpr StructLayout kUpdateBatch = {"bpf_attr", kUpdateBatchFields}, kDeleteBatch = {"bpf_attr", kDeleteBatchFields};
constexpr StructLayout kLinkId = {"bpf_attr", kLinkIdFields}, kStatistics = {"bpf_attr", kStatisticsFields};
constexpr StructLayout kBind = {"bpf_attr", kBindFields}, kToken = {"bpf_attr", kTokenFields};
constexpr StructLayout kStream = {"bpf_attr", kStreamFields}, kAssociate = {"bpf_attr", kAssociateFields};

/// By command, from BPF_MAP_CREATE on. BPF_LINK_CREATE is not here: it depends on the attach type.
constexpr BpfAttr kAttrs[] = {
    {nullptr, &kMapCreate}, {nullptr, &kLookup}, {nullptr, &kUpdate}, {nullptr, &kDelete}, {nullptr, &kNextKey},
    {nullptr, &kAttrProgram}, {nullptr, &kPin}, {nullptr, &kPin}, {nullptr, &kAttach}, {nullptr, &kAttach},
    {"test", &kTest}, {nullptr, &kNextId}, {nullptr, &kNextId}, {nullptr, &kProgramId}, {nullptr, &kMapId},
    {"info", &kInfo}, {"query", &kQuery}, {"raw_tracepoint", &kTracepoint}, {nullptr, &kBtfLoad}, {nullptr, &kBtfId},
    {"task_fd_query", &kTaskFd}, {nullptr, &kLookup}, {nullptr, &kFreeze}, {nullptr, &kNextId},
    {"batch", &kLookupBatch}, {"batch", &kLookupBatch}, {"batch", &kUpdateBatch}, {"batch", &kDeleteBatch},
    {nullptr, nullptr}, {"link_update", &kBpfLinkUpdate}, {nullptr, &kLinkId}, {nullptr, &kNextId},
    {"enable_stats", &kStatistics}, {"iter_create", &kBpfIterCreate}, {"link_detach", &kBpfLinkDetach},
    {"prog_bind_map", &kBind}, {"token_create", &kToken}, {"prog_stream_read", &kStream},
    {"prog_assoc_struct_ops", &kAssociate},
};

}  // namespace

BpfAttr bpf_attr_of(uint32_t command, std::span<const std::byte> attr) {
  if (command >= std::size(kAttrs)) return {nullptr, nullptr};
  if (command != kBpfLinkCreate) return kAttrs[command];
  struct {
    uint32_t attach_type, flags;
  } link;
  std::memcpy(&link, &attr[kBpfLinkAttachTypeOffset], sizeof link);
  return {"link_create", &bpf_link_layout(link.attach_type, link.flags)};
}

}  // namespace strut

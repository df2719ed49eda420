#include "syscalls/types/bpf/bpf_links.hpp"

#include <array>

#include "syscalls/types/bpf/bpf_fields.hpp"

namespace strut {
namespace {

using namespace strut::notation;
using namespace strut::bpf;

constexpr size_t kFlagsOffset = 12, kVariantOffset = 16;

bool by_id(Decoder& decoder, Addr variant) {
  constexpr size_t kBack = kVariantOffset - kFlagsOffset;
  return decoder.read_number(Addr{raw(variant) - kBack}, Width::B4).value_or(0) & kAttachById;
}
bool by_fd(Decoder& decoder, Addr variant) { return !by_id(decoder, variant); }

constexpr Type kCookie = kHex64;
constexpr Type kString64 = wide(pointer_to(kString)), kPath64 = wide(pointer_to(kPath));

// -- the fields after the flags, by attach type ------------------------------------------------------
constexpr FieldType kIterMapFields[] = {field("map_fd", kFd)};
constexpr StructLayout kIterMapLayout = {"bpf_iter_link_info", kIterMapFields};
constexpr FieldType kIterInfoFields[] = {field("map", structure(kIterMapLayout))};
constexpr StructLayout kIterInfoLayout = {"bpf_iter_link_info", kIterInfoFields};
constexpr Type kIterInfo = structure(kIterInfoLayout);

constexpr FieldType kPerfFields[] = {at(0, field("bpf_cookie", kHex64))};
constexpr StructLayout kPerf = {"perf_event", kPerfFields};

constexpr FieldType kKprobeFields[] = {
    at(0, field("flags", named(kBpfKprobeFlags))), at(4, field("cnt", kUInt)),
    at(8, field("syms", wide(pointer_to(kString64, by_field(1))))),
    at(16, field("addrs", wide(pointer_to(kHexLong, by_field(1))))),
    at(24, field("cookies", wide(pointer_to(kCookie, by_field(1))))),
};
constexpr StructLayout kKprobe = {"kprobe_multi", kKprobeFields};

constexpr FieldType kTracingFields[] = {at(0, field("target_btf_id", kUInt)), at(8, field("cookie", kHex64))};
constexpr StructLayout kTracing = {"tracing", kTracingFields};

constexpr FieldType kNetfilterFields[] = {
    at(0, field("pf", kUInt)), at(4, field("hooknum", kUInt)), at(8, field("priority", kInt)),
    at(12, field("flags", named(kBpfNetfilterFlags))),
};
constexpr StructLayout kNetfilter = {"netfilter", kNetfilterFields};

constexpr FieldType kRelativeFields[] = {
    at(0, field("relative_fd", kFd, by_fd)), at(0, field("relative_id", kUInt, by_id)),
    at(8, field("expected_revision", kHex64)),
};
constexpr StructLayout kRelative = {"tcx", kRelativeFields};

constexpr FieldType kUprobeFields[] = {
    at(0, field("path", kPath64)), at(8, field("offsets", wide(pointer_to(kHexLong, by_field(4))))),
    at(16, field("ref_ctr_offsets", wide(pointer_to(kHexLong, by_field(4))))),
    at(24, field("cookies", wide(pointer_to(kCookie, by_field(4))))), at(32, field("cnt", kUInt)),
    at(36, field("flags", named(kBpfUprobeFlags))), at(40, field("pid", kPid)),
    at(44, field("path_fd", kDirFd, over<60>)),
};
constexpr StructLayout kUprobe = {"uprobe_multi", kUprobeFields};

constexpr FieldType kTracingMultiFields[] = {
    at(0, field("ids", wide(pointer_to(kUInt, by_field(2))))),
    at(8, field("cookies", wide(pointer_to(kCookie, by_field(2))))),
    at(16, field("cnt", kUInt)),
};
constexpr StructLayout kTracingMulti = {"tracing_multi", kTracingMultiFields, true};  // it ends with `cnt`

// -- links ------------------------------------------------------------------------------------------
constexpr FieldType kLinkProgram = at(0, field("prog_fd", kFd)), kTarget = at(4, field("target_fd", kFd));
constexpr FieldType kInterfaceTarget = at(4, field("target_ifindex", kInterfaceIndex));
constexpr FieldType kAttachType = at(8, field("attach_type", named(kBpfAttachTypes)));
constexpr FieldType kFlags = at(12, field("flags", named(kBpfAttachFlags)));
constexpr FieldType variant(const char* name, const Type& type) { return at(16, field(name, type, over<16>)); }

bool has_target_id(Decoder& decoder, Addr at) {
  return over<16>(decoder, at) && decoder.read_number(at + kVariantOffset, Width::B4).value_or(0) != 0;
}

constexpr FieldType kPlainFields[] = {kLinkProgram, kTarget, kAttachType, kFlags};
constexpr FieldType kInterfaceFields[] = {kLinkProgram, kInterfaceTarget, kAttachType, kFlags};
constexpr FieldType kCgroupFields[] = {kLinkProgram, kTarget, kAttachType, kFlags,
                                       at(16, field("target_btf_id", kUInt, has_target_id))};
constexpr FieldType kIterFields[] = {
    kLinkProgram, kTarget, kAttachType, kFlags, variant("iter_info", wide(pointer_to(kIterInfo, by_field(5)))),
    at(24, field("iter_info_len", kUInt, over<16>)),
};
/// The common fields of most links, with a part of their own.
constexpr std::array<FieldType, 5> with_part(const FieldType& target, const char* name, const StructLayout& part) {
  return {kLinkProgram, target, kAttachType, kFlags, variant(name, structure(part))};
}
constexpr auto kPerfLinkFields = with_part(kTarget, "perf_event", kPerf);
constexpr auto kKprobeLinkFields = with_part(kTarget, "kprobe_multi", kKprobe);
constexpr auto kTracingLinkFields = with_part(kTarget, "tracing", kTracing);
constexpr auto kNetfilterLinkFields = with_part(kTarget, "netfilter", kNetfilter);
constexpr auto kTcxLinkFields = with_part(kInterfaceTarget, "tcx", kRelative);
constexpr auto kPlacedCgroupFields = with_part(kTarget, "cgroup", kRelative);
constexpr auto kNetkitLinkFields = with_part(kInterfaceTarget, "netkit", kRelative);
constexpr auto kUprobeLinkFields = with_part(kTarget, "uprobe_multi", kUprobe);
constexpr auto kTracingMultiLinkFields = with_part(kTarget, "tracing_multi", kTracingMulti);
constexpr StructLayout kPlainLink = {"link_create", kPlainFields}, kInterfaceLink = {"link_create", kInterfaceFields};
constexpr StructLayout kCgroupLink = {"link_create", kCgroupFields}, kIterLink = {"link_create", kIterFields};
constexpr StructLayout kPerfLink = {"link_create", kPerfLinkFields}, kKprobeLink = {"link_create", kKprobeLinkFields};
constexpr StructLayout kTracingLink = {"link_create", kTracingLinkFields}, kTcxLink = {"link_create", kTcxLinkFields};
constexpr StructLayout kNetfilterLink = {"link_create", kNetfilterLinkFields};
constexpr StructLayout kPlacedCgroupLink = {"link_create", kPlacedCgroupFields};
constexpr StructLayout kNetkitLink = {"link_create", kNetkitLinkFields};
constexpr StructLayout kUprobeLink = {"link_create", kUprobeLinkFields};
constexpr StructLayout kTracingMultiLink = {"link_create", kTracingMultiLinkFields};

/// Where a type is in no range the flags are the last.
constexpr BpfLinkRange kByType[] = {
    {0, 3, &kCgroupLink}, {6, 6, &kCgroupLink}, {8, 15, &kCgroupLink}, {18, 22, &kCgroupLink},
    {24, 27, &kTracingLink}, {28, 28, &kIterLink}, {29, 32, &kCgroupLink}, {34, 34, &kCgroupLink},
    {37, 37, &kInterfaceLink}, {41, 41, &kPerfLink}, {42, 42, &kKprobeLink}, {45, 45, &kNetfilterLink},
    {46, 47, &kTcxLink}, {48, 48, &kUprobeLink}, {49, 53, &kCgroupLink}, {54, 55, &kNetkitLink},
    {58, 58, &kTracingLink}, {59, 61, &kTracingMultiLink},
};

bool replaces(Decoder& decoder, Addr at) {
  return decoder.read_number(at + 8, Width::B4).value_or(0) & kAttachReplace;
}
constexpr FieldType kLinkUpdateFields[] = {
    at(0, field("link_fd", kFd)), at(4, field("new_prog_fd", kFd)), at(8, field("flags", named(kBpfAttachFlags))),
    at(12, field("old_prog_fd", kFd, replaces)),
};
constexpr FieldType kDetachFields[] = {at(0, field("link_fd", kFd))};
constexpr FieldType kIterCreateFields[] = {at(0, field("link_fd", kFd)), at(4, field("flags", kHex32))};

}  // namespace

const StructLayout& bpf_link_layout(uint32_t attach_type, uint32_t flags) {
  constexpr uint32_t kPlaced = 1u << 3 | 1u << 4;  // BPF_F_BEFORE, BPF_F_AFTER
  const StructLayout* layout = &kPlainLink;
  for (const BpfLinkRange& range : kByType)
    if (range.first <= attach_type && attach_type <= range.last) layout = range.layout;
  return layout == &kCgroupLink && flags & kPlaced ? kPlacedCgroupLink : *layout;
}

std::span<const BpfLinkRange> bpf_link_ranges() { return kByType; }

constinit const StructLayout kBpfLinkUpdate = {"link_update", kLinkUpdateFields};
constinit const StructLayout kBpfLinkDetach = {"link_detach", kDetachFields};
constinit const StructLayout kBpfIterCreate = {"iter_create", kIterCreateFields};

}  // namespace strut

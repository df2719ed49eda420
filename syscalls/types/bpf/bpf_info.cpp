#include "syscalls/types/bpf/bpf_info.hpp"

#include <algorithm>
#include <ctime>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf.hpp"
#include "syscalls/types/bpf/bpf_fields.hpp"
#include "syscalls/types/bpf/bpf_instructions.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;
using namespace strut::bpf;

constexpr size_t kMaxInfoBytes = 4096;  // a page: the kernel refuses more (bpf_check_uarg_tail_zero)

uint64_t word(Decoder& decoder, Addr at, Width width) { return decoder.read_number(at, width).value_or(0); }

// Members that later kernels added: shown unless they are zero.
template <uint16_t kOffset, uint16_t kBytes = 4>
constexpr FieldType if_set(const char* name, const Type& type) {
  return at(kOffset, field(name, type, not_zero<kOffset, kBytes>));
}

int64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// The kernel counts from the start of the system.
Value load_time(Decoder& decoder, uint64_t time) {
  Value value = Decoder::number(time, Show::Unsigned);
  int64_t start = nanoseconds_of(CLOCK_REALTIME) - nanoseconds_of(CLOCK_BOOTTIME);
  if (time != 0) {
    int64_t seconds = static_cast<int64_t>((time + static_cast<uint64_t>(start)) / 1'000'000'000);
    value.comment = calendar_time(decoder.arena(), seconds);
  }
  return value;
}

constexpr Type kLoadTime = shown_by(load_time, Width::B8), kTag = whole(bytes(fixed(8), TextKind::Binary));
constexpr Type kInstructions = wide(pointer_to(kBpfInstruction, in_bytes(by_field(5), 8)));
constexpr Type kCode = wide(pointer_to(kBinary, by_field(3))), kMapIds = wide(pointer_to(kUInt, by_field(9)));
constexpr Type kDevice64 = number(Width::B8, Show::Device), kName = char_array(16);  // BPF_OBJ_NAME_LEN

constexpr FieldType kProgramInfoFields[] = {
    at(0, field("type", named(kBpfProgramTypes))), at(4, field("id", kUInt)), at(8, field("tag", kTag)),
    at(16, field("jited_prog_len", kUInt)), at(24, field("jited_prog_insns", kCode)),
    at(20, field("xlated_prog_len", kUInt)), at(32, field("xlated_prog_insns", kInstructions)),
    at(40, field("load_time", kLoadTime)), at(48, field("created_by_uid", kUInt)), at(52, field("nr_map_ids", kUInt)),
    at(56, field("map_ids", kMapIds)), at(64, field("name", kName)), at(80, field("ifindex", kInterfaceIndex)),
    at(84, field("gpl_compatible", bit_field<0>())), at(88, field("netns_dev", kDevice64)),
    at(96, field("netns_ino", kU64)),
    at(104, field("nr_jited_ksyms", kUInt)), at(108, field("nr_jited_func_lens", kUInt)),
    at(112, field("jited_ksyms", kFar)), at(120, field("jited_func_lens", kFar)), at(128, field("btf_id", kUInt)),
    at(132, field("func_info_rec_size", kUInt)), at(136, field("func_info", kFar)),
    at(144, field("nr_func_info", kUInt)), at(148, field("nr_line_info", kUInt)), at(152, field("line_info", kFar)),
    at(160, field("jited_line_info", kFar)), at(168, field("nr_jited_line_info", kUInt)),
    at(172, field("line_info_rec_size", kUInt)), at(176, field("jited_line_info_rec_size", kUInt)),
    at(180, field("nr_prog_tags", kUInt)), at(184, field("prog_tags", kFar)),
    at(192, field("run_time_ns", kU64)), at(200, field("run_cnt", kU64)),
    at(208, field("recursion_misses", kU64)),
    at(216, field("verified_insns", kUInt)),
    if_set<220>("attach_btf_obj_id", kUInt), if_set<224>("attach_btf_id", kUInt),
};
constexpr FieldType kMapFields[] = {
    at(0, field("type", named(kBpfMapTypes))), at(4, field("id", kUInt)), at(8, field("key_size", kUInt)),
    at(12, field("value_size", kUInt)), at(16, field("max_entries", kUInt)),
    at(20, field("map_flags", named(kBpfMapFlags))),
    at(24, field("name", kName)),
    at(40, field("ifindex", kInterfaceIndex)), at(44, field("btf_vmlinux_value_type_id", kUInt)),
    at(48, field("netns_dev", kDevice64)), at(56, field("netns_ino", kU64)),
    at(64, field("btf_id", kUInt)), at(68, field("btf_key_type_id", kUInt)), at(72, field("btf_value_type_id", kUInt)),
    if_set<76>("btf_vmlinux_id", kUInt), if_set<80, 8>("map_extra", kHex64), if_set<88, 8>("hash", kFar),
    if_set<96>("hash_size", kUInt),
};

/// The members up to some place are shown if the caller's length goes beyond another one, all of them if it goes
/// beyond none: those that a kernel added at once.
struct Part {
  uint32_t over;
  StructLayout layout;
};
constexpr Part program_part(uint32_t over, size_t members) {
  return {over, {"bpf_prog_info", std::span(kProgramInfoFields).first(members)}};
}
constexpr Part map_part(uint32_t over, size_t members) {
  return {over, {"bpf_map_info", std::span(kMapFields).first(members)}};
}
constexpr Part kProgramParts[] = {
    program_part(220, 38), program_part(216, 36), program_part(208, 35), program_part(192, 34), program_part(104, 32),
    program_part(40, 16), program_part(0, 7),
};
constexpr Part kMapParts[] = {map_part(76, 18), map_part(64, 14), map_part(40, 11), map_part(24, 7), map_part(0, 6)};

struct ObjectKind {
  std::string_view file;
  std::span<const Part> parts;
  size_t bytes;
};
constexpr ObjectKind kKinds[] = {
    {"anon_inode:bpf-prog", kProgramParts, 228},
    {"anon_inode:bpf-map", kMapParts, 100},
};

Value info(Decoder& decoder, Addr at, uint32_t length, const ObjectKind& kind) {
  std::span<std::byte> copy = decoder.arena().array<std::byte>(std::max<size_t>(length, (kind.bytes + 7) / 8 * 8));
  std::fill(copy.begin(), copy.end(), std::byte{0});
  if (!decoder.read_bytes(at, copy.first(length))) return decoder.missing(at);
  const Part& part = *std::ranges::find_if(kind.parts, [&](const Part& one) { return length > one.over; });
  Value value = decoder.structure(part.layout, at, copy);
  return with_bpf_excess(decoder, value, bpf_excess(decoder, copy.first(length), kind.bytes));
}

constexpr Type kCodeBytes = whole_bytes(kMaxInfoBytes * 8, by_field(2));
constexpr FieldType kPointerFields[] = {
    at(16, field("jited_prog_len", kUInt)), at(24, field("jited_prog_insns", wide(pointer_to(kBinary, by_field(0))))),
    at(20, field("xlated_prog_len", kUInt)),
    at(32, field("xlated_prog_insns", wide(pointer_to(kCodeBytes, by_field(2))))),
    at(52, field("nr_map_ids", kUInt)), at(56, field("map_ids", wide(pointer_to(kUInt, by_field(4))))),
};

}  // namespace

constinit const StructLayout kBpfProgramPointers = {"bpf_prog_info", kPointerFields};

Value decode_bpf_info(Decoder& decoder, uint64_t at, size_t) {
  Addr where{word(decoder, Addr{at}, Width::B8)};
  uint32_t length = static_cast<uint32_t>(word(decoder, Addr{at - 4}, Width::B4));
  bool plausible = length != 0 && length <= kMaxInfoBytes && decoder.reaches(where);
  if (!plausible || !decoder.full()) return Decoder::address(raw(where));
  auto file = decoder.target_of(static_cast<int32_t>(word(decoder, Addr{at - 8}, Width::B4)));
  for (const ObjectKind& kind : kKinds)
    if (file && file->path == kind.file) return info(decoder, where, length, kind);
  return Decoder::address(raw(where));
}

}  // namespace strut

#include "syscalls/types/process/rseq.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {
namespace {

// <linux/rseq.h>.
constexpr Constant kRseqFlagNames[] = {{1, "RSEQ_FLAG_UNREGISTER"}, {2, "RSEQ_FLAG_SLICE_EXT_DEFAULT_ON"}};
constexpr Constant kSectionFlagNames[] = {
    {1, "RSEQ_CS_FLAG_NO_RESTART_ON_PREEMPT"}, {2, "RSEQ_CS_FLAG_NO_RESTART_ON_SIGNAL"},
    {4, "RSEQ_CS_FLAG_NO_RESTART_ON_MIGRATE"}, {0x10, "RSEQ_CS_FLAG_SLICE_EXT_AVAILABLE"},
    {0x20, "RSEQ_CS_FLAG_SLICE_EXT_ENABLED"},
};
constexpr uint32_t kNoCpus = 0xfffffffe;
constexpr Constant kCpuNames[] = {{~1ull, "RSEQ_CPU_ID_REGISTRATION_FAILED"}, {~0ull, "RSEQ_CPU_ID_UNINITIALIZED"}};

constinit const ConstantSet kSectionFlags = flag_set("RSEQ_CS_FLAG_???", kSectionFlagNames);
constinit const ConstantSet kCpuIds = enumeration(nullptr, kCpuNames, NumberBase::Decimal);

struct Rseq {
  uint32_t cpu_id_start, cpu_id;
  uint64_t section;
  uint32_t flags, node_id, mm_cid;
  uint8_t slice_request, slice_granted;
  uint16_t slice_reserved;
  uint8_t reserved;
};
// The memory that is read: the structure, and the critical section that it points to.
constexpr Type kSectionRead = notation::pointer_to(kWhole<32>);
constexpr FieldType kRseqReadFields[] = {
    notation::field("", kWhole<33>), notation::at(8, notation::field("rseq_cs", kSectionRead)),
};
constexpr StructLayout kRseqReadLayout = {"rseq", kRseqReadFields};
constexpr size_t kFirstBytes = 32, kKnownBytes = 33, kAlignment = 32;

struct Section {
  uint32_t version, flags;
  uint64_t start_ip, post_commit_offset, abort_ip;
};

Value cpu_id(uint32_t id) {
  if (id < kNoCpus) return Decoder::number(id, Show::Unsigned, 4);
  return Decoder::named(static_cast<uint64_t>(int64_t{static_cast<int32_t>(id)}), kCpuIds, 8);
}

/// The critical section, and where it is as a comment.
Value section(Decoder& decoder, uint64_t at) {
  Section section;
  if (at == 0) return Decoder::address(0);
  if (!decoder.read(Addr{at}, section)) return decoder.missing(Addr{at});
  FieldValue fields[] = {
      {"version", Decoder::number(section.version, Show::Unsigned)},
      {"flags", Decoder::named(section.flags, kSectionFlags)},
      {"start_ip", Decoder::address(section.start_ip)},
      {"post_commit_offset", Decoder::number(section.post_commit_offset, Show::Hex)},
      {"abort_ip", Decoder::address(section.abort_ip)},
  };
  Value value = decoder.fields(fields);
  char address[24];
  std::snprintf(address, sizeof address, "%#llx", static_cast<unsigned long long>(at));
  value.comment = joined(decoder.arena(), {address});
  return value;
}

Value slice(Decoder& decoder, const Rseq& rseq) {
  FieldValue fields[] = {
      {"request", Decoder::number(rseq.slice_request, Show::Unsigned)},
      {"granted", Decoder::number(rseq.slice_granted, Show::Unsigned)},
      {"__reserved", Decoder::number(rseq.slice_reserved, Show::Hex)},
  };
  return decoder.fields(fields);
}

}  // namespace

constinit const Type kRseqRead = notation::structure(kRseqReadLayout);
constinit const ConstantSet kRseqFlags = flag_set("RSEQ_FLAG_???", kRseqFlagNames);

Value decode_rseq(Decoder& decoder, uint64_t at, size_t) {
  uint64_t bytes = decoder.arg(1);
  if (bytes < kFirstBytes || at % kAlignment != 0) return Decoder::address(at);
  Rseq rseq{};
  auto known = std::as_writable_bytes(std::span(&rseq, 1)).first(std::min<uint64_t>(bytes, kKnownBytes));
  if (!decoder.read_bytes(Addr{at}, known)) return decoder.missing(Addr{at});
  FieldValue fields[] = {
      {"cpu_id_start", cpu_id(rseq.cpu_id_start)},
      {"cpu_id", cpu_id(rseq.cpu_id)},
      {"rseq_cs", section(decoder, rseq.section)},
      {"flags", Decoder::named(rseq.flags, kSectionFlags)},
      {"node_id", Decoder::number(rseq.node_id, Show::Unsigned)},
      {"mm_cid", Decoder::number(rseq.mm_cid, Show::Unsigned)},
      {"slice_ctrl", slice(decoder, rseq)},
      {"__reserved", Decoder::number(rseq.reserved, Show::Hex)},
  };
  return decoder.fields(fields);
}

}  // namespace strut

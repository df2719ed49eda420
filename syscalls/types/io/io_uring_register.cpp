#include "syscalls/types/io/io_uring_register.hpp"

#include <algorithm>
#include <cstdio>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/reserved.hpp"
#include "syscalls/types/io/io_uring_constants.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/io_uring.h>, <linux/io_uring/query.h>, <linux/io_uring/zcrx.h>
constexpr Constant kRestrictionNames[] = {
    {0, "IORING_RESTRICTION_REGISTER_OP"}, {1, "IORING_RESTRICTION_SQE_OP"},
    {2, "IORING_RESTRICTION_SQE_FLAGS_ALLOWED"}, {3, "IORING_RESTRICTION_SQE_FLAGS_REQUIRED"},
};
constexpr Constant kEntryFlagNames[] = {
    {0x1, "IOSQE_FIXED_FILE"}, {0x2, "IOSQE_IO_DRAIN"}, {0x4, "IOSQE_IO_LINK"}, {0x8, "IOSQE_IO_HARDLINK"},
    {0x10, "IOSQE_ASYNC"}, {0x20, "IOSQE_BUFFER_SELECT"}, {0x40, "IOSQE_CQE_SKIP_SUCCESS"},
};
constexpr Constant kWorkerNames[] = {{0, "IO_WQ_BOUND"}, {1, "IO_WQ_UNBOUND"}};
constexpr Constant kQueryNames[] = {
    {0, "IO_URING_QUERY_OPCODES"}, {1, "IO_URING_QUERY_ZCRX"}, {2, "IO_URING_QUERY_SCQ"},
    {3, "IO_URING_QUERY_ZCRX_EVENT"},
};
constexpr Constant kZcrxAreaNames[] = {{0x1, "IORING_ZCRX_AREA_DMABUF"}};
constinit const ConstantSet kRestrictions = enumeration("IORING_RESTRICTION_???", kRestrictionNames);
constinit const ConstantSet kEntryFlags = flag_set("IOSQE_???", kEntryFlagNames);
constinit const ConstantSet kWorkers = enumeration("IO_WQ_???", kWorkerNames, NumberBase::Unsigned);
constinit const ConstantSet kQueries = enumeration("IO_URING_QUERY_???", kQueryNames);
constinit const ConstantSet kZcrxAreaFlags = flag_set("IORING_ZCRX_AREA_???", kZcrxAreaNames);

Value hex(uint64_t bits, uint8_t bytes) { return Decoder::number(bits, Show::Hex, bytes); }

/// Three reserved words, if any of them is used.
void add_reserved(Decoder& decoder, FieldList& fields, std::string_view name, const uint32_t (&words)[3]) {
  if ((words[0] | words[1] | words[2]) == 0) return;
  std::span<Value> items = decoder.arena().array<Value>(3);
  for (size_t i = 0; i < items.size(); i++) items[i] = hex(words[i], 4);
  fields.add(name, decoder.listed(items));
}

// -- restrictions -----------------------------------------------------------------------------------
/// A number without a name, with the first operand as a remark.
Value unknown_restriction(Decoder& decoder, uint64_t bits) {
  Value opcode = Decoder::named(bits & 0xffff, kRestrictions, 2);
  char text[16];
  std::snprintf(text, sizeof text, "op: %#x", static_cast<unsigned>(bits >> 16 & 0xff));
  opcode.comment = decoder.arena().copy(std::string_view(text));
  return opcode;
}
template <uint64_t... kValues>
constexpr FieldCondition kRestricts = number_at_is<Width::B2, 0, kValues...>;
constexpr Type kUnknownRestriction = shown_by(unknown_restriction, Width::B4);
constexpr FieldType kRestrictionFields[] = {
    field("opcode", named(kRestrictions, Width::B2), kRestricts<0, 1, 2, 3>),
    at(0, field("opcode", kUnknownRestriction, unless<kRestricts<0, 1, 2, 3>>)),
    at(2, field("register_op", named(kUringRegisterOps, Width::B1), kRestricts<0>)),
    at(2, field("sqe_op", named(kUringOpsInHex, Width::B1), kRestricts<1>)),
    at(2, field("sqe_flags", named(kEntryFlags, Width::B1), kRestricts<2, 3>)),
    at(3, field("resv", number(Width::B1, Show::Hex), not_zero<3, 1>)),
    at(4, field("resv2", kReserved<3>, not_zero<4, 12>)),
};
constexpr StructLayout kRestrictionLayout = {"io_uring_restriction", kRestrictionFields};
static_assert(size_of(kRestrictionLayout, Abi::X86_64) == 16);

// -- limits of workers --------------------------------------------------------------------------------
Value limits(Decoder& decoder, Addr at, uint64_t count) {
  Value value = decoder.array(kUInt, at, count, ArrayStyle::Indexed);
  auto* array = std::get_if<Array>(&value.is);
  if (!array) return value;
  std::span<Value> items = decoder.arena().array<Value>(array->items.size());
  for (size_t i = 0; i < items.size(); i++) {
    const char* name = kWorkers.name_of(i);
    FieldValue pair[] = {{name ? name : "more", Decoder::named(i, kWorkers)}, {"", array->items[i]}};
    items[i] = decoder.fields(pair);
  }
  array->items = items;
  return value;
}

constexpr FieldType kClockFields[] = {
    field("clockid", named(kClockIds)), field("__resv", kReserved<3>, not_zero<4, 12>),
};
constexpr StructLayout kClockLayout = {"io_uring_clock_register", kClockFields};

// -- queries ------------------------------------------------------------------------------------------
constexpr Type kReservedWords = array_of(kHex64, 4);
constexpr FieldType kOpcodesFields[] = {
    field("nr_request_opcodes", kUInt),
    field("nr_register_opcodes", kUInt),
    field("feature_flags", named(kUringFeatures, Width::B8)),
    field("ring_setup_flags", named(kUringSetupFlags, Width::B8)),
    field("enter_flags", named(kUringEnterFlags, Width::B8)),
    field("sqe_flags", named(kEntryFlags, Width::B8)),
    field("nr_query_opcodes", kUInt),
    field("__pad", kHex32, not_zero<44, 4>),
};
constexpr FieldType kZcrxFields[] = {
    field("register_flags", named(kZcrxFlags, Width::B8)), field("area_flags", named(kZcrxAreaFlags, Width::B8)),
    field("nr_ctrl_opcodes", kUInt), field("features", kHex32), field("rq_hdr_size", kUInt),
    field("rq_hdr_alignment", kUInt), field("__resv2", kHex64, not_zero<32, 8>),
};
constexpr FieldType kScqFields[] = {field("hdr_size", kU64), field("hdr_alignment", kU64)};
constexpr FieldType kZcrxEventFields[] = {
    field("event_flags", kHex32), field("stats_size", kUInt), field("stats_off_alignment", kUInt),
    field("__resv1", kHex32, not_zero<12, 4>), field("__resv2", kReservedWords, not_zero<16, 32>),
};
constexpr StructLayout kQueryLayouts[] = {
    {"io_uring_query_opcode", kOpcodesFields}, {"io_uring_query_zcrx", kZcrxFields},
    {"io_uring_query_scq", kScqFields}, {"io_uring_query_zcrx_event", kZcrxEventFields},
};
static_assert(size_of(kQueryLayouts[0], Abi::X86_64) == 48 && size_of(kQueryLayouts[0], Abi::I386) == 48);
static_assert(size_of(kQueryLayouts[1], Abi::X86_64) == 40 && size_of(kQueryLayouts[3], Abi::I386) == 48);

struct QueryHeader {
  uint64_t next_entry, data;
  uint32_t operation, size;
  int32_t result;
  uint32_t reserved[3];
};

Value query_answer(Decoder& decoder, const QueryHeader& query) {
  if (query.operation >= std::size(kQueryLayouts)) return Decoder::address(query.data);
  return decoder.structure(kQueryLayouts[query.operation], Addr{query.data});
}

/// A query and the chained ones, each in the one before; `left` of them are shown.
Value query_chain(Decoder& decoder, Addr at, size_t left) {
  QueryHeader query;
  if (raw(at) == 0) return Decoder::address(0);
  if (!decoder.read(at, query)) return decoder.missing(at);
  if (left == 0) {
    Value more = Decoder::address(raw(at));
    more.comment = "...";
    return more;
  }
  FieldList fields;
  fields.add("query_data", Decoder::address(query.data));
  fields.add("query_op", Decoder::named(query.operation, kQueries));
  fields.add("size", Decoder::number(query.size, Show::Unsigned));
  fields.add("result", Decoder::number(static_cast<uint64_t>(int64_t{query.result}), Show::Signed));
  add_reserved(decoder, fields, "__resv", query.reserved);
  if (query.size != 0 && query.data != 0) fields.add("query_data", query_answer(decoder, query));
  fields.add("next_entry", query_chain(decoder, Addr{query.next_entry}, left - 1));
  return fields.structure(decoder);
}

}  // namespace

constinit const Type kUringClock = structure(kClockLayout);
constinit const Type kUringRestriction = structure(kRestrictionLayout);

Value decode_worker_limits(Decoder& decoder, uint64_t at, size_t count) {
  const Value* before = decoder.at_enter(2);
  if (decoder.phase() == Phase::Enter || !before) return limits(decoder, Addr{at}, count);
  const Array* array = std::get_if<Array>(&before->is);
  if (!array || count == 0 || raw(array->unreadable_at) != 0) return *before;
  bool failed = decoder.call().error != 0;
  return decoder.change(*before, failed ? Decoder::address(at) : limits(decoder, Addr{at}, count));
}

Value decode_uring_query(Decoder& decoder, uint64_t at, size_t) {
  constexpr size_t kMaxQueries = 256;
  if (decoder.arg(3) != 0) return Decoder::address(at);
  return query_chain(decoder, Addr{at},
                     decoder.full() ? kMaxQueries : std::min(kMaxQueries, decoder.options().max_string_bytes));
}

}  // namespace strut

#include "syscalls/types/bpf/bpf.hpp"

#include <algorithm>
#include <cstdio>

#include "syscalls/decoder.hpp"
#include "syscalls/types/bpf/bpf_layouts.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint32_t kMaxBytes = 4096;  // a page: the kernel refuses more (bpf_check_uarg_tail_zero)
constexpr size_t kKnownBytes = 192;    // no command knows more
constexpr uint32_t kMapLookupBatch = 24, kMapDeleteBatch = 27;

/// The structure as it is in memory now.
Value current(Decoder& decoder, Addr at) {
  uint32_t command = static_cast<uint32_t>(decoder.arg(0)), bytes = static_cast<uint32_t>(decoder.arg(2));
  bool plausible = bytes != 0 && bytes <= kMaxBytes && raw(at) != 0;
  if (!plausible || !decoder.dereferences()) return Decoder::address(raw(at));
  std::span<std::byte> copy = decoder.arena().array<std::byte>(std::max<size_t>(bytes, kKnownBytes));
  std::fill(copy.begin(), copy.end(), std::byte{0});
  if (!decoder.read_bytes(at, copy.first(bytes))) return decoder.missing(at);
  BpfAttr attr = bpf_attr_of(command, copy);
  if (!attr.layout) return Decoder::address(raw(at));
  size_t known = offset_of(*attr.layout, attr.layout->fields_of(decoder.abi()).size(), decoder.abi());
  Value value = decoder.structure(*attr.layout, at, copy);
  if (attr.member) {
    FieldValue whole{attr.member, value, false};
    value = decoder.fields(std::span(&whole, 1));
  }
  return with_bpf_excess(decoder, value, bpf_excess(decoder, copy.first(bytes), known));
}

enum class Reported : uint8_t { Before, After, Both };
struct FieldReport {
  std::string_view name;
  Reported when;
};
/// Members that the kernel writes: shown with their value at exit, or with both if it differs. Others were shown at
/// enter.
constexpr FieldReport kWritten[] = {
    {"next_id", Reported::After}, {"log_true_size", Reported::After}, {"btf_log_true_size", Reported::After},
    {"info", Reported::After}, {"info_len", Reported::Both}, {"prog_ids", Reported::After},
    {"prog_cnt", Reported::Both}, {"prog_attach_flags", Reported::After}, {"link_ids", Reported::After},
    {"link_attach_flags", Reported::After},
    {"revision", Reported::After}, {"buf_len", Reported::Both}, {"buf", Reported::After}, {"prog_id", Reported::After},
    {"fd_type", Reported::After}, {"probe_offset", Reported::After}, {"probe_addr", Reported::After},
    {"stream_buf", Reported::After}, {"jited_prog_len", Reported::Both}, {"xlated_prog_len", Reported::Both},
    {"nr_map_ids", Reported::Both}, {"nr_jited_ksyms", Reported::Both}, {"nr_jited_func_lens", Reported::Both},
    {"func_info_rec_size", Reported::Both}, {"nr_func_info", Reported::Both}, {"nr_line_info", Reported::Both},
    {"nr_jited_line_info", Reported::Both}, {"line_info_rec_size", Reported::Both},
    {"jited_line_info_rec_size", Reported::Both}, {"nr_prog_tags", Reported::Both},
};
Reported reported_when(std::string_view name, Reported otherwise) {
  for (const FieldReport& field : kWritten)
    if (field.name == name) return field.when;
  return otherwise;
}

const FieldValue* find(const Struct& in, std::string_view name) {
  for (const FieldValue& field : in.fields)
    if (field.name == name) return &field;
  return nullptr;
}

Value reported(Decoder& decoder, const Struct& before, const Struct& after, Reported otherwise);
Value reported(Decoder& decoder, std::string_view name, const Value& before, const Value& after, Reported otherwise) {
  const Struct* inner = std::get_if<Struct>(&before.is);
  const Struct* later = std::get_if<Struct>(&after.is);
  // The kernel writes all members of an object's report that are not in the table above.
  if (inner && later) return reported(decoder, *inner, *later, name == "info" ? Reported::After : otherwise);
  switch (reported_when(name, otherwise)) {
    case Reported::Before: return before;
    case Reported::After: return after;
    case Reported::Both: return same(before, after) ? after : decoder.change(before, after);
  }
  return before;
}
Value reported(Decoder& decoder, const Struct& before, const Struct& after, Reported otherwise) {
  if (otherwise == Reported::Before && after.fields.size() != before.fields.size()) return {before, {}};
  std::span<FieldValue> fields = decoder.arena().array<FieldValue>(after.fields.size());
  std::copy(after.fields.begin(), after.fields.end(), fields.begin());
  for (FieldValue& field : fields)
    if (const FieldValue* earlier = find(before, field.name))
      field.value = reported(decoder, field.name, earlier->value, field.value, otherwise);
  return {Struct{fields, before.cut}, {}};
}

/// The result of a batch: the number of elements, if it differs from the request.
Value batch_count(Decoder& decoder, Addr at) {
  constexpr size_t kCountOffset = 32;
  if (static_cast<uint32_t>(decoder.arg(2)) < kCountOffset + sizeof(uint32_t)) return {};
  auto count = decoder.read_number(at + kCountOffset, Width::B4);
  if (!count) return {};
  FieldValue field{"count", Decoder::number(*count, Show::Unsigned, 4), false};
  FieldValue whole{"batch", decoder.fields(std::span(&field, 1)), false};
  return decoder.fields(std::span(&whole, 1));
}

Value after_batch(Decoder& decoder, Addr at, const Value& before) {
  const FieldValue* batch = find(std::get<Struct>(before.is), "batch");
  const Struct* inner = batch ? std::get_if<Struct>(&batch->value.is) : nullptr;
  const FieldValue* asked = inner ? find(*inner, "count") : nullptr;
  Value done = batch_count(decoder, at);
  if (!asked || done.absent()) return before;
  const Struct& now = std::get<Struct>(std::get<Struct>(done.is).fields[0].value.is);
  return same(asked->value, now.fields[0].value) ? before : done;
}

/// A descriptor, if the attributes are known; else a number.
bool reports_attr(Decoder& decoder, Addr) {
  const Value* attr = decoder.at_enter(1);
  return attr && std::holds_alternative<Struct>(attr->is);
}
constexpr Type kFdResultOfAttr = kEither<reports_attr, kFd, kUnsignedResult>;

constexpr ArgType kAttrIn = in("attr", kBpfAttr);
constexpr ArgType kAttrReported = even_on_failure(remembered(out("attr", kBpfAttr)));
constexpr ArgType kBatch = even_on_failure(inout("attr", kBpfAttr));
constexpr ArgType kAttrSize = uinteger("size");
constexpr CommandRow in_only(uint64_t value, const Type& result) { return command(value, result, kAttrIn, kAttrSize); }
constexpr CommandRow reported_at_exit(uint64_t value, const Type& result) {
  return command(value, result, kAttrReported, kAttrSize);
}
constexpr CommandRow batch(uint64_t value) { return command(value, kUnsignedResult, kBatch, kAttrSize); }

constexpr CommandRow kRows[] = {
    in_only(0, kFdResultOfAttr),
    in_only(1, kUnsignedResult),
    in_only(2, kUnsignedResult),
    in_only(3, kUnsignedResult),
    in_only(4, kUnsignedResult),
    reported_at_exit(5, kFdResultOfAttr),
    in_only(6, kFdResultOfAttr),
    in_only(7, kFdResultOfAttr),
    in_only(8, kUnsignedResult),
    in_only(9, kUnsignedResult),
    in_only(10, kUnsignedResult),
    reported_at_exit(11, kUnsignedResult),
    reported_at_exit(12, kUnsignedResult),
    in_only(13, kFdResultOfAttr),
    in_only(14, kFdResultOfAttr),
    reported_at_exit(15, kUnsignedResult),
    reported_at_exit(16, kUnsignedResult),
    in_only(17, kUnsignedResult),
    reported_at_exit(18, kFdResultOfAttr),
    in_only(19, kFdResultOfAttr),
    reported_at_exit(20, kUnsignedResult),
    in_only(21, kUnsignedResult),
    in_only(22, kUnsignedResult),
    reported_at_exit(23, kUnsignedResult),
    batch(24),
    batch(25),
    batch(26),
    batch(27),
    in_only(28, kFdResultOfAttr),
    in_only(29, kUnsignedResult),
    in_only(30, kFdResultOfAttr),
    reported_at_exit(31, kUnsignedResult),
    in_only(32, kFdResultOfAttr),
    in_only(33, kFdResultOfAttr),
    in_only(34, kUnsignedResult),
    in_only(35, kFdResultOfAttr),
    in_only(36, kFdResultOfAttr),
    reported_at_exit(37, kUnsignedResult),
    in_only(38, kUnsignedResult),
};

}  // namespace

constinit const CommandTable kBpfByCommand = {0, 1, kRows};

Value decode_bpf_attr(Decoder& decoder, uint64_t at, size_t) {
  const Value* before = decoder.at_enter(1);
  if (decoder.phase() == Phase::Enter || !before) return current(decoder, Addr{at});
  if (!std::holds_alternative<Struct>(before->is)) return *before;
  uint64_t command = decoder.arg(0) & 0xffffffff;
  if (command >= kMapLookupBatch && command <= kMapDeleteBatch) return after_batch(decoder, Addr{at}, *before);
  Value after = current(decoder, Addr{at});
  const Struct* later = std::get_if<Struct>(&after.is);
  return later ? reported(decoder, std::get<Struct>(before->is), *later, Reported::Before) : *before;
}

Value bpf_excess(Decoder& decoder, std::span<const std::byte> structure, size_t known) {
  if (structure.size() <= known) return {};
  std::span<const std::byte> rest = structure.subspan(known);
  if (std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; })) return {};
  Value value = decoder.text({reinterpret_cast<const char*>(rest.data()), rest.size()}, TextKind::Binary);
  char range[48];
  int length = std::snprintf(range, sizeof range, "bytes %zu..%zu", known, structure.size() - 1);
  value.comment = decoder.arena().copy(std::string_view(range, static_cast<size_t>(length)));
  return value;
}

Value with_bpf_excess(Decoder& decoder, const Value& structure, const Value& excess) {
  if (excess.absent()) return structure;
  std::span<const FieldValue> known = std::get<Struct>(structure.is).fields;
  std::span<FieldValue> fields = decoder.arena().array<FieldValue>(known.size() + 1);
  std::copy(known.begin(), known.end(), fields.begin());
  fields.back() = {"extra_data", excess};
  return {Struct{decoder.full() ? fields : fields.first(known.size()), !decoder.full()}, {}};
}

}  // namespace strut

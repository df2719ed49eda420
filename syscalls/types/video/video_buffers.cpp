#include "syscalls/types/video/video_buffers.hpp"

#include <linux/videodev2.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/compared.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"
#include "syscalls/types/video/video_formats.hpp"
#include "syscalls/types/video/video_names.hpp"
#include "syscalls/types/video/video_phases.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kFlagNames[] = {
    {0x1, "V4L2_BUF_FLAG_MAPPED"},
    {0x2, "V4L2_BUF_FLAG_QUEUED"},
    {0x4, "V4L2_BUF_FLAG_DONE"},
    {0x8, "V4L2_BUF_FLAG_KEYFRAME"},
    {0x10, "V4L2_BUF_FLAG_PFRAME"},
    {0x20, "V4L2_BUF_FLAG_BFRAME"},
    {0x40, "V4L2_BUF_FLAG_ERROR"},
    {0x80, "V4L2_BUF_FLAG_IN_REQUEST"},
    {0x100, "V4L2_BUF_FLAG_TIMECODE"},
    {0x200, "V4L2_BUF_FLAG_INPUT"},
    {0x400, "V4L2_BUF_FLAG_PREPARED"},
    {0x800, "V4L2_BUF_FLAG_NO_CACHE_INVALIDATE"},
    {0x1000, "V4L2_BUF_FLAG_NO_CACHE_CLEAN"},
    {0x100000, "V4L2_BUF_FLAG_LAST"},
    {0x800000, "V4L2_BUF_FLAG_REQUEST_FD"},
};
constexpr Constant kClockNames[] = {{0, "V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN"},
                                    {0x2000, "V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC"},
                                    {0x4000, "V4L2_BUF_FLAG_TIMESTAMP_COPY"}};
constexpr Constant kSourceNames[] = {{0, "V4L2_BUF_FLAG_TSTAMP_SRC_EOF"}, {0x10000, "V4L2_BUF_FLAG_TSTAMP_SRC_SOE"}};
constinit const ConstantSet kFlags = flag_set("V4L2_BUF_FLAG_???", kFlagNames);
constinit const ConstantSet kClocks = enumeration("V4L2_BUF_FLAG_TIMESTAMP_???", kClockNames);
constinit const ConstantSet kSources = enumeration("V4L2_BUF_FLAG_TSTAMP_SRC_???", kSourceNames);

/// Flags, the clock of the time, and the event at that time; nothing for flags if there is none.
Value flags_of(Decoder& decoder, uint32_t word) {
  uint32_t clock = word & V4L2_BUF_FLAG_TIMESTAMP_MASK, source = word & V4L2_BUF_FLAG_TSTAMP_SRC_MASK;
  uint32_t flags = word & ~(clock | source);
  std::span<Value> parts = decoder.arena().array<Value>(3);
  parts[0] = Decoder::named(flags, kFlags);
  parts[1] = Decoder::named(clock, kClocks);
  parts[2] = Decoder::named(source, kSources);
  Union joined{.parts = parts.subspan(flags == 0 ? 1 : 0), .bits = word, .apart = true, .one_if_raw = true};
  return {joined, {}};
}

/// struct v4l2_buffer up to its flags, which are in the same place in every ABI.
struct BufferHead {
  uint32_t index, type, bytesused, flags;
};

void add_location(Decoder& decoder, FieldList& fields, uint64_t at, uint64_t memory) {
  if (memory == V4L2_MEMORY_MMAP)
    fields.add("m.offset", Decoder::number(decoder.read_number(Addr{at}, Width::B4).value_or(0), Show::Hex, 4));
  if (memory == V4L2_MEMORY_USERPTR)
    fields.add("m.userptr", Decoder::address(decoder.read_number(Addr{at}, Width::Long).value_or(0)));
}

constexpr FieldType kRequestedCount = field("count", kUInt);
constexpr FieldType kRequestFields[] = {
    at(4, field("type", kWord<kVideoBufferTypes>)),
    at(8, field("memory", kWord<kVideoMemory>)),
    at(0, compared<kRequestedCount>()),
    at(12, padding_bytes(8)),
};
constexpr StructLayout kRequestLayout = {"v4l2_requestbuffers", kRequestFields};
static_assert(size_of(kRequestLayout, Abi::X86_64) == sizeof(v4l2_requestbuffers));

constexpr FieldType kCreatedFields[] = {
    padding(kUInt),
    field("count", kUInt),
    field("memory", kWord<kVideoMemory>),
    field("format", structure(kVideoFormat)),
    padding_bytes(32),
};

}  // namespace

Value decode_video_buffer(Decoder& decoder, uint64_t at, const VideoBufferShape& shape) {
  BufferHead head;
  const VideoBufferPlaces& places = shape.places;
  std::optional<uint64_t> memory = decoder.read_number(Addr{at + places.memory}, Width::B4);
  std::optional<uint64_t> last = decoder.read_number(Addr{at + places.bytes - 4}, Width::B4);
  if (!decoder.read(Addr{at}, head) || !memory || !last) return decoder.missing(Addr{at});
  FieldList fields;
  fields.add("type", Decoder::named(head.type, kVideoBufferTypes));
  bool answered = is_answered(decoder, Addr{at});
  if (answered || !shape.dequeued) fields.add("index", Decoder::number(head.index, Show::Unsigned, 4));
  if (!answered) return fields.structure(decoder);
  fields.add("memory", Decoder::named(*memory, kVideoMemory));
  add_location(decoder, fields, at + places.location, *memory);
  uint64_t length = decoder.read_number(Addr{at + places.length}, Width::B4).value_or(0);
  fields.add("length", Decoder::number(length, Show::Unsigned, 4));
  fields.add("bytesused", Decoder::number(head.bytesused, Show::Unsigned, 4));
  fields.add("flags", flags_of(decoder, head.flags));
  if (shape.dequeued) fields.add("timestamp", decoder.object(*places.time, Addr{at + places.timestamp}));
  return fields.structure(decoder, true);
}

constinit const Type kRequestedBuffers = structure(kRequestLayout);
constinit const StructLayout kCreatedBuffers = {"v4l2_create_buffers", kCreatedFields};

Value decode_created_buffers(Decoder& decoder) {
  std::array<uint32_t, 2> created;
  const Value* asked = decoder.at_enter(2);
  bool is_known = asked && std::holds_alternative<Struct>(asked->is) && decoder.read(Addr{decoder.arg(2)}, created);
  if (!is_known) return {Absent{}, {}};
  FieldList fields, answer;
  fields.add("index", Decoder::number(created[0], Show::Unsigned, 4));
  fields.add("count", Decoder::number(created[1], Show::Unsigned, 4));
  return answer.add("", fields.structure(decoder)).structure(decoder);
}

}  // namespace strut

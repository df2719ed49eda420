#include "syscalls/types/video/video_formats.hpp"

#include <linux/videodev2.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"
#include "syscalls/types/video/video_names.hpp"
#include "syscalls/types/video/video_phases.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kColorspaceNames[] = {
    {0, "V4L2_COLORSPACE_DEFAULT"},     {1, "V4L2_COLORSPACE_SMPTE170M"},     {2, "V4L2_COLORSPACE_SMPTE240M"},
    {3, "V4L2_COLORSPACE_REC709"},      {4, "V4L2_COLORSPACE_BT878"},         {5, "V4L2_COLORSPACE_470_SYSTEM_M"},
    {6, "V4L2_COLORSPACE_470_SYSTEM_BG"}, {7, "V4L2_COLORSPACE_JPEG"},        {8, "V4L2_COLORSPACE_SRGB"},
    {9, "V4L2_COLORSPACE_OPRGB"},       {10, "V4L2_COLORSPACE_BT2020"},       {11, "V4L2_COLORSPACE_RAW"},
    {12, "V4L2_COLORSPACE_DCI_P3"},
};
constexpr Constant kBlankNames[] = {{1, "V4L2_VBI_UNSYNC"}, {2, "V4L2_VBI_INTERLACED"}};
constexpr Constant kServiceNames[] = {{1, "V4L2_SLICED_TELETEXT_B"},
                                      {0x400, "V4L2_SLICED_VPS"},
                                      {0x1000, "V4L2_SLICED_CAPTION_525"},
                                      {0x4000, "V4L2_SLICED_WSS_625"}};
constinit const ConstantSet kColorspaces = enumeration("V4L2_COLORSPACE_???", kColorspaceNames);
constinit const ConstantSet kBlankFlags = flag_set("V4L2_VBI_???", kBlankNames);
constinit const ConstantSet kServices = flag_set("V4L2_SLICED_???", kServiceNames);

constexpr FieldType kPictureFields[] = {
    field("width", kUInt),
    field("height", kUInt),
    field("pixelformat", kPixelFormat),
    field("field", kWord<kVideoFields>),
    field("bytesperline", kUInt),
    field("sizeimage", kUInt),
    field("colorspace", kWord<kColorspaces>),
};
constexpr StructLayout kPicture = {"v4l2_pix_format", kPictureFields};

constexpr FieldType kPlaneFields[] = {field("sizeimage", kUInt), field("bytesperline", kUInt), padding_bytes(12)};
constexpr StructLayout kPlaneLayout = {"v4l2_plane_pix_format", kPlaneFields, true};
constexpr Type kPlane = structure(kPlaneLayout);
constexpr uint16_t kPlanes = 20, kPlaneCount = 180;
static_assert(kPlanes == offsetof(v4l2_pix_format_mplane, plane_fmt) &&
              kPlaneCount == offsetof(v4l2_pix_format_mplane, num_planes) &&
              size_of(kPlaneLayout, Abi::X86_64) == sizeof(v4l2_plane_pix_format));
constexpr FieldType kPlanarFields[] = {
    field("width", kUInt),
    field("height", kUInt),
    field("pixelformat", kPixelFormat),
    field("field", kWord<kVideoFields>),
    field("colorspace", kWord<kColorspaces>),
    field("plane_fmt", counted(kPlane, by_field_in(6, VIDEO_MAX_PLANES))),
    field("num_planes", kU8),
};
constexpr StructLayout kPlanar = {"v4l2_pix_format_mplane", kPlanarFields};

constexpr FieldType kClipFields[] = {field("c", structure(kVideoRectangle)), padding(kAddress)};
constexpr StructLayout kClipLayout = {"v4l2_clip", kClipFields};
/// The pointers that once linked clips are not followed: the count says how many lie behind one another.
constexpr FieldType kWindowFields[] = {
    field("w", structure(kVideoRectangle)),
    field("field", kWord<kVideoFields>),
    field("chromakey", kHex32),
    field("clips", pointer_to(kStructure<kClipLayout>, by_field(4))),
    field("clipcount", kUInt),
    field("bitmap", kAddress),
    field("global_alpha", number(Width::B1, Show::Hex)),
};
constexpr StructLayout kWindow = {"v4l2_window", kWindowFields};

constexpr Type kStarts = array_of(kInt, 2), kCounts = array_of(kUInt, 2);
constexpr FieldType kBlankFields[] = {
    field("sampling_rate", kUInt), field("offset", kUInt),  field("samples_per_line", kUInt),
    field("sample_format", kPixelFormat), field("start", kStarts), field("count", kCounts),
    field("flags", kWord<kBlankFlags>),
};
constexpr StructLayout kBlank = {"v4l2_vbi_format", kBlankFields};

constexpr Type kLine = number(Width::B2, Show::Hex), kLines = array_of(kLine, 24), kBothLines = array_of(kLines, 2);
constexpr FieldType kSlicedFields[] = {field("service_set", named(kServices, Width::B2)),
                                       field("service_lines", kBothLines), field("io_size", kUInt)};
constexpr StructLayout kSliced = {"v4l2_sliced_vbi_format", kSlicedFields};
static_assert(offset_of(kSliced, 2, Abi::X86_64) == offsetof(v4l2_sliced_vbi_format, io_size));

constexpr FieldType kRadioFields[] = {field("pixelformat", kSampleFormat), field("buffersize", kUInt)};
constexpr StructLayout kRadio = {"v4l2_sdr_format", kRadioFields};
constexpr FieldType kMetadataFields[] = {field("dataformat", kMetadataFormat), field("buffersize", kUInt)};
constexpr StructLayout kMetadata = {"v4l2_meta_format", kMetadataFields};

constexpr size_t kClips = 3;  // of kWindowFields
/// A window without clips that can be read is shown as it was passed: the whole at the return is the same then.
bool lacks_clips(Decoder& decoder) {
  const Value* before = decoder.at_enter(2);
  const Struct* format = before ? std::get_if<Struct>(&before->is) : nullptr;
  if (!format || format->fields.back().name != "fmt.win") return false;
  const Struct* window = std::get_if<Struct>(&format->fields.back().value.is);
  return window && !std::holds_alternative<Array>(window->fields[kClips].value.is);
}
template <VideoPhase kPhase>
bool shows_format_type(Decoder& decoder, Addr format) {
  return shows_type<kPhase, 1, 14>(decoder, format) || lacks_clips(decoder);
}

/// The window stands first: its pointers give the union its place.
template <VideoPhase kPhase>
constexpr FieldType kFields[] = {
    field("type", kWord<kVideoBufferTypes>, shows_format_type<kPhase>),
    field("fmt.win", kStructure<kWindow>,
          is_of<kPhase, V4L2_BUF_TYPE_VIDEO_OVERLAY, V4L2_BUF_TYPE_VIDEO_OUTPUT_OVERLAY>),
    overlapping(field("fmt.pix", kStructure<kPicture>,
                      is_of<kPhase, V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_BUF_TYPE_VIDEO_OUTPUT>)),
    overlapping(field("fmt.pix_mp", kStructure<kPlanar>,
                      is_of<kPhase, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE, V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE>)),
    overlapping(
        field("fmt.vbi", kStructure<kBlank>, is_of<kPhase, V4L2_BUF_TYPE_VBI_CAPTURE, V4L2_BUF_TYPE_VBI_OUTPUT>)),
    overlapping(field("fmt.sliced", kStructure<kSliced>,
                      is_of<kPhase, V4L2_BUF_TYPE_SLICED_VBI_CAPTURE, V4L2_BUF_TYPE_SLICED_VBI_OUTPUT>)),
    overlapping(
        field("fmt.sdr", kStructure<kRadio>, is_of<kPhase, V4L2_BUF_TYPE_SDR_CAPTURE, V4L2_BUF_TYPE_SDR_OUTPUT>)),
    overlapping(field("fmt.meta", kStructure<kMetadata>,
                      is_of<kPhase, V4L2_BUF_TYPE_META_CAPTURE, V4L2_BUF_TYPE_META_OUTPUT>)),
    overlapping(padding_bytes(200)),
};

}  // namespace

constinit const StructLayout kVideoFormatAsked = {"v4l2_format", kFields<VideoPhase::Answer>};
constinit const StructLayout kVideoFormatChanged = {"v4l2_format", kFields<VideoPhase::Change>};
constinit const StructLayout kVideoFormat = {"v4l2_format", kFields<VideoPhase::Always>};

}  // namespace strut

#include "syscalls/types/video/video.hpp"

#include <linux/videodev2.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/system.hpp"
#include "syscalls/types/time/time.hpp"
#include "syscalls/types/video/video_buffers.hpp"
#include "syscalls/types/video/video_control_queries.hpp"
#include "syscalls/types/video/video_controls.hpp"
#include "syscalls/types/video/video_formats.hpp"
#include "syscalls/types/video/video_names.hpp"
#include "syscalls/types/video/video_phases.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- devices and their formats --------------------------------------------------------------------------------------
constexpr Constant kCapabilityNames[] = {
    {0x1, "V4L2_CAP_VIDEO_CAPTURE"},
    {0x2, "V4L2_CAP_VIDEO_OUTPUT"},
    {0x4, "V4L2_CAP_VIDEO_OVERLAY"},
    {0x10, "V4L2_CAP_VBI_CAPTURE"},
    {0x20, "V4L2_CAP_VBI_OUTPUT"},
    {0x40, "V4L2_CAP_SLICED_VBI_CAPTURE"},
    {0x80, "V4L2_CAP_SLICED_VBI_OUTPUT"},
    {0x100, "V4L2_CAP_RDS_CAPTURE"},
    {0x200, "V4L2_CAP_VIDEO_OUTPUT_OVERLAY"},
    {0x400, "V4L2_CAP_HW_FREQ_SEEK"},
    {0x800, "V4L2_CAP_RDS_OUTPUT"},
    {0x1000, "V4L2_CAP_VIDEO_CAPTURE_MPLANE"},
    {0x2000, "V4L2_CAP_VIDEO_OUTPUT_MPLANE"},
    {0x4000, "V4L2_CAP_VIDEO_M2M_MPLANE"},
    {0x8000, "V4L2_CAP_VIDEO_M2M"},
    {0x10000, "V4L2_CAP_TUNER"},
    {0x20000, "V4L2_CAP_AUDIO"},
    {0x40000, "V4L2_CAP_RADIO"},
    {0x80000, "V4L2_CAP_MODULATOR"},
    {0x100000, "V4L2_CAP_SDR_CAPTURE"},
    {0x200000, "V4L2_CAP_EXT_PIX_FORMAT"},
    {0x400000, "V4L2_CAP_SDR_OUTPUT"},
    {0x800000, "V4L2_CAP_META_CAPTURE"},
    {0x1000000, "V4L2_CAP_READWRITE"},
    {0x2000000, "V4L2_CAP_ASYNCIO"},
    {0x4000000, "V4L2_CAP_STREAMING"},
    {0x8000000, "V4L2_CAP_META_OUTPUT"},
    {0x10000000, "V4L2_CAP_TOUCH"},
    {0x80000000, "V4L2_CAP_DEVICE_CAPS"},
};
constexpr Constant kFormatFlagNames[] = {
    {0x1, "V4L2_FMT_FLAG_COMPRESSED"},
    {0x2, "V4L2_FMT_FLAG_EMULATED"},
    {0x4, "V4L2_FMT_FLAG_CONTINUOUS_BYTESTREAM"},
    {0x8, "V4L2_FMT_FLAG_DYN_RESOLUTION"},
    {0x10, "V4L2_FMT_FLAG_ENC_CAP_FRAME_INTERVAL"},
    {0x20, "V4L2_FMT_FLAG_CSC_COLORSPACE"},
    {0x40, "V4L2_FMT_FLAG_CSC_XFER_FUNC"},
    {0x80, "V4L2_FMT_FLAG_CSC_YCBCR_ENC"},
    {0x100, "V4L2_FMT_FLAG_CSC_QUANTIZATION"},
};
constexpr Constant kSizeTypeNames[] = {
    {1, "V4L2_FRMSIZE_TYPE_DISCRETE"}, {2, "V4L2_FRMSIZE_TYPE_CONTINUOUS"}, {3, "V4L2_FRMSIZE_TYPE_STEPWISE"}};
constexpr Constant kIntervalTypeNames[] = {
    {1, "V4L2_FRMIVAL_TYPE_DISCRETE"}, {2, "V4L2_FRMIVAL_TYPE_CONTINUOUS"}, {3, "V4L2_FRMIVAL_TYPE_STEPWISE"}};
constinit const ConstantSet kCapabilities = flag_set("V4L2_CAP_???", kCapabilityNames);
constinit const ConstantSet kFormatFlags = flag_set("V4L2_FMT_FLAG_???", kFormatFlagNames);
constinit const ConstantSet kSizeTypes = enumeration("V4L2_FRMSIZE_TYPE_???", kSizeTypeNames);
constinit const ConstantSet kIntervalTypes = enumeration("V4L2_FRMIVAL_TYPE_???", kIntervalTypeNames);

constexpr FieldType kDeviceFields[] = {
    field("driver", char_array(16)),
    field("card", char_array(32)),
    field("bus_info", char_array(32)),
    field("version", kKernelVersion),
    field("capabilities", kWord<kCapabilities>),
    field("device_caps", kWord<kCapabilities>, not_zero<offsetof(v4l2_capability, device_caps), 4>),
    padding_bytes(12),
};
constexpr StructLayout kDevice = {"v4l2_capability", kDeviceFields};

constexpr FieldType kDescribedFields[] = {
    field("index", kUInt),
    field("type", kWord<kVideoBufferTypes>),
    answer(field("flags", kWord<kFormatFlags>)),
    answer(field("description", char_array(32))),
    answer(field("pixelformat", kPixelFormat)),
    padding_bytes(16),
};
constexpr StructLayout kDescribed = {"v4l2_fmtdesc", kDescribedFields};

constexpr FieldType kSizeFields[] = {field("width", kUInt), field("height", kUInt)};
constexpr StructLayout kSizeLayout = {"v4l2_frmsize_discrete", kSizeFields};
constexpr FieldType kSizeRangeFields[] = {
    field("min_width", kUInt),  field("max_width", kUInt),  field("step_width", kUInt),
    field("min_height", kUInt), field("max_height", kUInt), field("step_height", kUInt),
};
constexpr StructLayout kSizeRange = {"v4l2_frmsize_stepwise", kSizeRangeFields};
constexpr FieldType kSizesFields[] = {
    field("index", kUInt),
    field("pixel_format", kPixelFormat),
    answer(field("type", kWord<kSizeTypes>)),
    field("discrete", kStructure<kSizeLayout>, both<is_answered, word_is<8, V4L2_FRMSIZE_TYPE_DISCRETE>>),
    overlapping(field("stepwise", kStructure<kSizeRange>, both<is_answered, word_is<8, V4L2_FRMSIZE_TYPE_STEPWISE>>)),
    padding_bytes(8),
};
constexpr StructLayout kSizes = {"v4l2_frmsizeenum", kSizesFields};

constexpr FieldType kIntervalRangeFields[] = {field("min", kVideoFraction), field("max", kVideoFraction),
                                              field("step", kVideoFraction)};
constexpr StructLayout kIntervalRange = {"v4l2_frmival_stepwise", kIntervalRangeFields};
constexpr FieldType kIntervalsFields[] = {
    field("index", kUInt),
    field("pixel_format", kPixelFormat),
    field("width", kUInt),
    field("height", kUInt),
    answer(field("type", kWord<kIntervalTypes>)),
    field("discrete", kVideoFraction, both<is_answered, word_is<16, V4L2_FRMIVAL_TYPE_DISCRETE>>),
    overlapping(field("stepwise", kStructure<kIntervalRange>,
                      both<is_answered, word_is<16, V4L2_FRMIVAL_TYPE_CONTINUOUS, V4L2_FRMIVAL_TYPE_STEPWISE>>)),
    padding_bytes(8),
};
constexpr StructLayout kIntervals = {"v4l2_frmivalenum", kIntervalsFields};
static_assert(size_of(kDevice, Abi::X86_64) == sizeof(v4l2_capability) &&
              size_of(kDescribed, Abi::X86_64) == sizeof(v4l2_fmtdesc) &&
              size_of(kSizes, Abi::X86_64) == sizeof(v4l2_frmsizeenum) &&
              size_of(kIntervals, Abi::X86_64) == sizeof(v4l2_frmivalenum));

// -- buffers --------------------------------------------------------------------------------------------------------
constexpr VideoBufferPlaces kPlaces64 = {24, 60, 64, 72, 88, &kTimeval};
constexpr VideoBufferPlaces kPlaces32 = {20, 44, 48, 52, 68, &kTimeval};
constexpr VideoBufferPlaces kPlaces32Time64 = {20, 52, 56, 60, 76, &kTimeval64};
static_assert(kPlaces64.timestamp == offsetof(v4l2_buffer, timestamp) &&
              kPlaces64.memory == offsetof(v4l2_buffer, memory) && kPlaces64.location == offsetof(v4l2_buffer, m) &&
              kPlaces64.length == offsetof(v4l2_buffer, length) && kPlaces64.bytes == sizeof(v4l2_buffer));
constexpr VideoBufferShape kBuffer64 = {kPlaces64, false}, kDequeued64 = {kPlaces64, true};
constexpr VideoBufferShape kBuffer32 = {kPlaces32, false}, kDequeued32 = {kPlaces32, true};
constexpr VideoBufferShape kBuffer32Time64 = {kPlaces32Time64, false}, kDequeued32Time64 = {kPlaces32Time64, true};

constexpr Type kBufferType = named(kVideoBufferTypes), kStandardSet = kHex64;

constexpr FieldType kFrameFields[] = {
    field("capability", kHex32), field("flags", kHex32), field("base", kAddress), padding_bytes(32),
};
constexpr StructLayout kFrame = {"v4l2_framebuffer", kFrameFields};
static_assert(size_of(kFrame, Abi::X86_64) == sizeof(v4l2_framebuffer));

// -- streams, inputs, tuners ----------------------------------------------------------------------------------------
constexpr Constant kStreamNames[] = {{0x1000, "V4L2_CAP_TIMEPERFRAME"}};
constexpr Constant kModeNames[] = {{1, "V4L2_MODE_HIGHQUALITY"}};
constexpr Constant kInputNames[] = {
    {1, "V4L2_INPUT_TYPE_TUNER"}, {2, "V4L2_INPUT_TYPE_CAMERA"}, {3, "V4L2_INPUT_TYPE_TOUCH"}};
constexpr Constant kTunerNames[] = {{1, "V4L2_TUNER_RADIO"},
                                    {2, "V4L2_TUNER_ANALOG_TV"},
                                    {3, "V4L2_TUNER_DIGITAL_TV"},
                                    {4, "V4L2_TUNER_SDR"},
                                    {5, "V4L2_TUNER_RF"}};
constexpr Constant kTunerCapabilityNames[] = {
    {0x1, "V4L2_TUNER_CAP_LOW"},
    {0x2, "V4L2_TUNER_CAP_NORM"},
    {0x4, "V4L2_TUNER_CAP_HWSEEK_BOUNDED"},
    {0x8, "V4L2_TUNER_CAP_HWSEEK_WRAP"},
    {0x10, "V4L2_TUNER_CAP_STEREO"},
    {0x20, "V4L2_TUNER_CAP_LANG2"},
    {0x40, "V4L2_TUNER_CAP_LANG1"},
    {0x80, "V4L2_TUNER_CAP_RDS"},
    {0x100, "V4L2_TUNER_CAP_RDS_BLOCK_IO"},
    {0x200, "V4L2_TUNER_CAP_RDS_CONTROLS"},
    {0x400, "V4L2_TUNER_CAP_FREQ_BANDS"},
    {0x800, "V4L2_TUNER_CAP_HWSEEK_PROG_LIM"},
    {0x1000, "V4L2_TUNER_CAP_1HZ"},
};
constexpr Constant kChannelNames[] = {{0x1, "V4L2_TUNER_SUB_MONO"},
                                      {0x2, "V4L2_TUNER_SUB_STEREO"},
                                      {0x4, "V4L2_TUNER_SUB_LANG2"},
                                      {0x8, "V4L2_TUNER_SUB_LANG1"},
                                      {0x10, "V4L2_TUNER_SUB_RDS"}};
constexpr Constant kAudioNames[] = {{0, "V4L2_TUNER_MODE_MONO"},
                                    {1, "V4L2_TUNER_MODE_STEREO"},
                                    {2, "V4L2_TUNER_MODE_LANG2"},
                                    {3, "V4L2_TUNER_MODE_LANG1"},
                                    {4, "V4L2_TUNER_MODE_LANG1_LANG2"}};
constinit const ConstantSet kStreamCapabilities = flag_set("V4L2_CAP_???", kStreamNames);
constinit const ConstantSet kModes = flag_set("V4L2_MODE_???", kModeNames);
constinit const ConstantSet kInputs = enumeration("V4L2_INPUT_TYPE_???", kInputNames);
constinit const ConstantSet kTuners = enumeration("V4L2_TUNER_???", kTunerNames);
constinit const ConstantSet kTunerCapabilities = flag_set("V4L2_TUNER_CAP_???", kTunerCapabilityNames);
constinit const ConstantSet kChannels = flag_set("V4L2_TUNER_SUB_???", kChannelNames);
constinit const ConstantSet kAudioModes = enumeration("V4L2_TUNER_MODE_???", kAudioNames);

constexpr FieldType kCaptureFields[] = {
    field("capability", kWord<kStreamCapabilities>), field("capturemode", kWord<kModes>),
    field("timeperframe", kVideoFraction), field("extendedmode", kHex32), field("readbuffers", kUInt),
};
constexpr StructLayout kCapture = {"v4l2_captureparm", kCaptureFields};
constexpr FieldType kOutputFields[] = {
    field("capability", kWord<kStreamCapabilities>), field("outputmode", kWord<kModes>),
    field("timeperframe", kVideoFraction), field("extendedmode", kHex32), field("writebuffers", kUInt),
};
constexpr StructLayout kOutput = {"v4l2_outputparm", kOutputFields};
template <VideoPhase kPhase>
constexpr FieldType kStreamFields[] = {
    field("type", kWord<kVideoBufferTypes>,
          shows_type<kPhase, V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_BUF_TYPE_VIDEO_OUTPUT>),
    field("parm.capture", kStructure<kCapture>, is_of<kPhase, V4L2_BUF_TYPE_VIDEO_CAPTURE>),
    overlapping(field("parm.output", kStructure<kOutput>, is_of<kPhase, V4L2_BUF_TYPE_VIDEO_OUTPUT>)),
    overlapping(padding_bytes(200)),
};
constexpr StructLayout kStreamAsked = {"v4l2_streamparm", kStreamFields<VideoPhase::Answer>};
constexpr StructLayout kStreamChanged = {"v4l2_streamparm", kStreamFields<VideoPhase::Change>};

constexpr FieldType kStandardFields[] = {
    field("index", kUInt), padding(kHex64), answer(field("name", char_array(24))),
    answer(field("frameperiod", kVideoFraction)), answer(field("framelines", kUInt)), padding_bytes(16),
};
constexpr StructLayout kStandard = {"v4l2_standard", kStandardFields};
constexpr FieldType kInputFields[] = {
    field("index", kUInt), answer(field("name", char_array(32))), answer(field("type", kWord<kInputs>)),
    padding_bytes(8), padding(kHex64), padding_bytes(20),
};
constexpr StructLayout kInput = {"v4l2_input", kInputFields};

bool is_not_after(Decoder& decoder, Addr structure) { return !is_answered(decoder, structure); }
constexpr FieldType kTunerFields[] = {
    field("index", kUInt, is_not_after),
    field("name", char_array(32)),
    field("type", kWord<kTuners>),
    field("capability", kWord<kTunerCapabilities>),
    field("rangelow", kUInt),
    field("rangehigh", kUInt),
    field("rxsubchans", kWord<kChannels>),
    field("audmode", kWord<kAudioModes>),
    field("signal", kInt),
    field("afc", kInt),
    padding_bytes(16),
};
constexpr StructLayout kTunerChanged = {"v4l2_tuner", kTunerFields};
constexpr auto kAskedTunerFields = [] {
  std::array<FieldType, std::size(kTunerFields)> fields;
  for (size_t i = 0; i < fields.size(); i++)
    fields[i] = kTunerFields[i].name ? answer(kTunerFields[i]) : kTunerFields[i];
  fields[0].when = nullptr;
  return fields;
}();
constexpr StructLayout kTunerAsked = {"v4l2_tuner", kAskedTunerFields};

constexpr Type kRectangle = structure(kVideoRectangle);
constexpr FieldType kBoundsFields[] = {
    field("type", kWord<kVideoBufferTypes>), answer(field("bounds", kRectangle)),
    answer(field("defrect", kRectangle)), answer(field("pixelaspect", kVideoFraction)),
};
constexpr StructLayout kBounds = {"v4l2_cropcap", kBoundsFields};
constexpr FieldType kCropFields[] = {field("type", kWord<kVideoBufferTypes>), field("c", kRectangle)};
constexpr StructLayout kCrop = {"v4l2_crop", kCropFields};
constexpr FieldType kAskedCropFields[] = {field("type", kWord<kVideoBufferTypes>), answer(field("c", kRectangle))};
constexpr StructLayout kAskedCrop = {"v4l2_crop", kAskedCropFields};
static_assert(size_of(kStandard, Abi::X86_64) == sizeof(v4l2_standard) &&
              size_of(kInput, Abi::X86_64) == sizeof(v4l2_input) &&
              size_of(kTunerAsked, Abi::X86_64) == sizeof(v4l2_tuner));

// -- rows -----------------------------------------------------------------------------------------------------------
/// Shown at the end, where the kernel's answer is compared with the request.
constexpr CommandRow compares(uint64_t number, const Type& object) {
  return command(number, kUnsignedResult, remembered(even_on_failure(out("argp", object))));
}
constexpr CommandRow lists_controls(uint64_t number) {
  return command(number, kUnsignedResult, even_on_failure(inout("argp", kChangedControls)));
}
constexpr CommandRow creates(uint64_t number) {
  CommandRow row = ioctl_sets(number, kStructure<kCreatedBuffers>);
  row.aux = decode_created_buffers;
  return row;
}

constexpr CommandRow kRows[] = {
    ioctl_sets(0x40045612, kBufferType),                     // VIDIOC_STREAMON
    ioctl_sets(0x40045613, kBufferType),                     // VIDIOC_STREAMOFF
    ioctl_sets(0x40085618, kStandardSet),                    // VIDIOC_S_STD
    ioctl_sets(0x4014563c, kStructure<kCrop>),               // VIDIOC_S_CROP
    ioctl_sets(0x402c560b, kStructure<kFrame>),              // VIDIOC_S_FBUF, i386
    ioctl_sets(0x4030560b, kStructure<kFrame>),              // VIDIOC_S_FBUF
    ioctl_changes(0x4054561e, kStructure<kTunerChanged>),    // VIDIOC_S_TUNER
    ioctl_gets(0x80045626, kUInt),                           // VIDIOC_G_INPUT
    ioctl_gets(0x80085617, kStandardSet),                    // VIDIOC_G_STD
    ioctl_gets(0x802c560a, kStructure<kFrame>),              // VIDIOC_G_FBUF, i386
    ioctl_gets(0x8030560a, kStructure<kFrame>),              // VIDIOC_G_FBUF
    ioctl_gets(0x80685600, kStructure<kDevice>),             // VIDIOC_QUERYCAP
    ioctl_sets(0xc0045627, kUInt),                           // VIDIOC_S_INPUT
    ioctl_asks(0xc008561b, kStructure<kControlAsked>), // VIDIOC_G_CTRL
    compares(0xc008561c, kSetControl),                       // VIDIOC_S_CTRL
    compares(0xc0145608, kRequestedBuffers),                 // VIDIOC_REQBUFS
    ioctl_asks(0xc014563b, kStructure<kAskedCrop>),          // VIDIOC_G_CROP
    ioctl_asks(0xc0185647, kGotControls),                    // VIDIOC_G_EXT_CTRLS, i386
    lists_controls(0xc0185648),                              // VIDIOC_S_EXT_CTRLS, i386
    lists_controls(0xc0185649),                              // VIDIOC_TRY_EXT_CTRLS, i386
    ioctl_asks(0xc0205647, kGotControls),                    // VIDIOC_G_EXT_CTRLS
    lists_controls(0xc0205648),                              // VIDIOC_S_EXT_CTRLS
    lists_controls(0xc0205649),                              // VIDIOC_TRY_EXT_CTRLS
    ioctl_points(0xc02c5625),                                // VIDIOC_QUERYMENU
    ioctl_asks(0xc02c563a, kStructure<kBounds>),             // VIDIOC_CROPCAP
    ioctl_asks(0xc02c564a, kStructure<kSizes>),              // VIDIOC_ENUM_FRAMESIZES
    ioctl_asks(0xc034564b, kStructure<kIntervals>),          // VIDIOC_ENUM_FRAMEINTERVALS
    ioctl_asks(0xc0405602, kStructure<kDescribed>),          // VIDIOC_ENUM_FMT
    ioctl_points(0xc0405610),                                // VIDIOC_EXPBUF
    ioctl_asks(0xc0405619, kStructure<kStandard>),           // VIDIOC_ENUMSTD, i386
    ioctl_asks(0xc0445609, kVideoBuffer<kBuffer32>),         // VIDIOC_QUERYBUF, i386
    ioctl_asks(0xc044560f, kVideoBuffer<kBuffer32>),         // VIDIOC_QBUF, i386
    ioctl_asks(0xc0445611, kVideoBuffer<kDequeued32>),       // VIDIOC_DQBUF, i386
    ioctl_asks(0xc0445624, kStructure<kControlQueried>),            // VIDIOC_QUERYCTRL
    ioctl_asks(0xc0485619, kStructure<kStandard>),           // VIDIOC_ENUMSTD
    ioctl_asks(0xc04c5609, kVideoBuffer<kBuffer32Time64>),   // VIDIOC_QUERYBUF, i386 with times of 64 bits
    ioctl_asks(0xc04c560f, kVideoBuffer<kBuffer32Time64>),   // VIDIOC_QBUF
    ioctl_asks(0xc04c5611, kVideoBuffer<kDequeued32Time64>), // VIDIOC_DQBUF
    ioctl_asks(0xc04c561a, kStructure<kInput>),              // VIDIOC_ENUMINPUT, i386
    ioctl_points(0xc0505609),                                // VIDIOC_QUERYBUF_TIME32
    ioctl_points(0xc050560f),                                // VIDIOC_QBUF_TIME32
    ioctl_points(0xc0505611),                                // VIDIOC_DQBUF_TIME32
    ioctl_asks(0xc050561a, kStructure<kInput>),              // VIDIOC_ENUMINPUT
    ioctl_asks(0xc054561d, kStructure<kTunerAsked>),         // VIDIOC_G_TUNER
    ioctl_asks(0xc0585609, kVideoBuffer<kBuffer64>),         // VIDIOC_QUERYBUF
    ioctl_asks(0xc058560f, kVideoBuffer<kBuffer64>),         // VIDIOC_QBUF
    ioctl_asks(0xc0585611, kVideoBuffer<kDequeued64>),       // VIDIOC_DQBUF
    ioctl_asks(0xc0cc5604, kStructure<kVideoFormatAsked>),   // VIDIOC_G_FMT, i386
    ioctl_changes(0xc0cc5605, kStructure<kVideoFormatChanged>), // VIDIOC_S_FMT, i386
    ioctl_asks(0xc0cc5615, kStructure<kStreamAsked>),        // VIDIOC_G_PARM
    ioctl_changes(0xc0cc5616, kStructure<kStreamChanged>),   // VIDIOC_S_PARM
    ioctl_changes(0xc0cc5640, kStructure<kVideoFormatChanged>), // VIDIOC_TRY_FMT, i386
    ioctl_asks(0xc0d05604, kStructure<kVideoFormatAsked>),   // VIDIOC_G_FMT
    ioctl_changes(0xc0d05605, kStructure<kVideoFormatChanged>), // VIDIOC_S_FMT
    ioctl_changes(0xc0d05640, kStructure<kVideoFormatChanged>), // VIDIOC_TRY_FMT
    ioctl_asks(0xc0e85667, kStructure<kExtendedControlQueried>),           // VIDIOC_QUERY_EXT_CTRL
    creates(0xc0f8565c),                                     // VIDIOC_CREATE_BUFS, i386
    creates(0xc100565c),                                     // VIDIOC_CREATE_BUFS
};

}  // namespace

constinit const IoctlRows kVideoIoctls = {kRows};

}  // namespace strut

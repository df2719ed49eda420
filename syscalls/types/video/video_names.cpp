#include "syscalls/types/video/video_names.hpp"

#include <array>
#include <charconv>
#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kPixelNames[] = {
    {0x20303159, "V4L2_PIX_FMT_Y10"}, {0x20323159, "V4L2_PIX_FMT_Y12"}, {0x20343059, "V4L2_PIX_FMT_Y4"},
    {0x20343159, "V4L2_PIX_FMT_Y14"}, {0x20363059, "V4L2_PIX_FMT_Y6"}, {0x20363159, "V4L2_PIX_FMT_Y16"},
    {0x2036315a, "V4L2_PIX_FMT_Z16"}, {0x20385655, "V4L2_PIX_FMT_UV8"}, {0x20493859, "V4L2_PIX_FMT_Y8I"},
    {0x3031334d, "V4L2_PIX_FMT_MR97310A"}, {0x30313953, "V4L2_PIX_FMT_SN9C10X"}, {0x30314142, "V4L2_PIX_FMT_SGRBG10"},
    {0x30314247, "V4L2_PIX_FMT_SGBRG10"}, {0x30314442, "V4L2_PIX_FMT_SGRBG10DPCM8"},
    {0x30314742, "V4L2_PIX_FMT_SBGGR10"}, {0x30314752, "V4L2_PIX_FMT_SRGGB10"}, {0x3032344d, "V4L2_PIX_FMT_M420"},
    {0x30323953, "V4L2_PIX_FMT_SN9C20X_I420"}, {0x30324c4a, "V4L2_PIX_FMT_JL2005BCD"},
    {0x30364d54, "V4L2_PIX_FMT_TM6000"}, {0x30383653, "V4L2_PIX_FMT_STV0680"}, {0x30385056, "V4L2_PIX_FMT_VP8"},
    {0x30395056, "V4L2_PIX_FMT_VP9"}, {0x31303453, "V4L2_PIX_FMT_SE401"}, {0x31303553, "V4L2_PIX_FMT_SPCA501"},
    {0x3131354f, "V4L2_PIX_FMT_OV511"}, {0x31324d4d, "V4L2_PIX_FMT_MM21"}, {0x31324d4e, "V4L2_PIX_FMT_NV21M"},
    {0x31324d59, "V4L2_PIX_FMT_YVU420M"}, {0x3132544d, "V4L2_PIX_FMT_MT21C"}, {0x3132564e, "V4L2_PIX_FMT_NV21"},
    {0x31363553, "V4L2_PIX_FMT_SPCA561"}, {0x31364d4e, "V4L2_PIX_FMT_NV61M"}, {0x31364d59, "V4L2_PIX_FMT_YVU422M"},
    {0x3136564e, "V4L2_PIX_FMT_NV61"}, {0x31384142, "V4L2_PIX_FMT_SBGGR8"}, {0x31424752, "V4L2_PIX_FMT_RGB332"},
    {0x31435641, "V4L2_PIX_FMT_H264_NO_SC"}, {0x31435750, "V4L2_PIX_FMT_PWC1"}, {0x3147504d, "V4L2_PIX_FMT_MPEG1"},
    {0x32314142, "V4L2_PIX_FMT_SGRBG12"}, {0x32314147, "V4L2_PIX_FMT_BGRA444"},
    {0x3231414e, "V4L2_PIX_FMT_NV12M_8L128"}, {0x32314152, "V4L2_PIX_FMT_RGBA444"},
    {0x32314241, "V4L2_PIX_FMT_ABGR444"}, {0x32314247, "V4L2_PIX_FMT_SGBRG12"}, {0x32314258, "V4L2_PIX_FMT_XBGR444"},
    {0x32314742, "V4L2_PIX_FMT_SBGGR12"}, {0x32314752, "V4L2_PIX_FMT_SRGGB12"},
    {0x32314d48, "V4L2_PIX_FMT_NV12_16L16"}, {0x32314d4e, "V4L2_PIX_FMT_NV12M"}, {0x32314d54, "V4L2_PIX_FMT_NV12MT"},
    {0x32314d56, "V4L2_PIX_FMT_NV12MT_16X16"}, {0x32314d59, "V4L2_PIX_FMT_YUV420M"},
    {0x32315241, "V4L2_PIX_FMT_ARGB444"}, {0x32315258, "V4L2_PIX_FMT_XRGB444"},
    {0x32315453, "V4L2_PIX_FMT_NV12_32L32"}, {0x32315456, "V4L2_PIX_FMT_NV12_4L4"},
    {0x32315559, "V4L2_PIX_FMT_YUV420"}, {0x3231564e, "V4L2_PIX_FMT_NV12"}, {0x32315659, "V4L2_PIX_FMT_YVU420"},
    {0x32315842, "V4L2_PIX_FMT_BGRX444"}, {0x32315852, "V4L2_PIX_FMT_RGBX444"}, {0x32344d59, "V4L2_PIX_FMT_YVU444M"},
    {0x3234564e, "V4L2_PIX_FMT_NV42"}, {0x32435750, "V4L2_PIX_FMT_PWC2"}, {0x3247504d, "V4L2_PIX_FMT_MPEG2"},
    {0x32525942, "V4L2_PIX_FMT_SBGGR16"}, {0x33363248, "V4L2_PIX_FMT_H263"}, {0x33424752, "V4L2_PIX_FMT_RGB24"},
    {0x33524742, "V4L2_PIX_FMT_BGR24"}, {0x33565348, "V4L2_PIX_FMT_HSV24"}, {0x33565559, "V4L2_PIX_FMT_YUV24"},
    {0x34314247, "V4L2_PIX_FMT_SGBRG14"}, {0x34314742, "V4L2_PIX_FMT_SBGGR14"}, {0x34314752, "V4L2_PIX_FMT_SRGGB14"},
    {0x34315247, "V4L2_PIX_FMT_SGRBG14"}, {0x34324142, "V4L2_PIX_FMT_ARGB32"}, {0x34324152, "V4L2_PIX_FMT_BGRA32"},
    {0x34324241, "V4L2_PIX_FMT_RGBA32"}, {0x34324258, "V4L2_PIX_FMT_RGBX32"}, {0x34324948, "V4L2_PIX_FMT_HI240"},
    {0x34324d59, "V4L2_PIX_FMT_YUV444M"}, {0x34325241, "V4L2_PIX_FMT_ABGR32"}, {0x34325258, "V4L2_PIX_FMT_XBGR32"},
    {0x3432564e, "V4L2_PIX_FMT_NV24"}, {0x34325842, "V4L2_PIX_FMT_XRGB32"}, {0x34325852, "V4L2_PIX_FMT_BGRX32"},
    {0x34343452, "V4L2_PIX_FMT_RGB444"}, {0x34343459, "V4L2_PIX_FMT_YUV444"}, {0x34363248, "V4L2_PIX_FMT_H264"},
    {0x3436324d, "V4L2_PIX_FMT_H264_MVC"}, {0x34363253, "V4L2_PIX_FMT_H264_SLICE"}, {0x34424752, "V4L2_PIX_FMT_RGB32"},
    {0x34464e43, "V4L2_PIX_FMT_CNF4"}, {0x3447504d, "V4L2_PIX_FMT_MPEG4"}, {0x34524742, "V4L2_PIX_FMT_BGR32"},
    {0x34565348, "V4L2_PIX_FMT_HSV32"}, {0x34565559, "V4L2_PIX_FMT_YUV32"}, {0x35303553, "V4L2_PIX_FMT_SPCA505"},
    {0x35314142, "V4L2_PIX_FMT_BGRA555"}, {0x35314152, "V4L2_PIX_FMT_RGBA555"}, {0x35314241, "V4L2_PIX_FMT_ABGR555"},
    {0x35314258, "V4L2_PIX_FMT_XBGR555"}, {0x35315241, "V4L2_PIX_FMT_ARGB555"}, {0x35315258, "V4L2_PIX_FMT_XRGB555"},
    {0x35315842, "V4L2_PIX_FMT_BGRX555"}, {0x35315852, "V4L2_PIX_FMT_RGBX555"}, {0x35323645, "V4L2_PIX_FMT_ET61X251"},
    {0x36314247, "V4L2_PIX_FMT_SGBRG16"}, {0x36314752, "V4L2_PIX_FMT_SRGGB16"}, {0x36314d4e, "V4L2_PIX_FMT_NV16M"},
    {0x36314d59, "V4L2_PIX_FMT_YUV422M"}, {0x36315247, "V4L2_PIX_FMT_SGRBG16"}, {0x3631564e, "V4L2_PIX_FMT_NV16"},
    {0x37303250, "V4L2_PIX_FMT_PAC207"}, {0x38303553, "V4L2_PIX_FMT_SPCA508"}, {0x3831354f, "V4L2_PIX_FMT_OV518"},
    {0x38414261, "V4L2_PIX_FMT_SBGGR10ALAW8"}, {0x38414262, "V4L2_PIX_FMT_SBGGR10DPCM8"},
    {0x38414761, "V4L2_PIX_FMT_SGBRG10ALAW8"}, {0x38414762, "V4L2_PIX_FMT_SGBRG10DPCM8"},
    {0x38415261, "V4L2_PIX_FMT_SRGGB10ALAW8"}, {0x38415262, "V4L2_PIX_FMT_SRGGB10DPCM8"},
    {0x38416761, "V4L2_PIX_FMT_SGRBG10ALAW8"}, {0x384c4150, "V4L2_PIX_FMT_PAL8"}, {0x39555659, "V4L2_PIX_FMT_YVU410"},
    {0x39565559, "V4L2_PIX_FMT_YUV410"}, {0x41414270, "V4L2_PIX_FMT_SBGGR10P"}, {0x41414770, "V4L2_PIX_FMT_SGBRG10P"},
    {0x41415270, "V4L2_PIX_FMT_SRGGB10P"}, {0x41416770, "V4L2_PIX_FMT_SGRBG10P"}, {0x41495043, "V4L2_PIX_FMT_CPIA1"},
    {0x41564e57, "V4L2_PIX_FMT_WNVA"}, {0x41595556, "V4L2_PIX_FMT_VUYA32"}, {0x42303159, "V4L2_PIX_FMT_Y10BPACK"},
    {0x42474752, "V4L2_PIX_FMT_SRGGB8"}, {0x43303151, "V4L2_PIX_FMT_QC10C"}, {0x43353039, "V4L2_PIX_FMT_SQ905C"},
    {0x43383051, "V4L2_PIX_FMT_QC08C"}, {0x43434270, "V4L2_PIX_FMT_SBGGR12P"}, {0x43434770, "V4L2_PIX_FMT_SGBRG12P"},
    {0x43435270, "V4L2_PIX_FMT_SRGGB12P"}, {0x43436770, "V4L2_PIX_FMT_SGRBG12P"}, {0x43564548, "V4L2_PIX_FMT_HEVC"},
    {0x44495658, "V4L2_PIX_FMT_XVID"}, {0x45454270, "V4L2_PIX_FMT_SBGGR14P"}, {0x45454770, "V4L2_PIX_FMT_SGBRG14P"},
    {0x45455270, "V4L2_PIX_FMT_SRGGB14P"}, {0x45456770, "V4L2_PIX_FMT_SGRBG14P"},
    {0x46385056, "V4L2_PIX_FMT_VP8_FRAME"}, {0x46395056, "V4L2_PIX_FMT_VP9_FRAME"},
    {0x47314356, "V4L2_PIX_FMT_VC1_ANNEX_G"}, {0x47337069, "V4L2_PIX_FMT_IPU3_SGRBG10"},
    {0x47425247, "V4L2_PIX_FMT_SGRBG8"}, {0x4745504a, "V4L2_PIX_FMT_JPEG"}, {0x4745504d, "V4L2_PIX_FMT_MPEG"},
    {0x47504a4d, "V4L2_PIX_FMT_MJPEG"}, {0x47504a50, "V4L2_PIX_FMT_PJPG"}, {0x47524247, "V4L2_PIX_FMT_SGBRG8"},
    {0x48524742, "V4L2_PIX_FMT_BGR666"}, {0x48574653, "V4L2_PIX_FMT_FWHT_STATELESS"},
    {0x49323159, "V4L2_PIX_FMT_Y12I"}, {0x49433553, "V4L2_PIX_FMT_S5C_UYVY_JPG"},
    {0x494e4f4b, "V4L2_PIX_FMT_KONICA420"}, {0x495a4e49, "V4L2_PIX_FMT_INZI"},
    {0x4c314356, "V4L2_PIX_FMT_VC1_ANNEX_L"}, {0x4c47504a, "V4L2_PIX_FMT_JPGL"}, {0x4f424752, "V4L2_PIX_FMT_RGB555"},
    {0x4f565559, "V4L2_PIX_FMT_YUV555"}, {0x50303159, "V4L2_PIX_FMT_Y10P"}, {0x50313134, "V4L2_PIX_FMT_YUV411P"},
    {0x50313459, "V4L2_PIX_FMT_Y41P"}, {0x50323234, "V4L2_PIX_FMT_YUV422P"}, {0x50424752, "V4L2_PIX_FMT_RGB565"},
    {0x50565559, "V4L2_PIX_FMT_YUV565"}, {0x51424752, "V4L2_PIX_FMT_RGB555X"}, {0x52424752, "V4L2_PIX_FMT_RGB565X"},
    {0x5332474d, "V4L2_PIX_FMT_MPEG2_SLICE"}, {0x54485746, "V4L2_PIX_FMT_FWHT"}, {0x55595659, "V4L2_PIX_FMT_YVYU"},
    {0x56544943, "V4L2_PIX_FMT_CIT_YYVYUY"}, {0x56555941, "V4L2_PIX_FMT_AYUV32"}, {0x56555958, "V4L2_PIX_FMT_XYUV32"},
    {0x56555959, "V4L2_PIX_FMT_YYUV"}, {0x56595559, "V4L2_PIX_FMT_YUYV"}, {0x584e4f53, "V4L2_PIX_FMT_SN9C2028"},
    {0x58595556, "V4L2_PIX_FMT_VUYX32"}, {0x59455247, "V4L2_PIX_FMT_GREY"}, {0x59555956, "V4L2_PIX_FMT_VYUY"},
    {0x59565955, "V4L2_PIX_FMT_UYVY"}, {0x62337069, "V4L2_PIX_FMT_IPU3_SBGGR10"}, {0x64737664, "V4L2_PIX_FMT_DV"},
    {0x67337069, "V4L2_PIX_FMT_IPU3_SGBRG10"}, {0x72337069, "V4L2_PIX_FMT_IPU3_SRGGB10"},
    {0x79337069, "V4L2_PIX_FMT_IPU3_Y10"}, {0xa0363159, "V4L2_PIX_FMT_Y16_BE"},
    {0xb231544e, "V4L2_PIX_FMT_NV12M_10BE_8L128"}, {0xb5315241, "V4L2_PIX_FMT_ARGB555X"},
    {0xb5315258, "V4L2_PIX_FMT_XRGB555X"},
};
constexpr Constant kSampleNames[] = {
    {0x30324350, "V4L2_SDR_FMT_PCU20BE"}, {0x32315552, "V4L2_SDR_FMT_RU12LE"}, {0x34315343, "V4L2_SDR_FMT_CS14LE"},
    {0x36314350, "V4L2_SDR_FMT_PCU16BE"}, {0x36315543, "V4L2_SDR_FMT_CU16LE"}, {0x38305343, "V4L2_SDR_FMT_CS8"},
    {0x38305543, "V4L2_SDR_FMT_CU8"}, {0x38314350, "V4L2_SDR_FMT_PCU18BE"},
};
constexpr Constant kMetadataNames[] = {
    {0x44564956, "V4L2_META_FMT_VIVID"}, {0x48435655, "V4L2_META_FMT_UVC"}, {0x48505356, "V4L2_META_FMT_VSP1_HGO"},
    {0x50314b52, "V4L2_META_FMT_RK_ISP1_PARAMS"}, {0x53314b52, "V4L2_META_FMT_RK_ISP1_STAT_3A"},
    {0x54505356, "V4L2_META_FMT_VSP1_HGT"}, {0x58583444, "V4L2_META_FMT_D4XX"},
};
constexpr Constant kBufferTypeNames[] = {
    {1, "V4L2_BUF_TYPE_VIDEO_CAPTURE"}, {2, "V4L2_BUF_TYPE_VIDEO_OUTPUT"}, {3, "V4L2_BUF_TYPE_VIDEO_OVERLAY"},
    {4, "V4L2_BUF_TYPE_VBI_CAPTURE"}, {5, "V4L2_BUF_TYPE_VBI_OUTPUT"}, {6, "V4L2_BUF_TYPE_SLICED_VBI_CAPTURE"},
    {7, "V4L2_BUF_TYPE_SLICED_VBI_OUTPUT"}, {8, "V4L2_BUF_TYPE_VIDEO_OUTPUT_OVERLAY"},
    {9, "V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE"}, {10, "V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE"},
    {11, "V4L2_BUF_TYPE_SDR_CAPTURE"}, {12, "V4L2_BUF_TYPE_SDR_OUTPUT"}, {13, "V4L2_BUF_TYPE_META_CAPTURE"},
    {14, "V4L2_BUF_TYPE_META_OUTPUT"},
};
constexpr Constant kFieldNames[] = {
    {0, "V4L2_FIELD_ANY"}, {1, "V4L2_FIELD_NONE"}, {2, "V4L2_FIELD_TOP"}, {3, "V4L2_FIELD_BOTTOM"},
    {4, "V4L2_FIELD_INTERLACED"}, {5, "V4L2_FIELD_SEQ_TB"}, {6, "V4L2_FIELD_SEQ_BT"}, {7, "V4L2_FIELD_ALTERNATE"},
    {8, "V4L2_FIELD_INTERLACED_TB"}, {9, "V4L2_FIELD_INTERLACED_BT"},
};
constexpr Constant kMemoryNames[] = {
    {1, "V4L2_MEMORY_MMAP"}, {2, "V4L2_MEMORY_USERPTR"}, {3, "V4L2_MEMORY_OVERLAY"}, {4, "V4L2_MEMORY_DMABUF"}};
constinit const ConstantSet kPixels = enumeration("V4L2_PIX_FMT_???", kPixelNames);
constinit const ConstantSet kSamples = enumeration("V4L2_SDR_FMT_???", kSampleNames);
constinit const ConstantSet kMetadataFormats = enumeration("V4L2_META_FMT_???", kMetadataNames);

/// A character constant of C.
Value character(Arena& arena, uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  char hexadecimal[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  char plain[] = {'\\', static_cast<char>(byte)};
  bool printable = byte >= ' ' && byte < 0x7f, escaped = byte == '\'' || byte == '\\';
  std::string_view text = !printable ? std::string_view(hexadecimal, 4) : std::string_view(plain, 2).substr(!escaped);
  return Decoder::bare(joined(arena, {"'", text, "'"}));
}

Value four_characters(Decoder& decoder, uint64_t code, const ConstantSet& names) {
  std::span<Value> letters = decoder.arena().array<Value>(4);
  for (size_t i = 0; i < letters.size(); i++)
    letters[i] = character(decoder.arena(), static_cast<uint8_t>(code >> (8 * i)));
  const char* name = names.name_of(code);
  const Value* plain = decoder.arena().make(Decoder::number(code, Show::Hex, 4));
  return {Form{"v4l2_fourcc", letters, plain, false, true, name ? name : std::string_view()}, {}};
}

std::string_view decimal(uint32_t number, std::array<char, 10>& digits) {
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

constexpr FieldType kRectangleFields[] = {field("left", kInt), field("top", kInt), field("width", kUInt),
                                          field("height", kUInt)};

}  // namespace

constinit const ConstantSet kVideoBufferTypes = enumeration("V4L2_BUF_TYPE_???", kBufferTypeNames);
constinit const ConstantSet kVideoFields = enumeration("V4L2_FIELD_???", kFieldNames);
constinit const ConstantSet kVideoMemory = enumeration("V4L2_MEMORY_???", kMemoryNames);
constinit const StructLayout kVideoRectangle = {"v4l2_rect", kRectangleFields};

Value pixel_format(Decoder& decoder, uint64_t code) { return four_characters(decoder, code, kPixels); }
Value sample_format(Decoder& decoder, uint64_t code) { return four_characters(decoder, code, kSamples); }
Value metadata_format(Decoder& decoder, uint64_t code) { return four_characters(decoder, code, kMetadataFormats); }

Value video_fraction(Decoder& decoder, std::string_view bytes) {
  std::array<uint32_t, 2> parts;
  std::memcpy(parts.data(), bytes.data(), sizeof parts);
  std::array<char, 10> above, below;
  return Decoder::bare(joined(decoder.arena(), {decimal(parts[0], above), "/", decimal(parts[1], below)}));
}

}  // namespace strut

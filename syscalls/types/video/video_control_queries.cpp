#include "syscalls/types/video/video_control_queries.hpp"

#include <linux/videodev2.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reserved.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"
#include "syscalls/types/video/video_controls.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kControlTypeNames[] = {
    {1, "V4L2_CTRL_TYPE_INTEGER"},
    {2, "V4L2_CTRL_TYPE_BOOLEAN"},
    {3, "V4L2_CTRL_TYPE_MENU"},
    {4, "V4L2_CTRL_TYPE_BUTTON"},
    {5, "V4L2_CTRL_TYPE_INTEGER64"},
    {6, "V4L2_CTRL_TYPE_CTRL_CLASS"},
    {7, "V4L2_CTRL_TYPE_STRING"},
    {8, "V4L2_CTRL_TYPE_BITMASK"},
    {9, "V4L2_CTRL_TYPE_INTEGER_MENU"},
    {0x100, "V4L2_CTRL_TYPE_U8"},
    {0x101, "V4L2_CTRL_TYPE_U16"},
    {0x102, "V4L2_CTRL_TYPE_U32"},
    {0x106, "V4L2_CTRL_TYPE_AREA"},
    {0x110, "V4L2_CTRL_TYPE_HDR10_CLL_INFO"},
    {0x111, "V4L2_CTRL_TYPE_HDR10_MASTERING_DISPLAY"},
    {0x200, "V4L2_CTRL_TYPE_H264_SPS"},
    {0x201, "V4L2_CTRL_TYPE_H264_PPS"},
    {0x202, "V4L2_CTRL_TYPE_H264_SCALING_MATRIX"},
    {0x203, "V4L2_CTRL_TYPE_H264_SLICE_PARAMS"},
    {0x204, "V4L2_CTRL_TYPE_H264_DECODE_PARAMS"},
    {0x205, "V4L2_CTRL_TYPE_H264_PRED_WEIGHTS"},
    {0x220, "V4L2_CTRL_TYPE_FWHT_PARAMS"},
    {0x240, "V4L2_CTRL_TYPE_VP8_FRAME"},
};
constexpr Constant kControlFlagNames[] = {
    {0x1, "V4L2_CTRL_FLAG_DISABLED"},
    {0x2, "V4L2_CTRL_FLAG_GRABBED"},
    {0x4, "V4L2_CTRL_FLAG_READ_ONLY"},
    {0x8, "V4L2_CTRL_FLAG_UPDATE"},
    {0x10, "V4L2_CTRL_FLAG_INACTIVE"},
    {0x20, "V4L2_CTRL_FLAG_SLIDER"},
    {0x40, "V4L2_CTRL_FLAG_WRITE_ONLY"},
    {0x80, "V4L2_CTRL_FLAG_VOLATILE"},
    {0x100, "V4L2_CTRL_FLAG_HAS_PAYLOAD"},
    {0x200, "V4L2_CTRL_FLAG_EXECUTE_ON_WRITE"},
    {0x400, "V4L2_CTRL_FLAG_MODIFY_LAYOUT"},
};
constinit const ConstantSet kControlTypes = enumeration("V4L2_CTRL_TYPE_???", kControlTypeNames);
constinit const ConstantSet kControlFlags = flag_set("V4L2_CTRL_FLAG_???", kControlFlagNames);

constexpr FieldType kAskedControlFields[] = {field("id", kControlId), answer(field("value", kInt))};

template <uint16_t kFrom, uint16_t kBytes>
bool answers_not_zero(Decoder& decoder, Addr structure) {
  return is_answered(decoder, structure) && not_zero<kFrom, kBytes>(decoder, structure);
}
constexpr FieldType answered_detail(const char* name, const Type& type) { return answer(detail(name, type)); }
constexpr FieldType kQueriedFields[] = {
    field("id", kAskedControl),
    answer(field("type", kWord<kControlTypes>)),
    answer(field("name", char_array(32))),
    answered_detail("minimum", kInt),
    answered_detail("maximum", kInt),
    answered_detail("step", kInt),
    answered_detail("default_value", kInt),
    answered_detail("flags", kWord<kControlFlags>),
    detail("reserved", kReserved<2>, answers_not_zero<offsetof(v4l2_queryctrl, reserved), 8>),
};
constexpr FieldType kExtendedFields[] = {
    field("id", kAskedControl),
    answer(field("type", kWord<kControlTypes>)),
    answer(field("name", char_array(32))),
    answered_detail("minimum", kS64),
    answered_detail("maximum", kS64),
    answered_detail("step", kU64),
    answered_detail("default_value", kS64),
    answered_detail("flags", kWord<kControlFlags>),
    answered_detail("elem_size", kUInt),
    answered_detail("elems", kUInt),
    answered_detail("nr_of_dims", kUInt),
    answered_detail("dims", counted(kUInt, by_field_in(10, V4L2_CTRL_MAX_DIMS))),
    detail("reserved", kReserved<32>, answers_not_zero<offsetof(v4l2_query_ext_ctrl, reserved), 128>),
};

}  // namespace

constinit const StructLayout kControlAsked = {"v4l2_control", kAskedControlFields};
constexpr StructLayout kControlQueried = {"v4l2_queryctrl", kQueriedFields};
constexpr StructLayout kExtendedControlQueried = {"v4l2_query_ext_ctrl", kExtendedFields};
static_assert(size_of(kControlQueried, Abi::X86_64) == sizeof(v4l2_queryctrl) &&
              size_of(kExtendedControlQueried, Abi::X86_64) == sizeof(v4l2_query_ext_ctrl));

}  // namespace strut

#include "syscalls/types/ioctl/ioctl_lirc.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/lirc.h>
constexpr Constant kLircModeNames[] = {
    {0x1, "LIRC_MODE_RAW"}, {0x2, "LIRC_MODE_PULSE"}, {0x4, "LIRC_MODE_MODE2"}, {0x8, "LIRC_MODE_SCANCODE"},
    {0x10, "LIRC_MODE_LIRCCODE"},
};
constexpr Constant kLircFeatureNames[] = {
    {0x2, "LIRC_CAN_SEND_PULSE"}, {0x10, "LIRC_CAN_SEND_LIRCCODE"}, {0x100, "LIRC_CAN_SET_SEND_CARRIER"},
    {0x200, "LIRC_CAN_SET_SEND_DUTY_CYCLE"}, {0x400, "LIRC_CAN_SET_TRANSMITTER_MASK"}, {0x40000, "LIRC_CAN_REC_MODE2"},
    {0x80000, "LIRC_CAN_REC_SCANCODE"}, {0x100000, "LIRC_CAN_REC_LIRCCODE"}, {0x1000000, "LIRC_CAN_SET_REC_CARRIER"},
    {0x2000000, "LIRC_CAN_MEASURE_CARRIER"}, {0x4000000, "LIRC_CAN_USE_WIDEBAND_RECEIVER"},
    {0x10000000, "LIRC_CAN_SET_REC_TIMEOUT"}, {0x20000000, "LIRC_CAN_GET_REC_RESOLUTION"},
    {0x80000000, "LIRC_CAN_SET_REC_CARRIER_RANGE"},
};
constinit const ConstantSet kLircModes = enumeration("LIRC_MODE_???", kLircModeNames);
constinit const ConstantSet kLircFeatures = flag_set("LIRC_CAN_???", kLircFeatureNames);

constexpr CommandRow kLircRows[] = {
    ioctl_sets(0x40046911, kWord<kLircModes>),  // LIRC_SET_SEND_MODE
    ioctl_sets(0x40046912, kWord<kLircModes>),  // LIRC_SET_REC_MODE
    ioctl_sets(0x40046913, kUInt),          // LIRC_SET_SEND_CARRIER
    ioctl_sets(0x40046914, kUInt),          // LIRC_SET_REC_CARRIER
    ioctl_sets(0x40046915, kUInt),          // LIRC_SET_SEND_DUTY_CYCLE
    ioctl_sets(0x40046917, kHex32),         // LIRC_SET_TRANSMITTER_MASK
    ioctl_sets(0x40046918, kUInt),          // LIRC_SET_REC_TIMEOUT
    ioctl_sets(0x40046919, kUInt),          // LIRC_SET_REC_TIMEOUT_REPORTS
    ioctl_sets(0x4004691d, kUInt),          // LIRC_SET_MEASURE_CARRIER_MODE
    ioctl_sets(0x4004691f, kUInt),          // LIRC_SET_REC_CARRIER_RANGE
    ioctl_sets(0x40046923, kUInt),          // LIRC_SET_WIDEBAND_RECEIVER
    ioctl_gets(0x80046900, kWord<kLircFeatures>),  // LIRC_GET_FEATURES
    ioctl_gets(0x80046901, kWord<kLircModes>),  // LIRC_GET_SEND_MODE
    ioctl_gets(0x80046902, kWord<kLircModes>),  // LIRC_GET_REC_MODE
    ioctl_gets(0x80046907, kUInt),          // LIRC_GET_REC_RESOLUTION
    ioctl_gets(0x80046908, kUInt),          // LIRC_GET_MIN_TIMEOUT
    ioctl_gets(0x80046909, kUInt),          // LIRC_GET_MAX_TIMEOUT
    ioctl_gets(0x8004690f, kUInt),          // LIRC_GET_LENGTH
    ioctl_gets(0x80046924, kUInt),          // LIRC_GET_REC_TIMEOUT
};

}  // namespace

constinit const IoctlRows kLircIoctls = {kLircRows};

}  // namespace strut

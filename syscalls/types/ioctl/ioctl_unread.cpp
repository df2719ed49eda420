#include "syscalls/types/ioctl/ioctl_unread.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr CommandRow kRows[] = {
    ioctl_bare(0x4f08),  // UBI_IOCVOLRMBLK
    command(0xae01, kFdResult, arg("argp", kHexLong)),  // KVM_CREATE_VM
    command(0xae41, kFdResult, arg("argp", kUInt)),  // KVM_CREATE_VCPU
    ioctl_points(0x40044f01),  // UBI_IOCEBER
    ioctl_points(0x40044f02),  // UBI_IOCEBCH
    ioctl_points(0x40044f04),  // UBI_IOCEBUNMAP
    ioctl_points(0x40046911),  // LIRC_SET_SEND_MODE
    ioctl_points(0x40046912),  // LIRC_SET_REC_MODE
    ioctl_points(0x40046913),  // LIRC_SET_SEND_CARRIER
    ioctl_points(0x40046914),  // LIRC_SET_REC_CARRIER
    ioctl_points(0x40046915),  // LIRC_SET_SEND_DUTY_CYCLE
    ioctl_points(0x40046917),  // LIRC_SET_TRANSMITTER_MASK
    ioctl_points(0x40046918),  // LIRC_SET_REC_TIMEOUT
    ioctl_points(0x40046919),  // LIRC_SET_REC_TIMEOUT_REPORTS
    ioctl_points(0x4004691d),  // LIRC_SET_MEASURE_CARRIER_MODE
    ioctl_points(0x4004691f),  // IPMICTL_SET_MAINTENANCE_MODE_CMD or LIRC_SET_REC_CARRIER_RANGE
    ioctl_points(0x40046923),  // LIRC_SET_WIDEBAND_RECEIVER
    ioctl_points(0x40046f01),  // UBI_IOCRMVOL
    ioctl_points(0x40046f04),  // UBI_IOCRPEB
    ioctl_points(0x40046f05),  // UBI_IOCSPEB
    ioctl_points(0x40046f41),  // UBI_IOCDET
    ioctl_points(0x40084f00),  // UBI_IOCVOLUP
    ioctl_points(0x40084f03),  // UBI_IOCEBMAP
    ioctl_points(0x40087543),  // UDMABUF_CREATE_LIST
    ioctl_points(0x4008ae90),  // KVM_SET_CPUID2
    ioctl_points(0x400c6f02),  // UBI_IOCRSVOL
    ioctl_points(0x40104f06),  // UBI_IOCSETVOLPROP
    ioctl_points(0x40186f40),  // UBI_IOCATT
    ioctl_points(0x40187542),  // UDMABUF_CREATE
    ioctl_points(0x4020ae46),  // KVM_SET_USER_MEMORY_REGION
    ioctl_bare(0x40804f07),  // UBI_IOCVOLCRBLK
    ioctl_points(0x4090ae82),  // KVM_SET_REGS
    ioctl_points(0x40986f00),  // UBI_IOCMKVOL
    ioctl_points(0x4138ae84),  // KVM_SET_SREGS
    ioctl_points(0x51106f03),  // UBI_IOCRNVOL
    ioctl_points(0x80044f05),  // UBI_IOCEBISMAP
    ioctl_points(0x80046900),  // LIRC_GET_FEATURES
    ioctl_points(0x80046901),  // LIRC_GET_SEND_MODE
    ioctl_points(0x80046902),  // LIRC_GET_REC_MODE
    ioctl_points(0x80046907),  // LIRC_GET_REC_RESOLUTION
    ioctl_points(0x80046908),  // I2OVALIDATE or LIRC_GET_MIN_TIMEOUT
    ioctl_points(0x80046909),  // LIRC_GET_MAX_TIMEOUT
    ioctl_points(0x8004690f),  // LIRC_GET_LENGTH
    ioctl_points(0x80046924),  // LIRC_GET_REC_TIMEOUT
    ioctl_points(0x8004a405),  // TEE_IOC_CLOSE_SESSION
    ioctl_points(0x8008a404),  // TEE_IOC_CANCEL
    ioctl_points(0x800ca400),  // TEE_IOC_VERSION
    ioctl_points(0x8010a402),  // TEE_IOC_OPEN_SESSION
    ioctl_points(0x8010a403),  // TEE_IOC_INVOKE
    ioctl_points(0x8010a406),  // TEE_IOC_SUPPL_RECV
    ioctl_points(0x8010a407),  // TEE_IOC_SUPPL_SEND
    ioctl_points(0x8090ae81),  // KVM_GET_REGS
    ioctl_points(0x8138ae83),  // KVM_GET_SREGS
    ioctl_points(0xc008ae05),  // KVM_GET_SUPPORTED_CPUID
    ioctl_points(0xc008ae09),  // KVM_GET_EMULATED_CPUID
    ioctl_points(0xc010a401),  // TEE_IOC_SHM_ALLOC
    ioctl_points(0xc018a408),  // TEE_IOC_SHM_REGISTER_FD
    ioctl_points(0xc018a409),  // TEE_IOC_SHM_REGISTER
    ioctl_takes(0xc138fd00, kHexLong),  // DM_VERSION
    ioctl_takes(0xc138fd01, kHexLong),  // DM_REMOVE_ALL
    ioctl_takes(0xc138fd02, kHexLong),  // DM_LIST_DEVICES
    ioctl_takes(0xc138fd03, kHexLong),  // DM_DEV_CREATE
    ioctl_takes(0xc138fd04, kHexLong),  // DM_DEV_REMOVE
    ioctl_takes(0xc138fd05, kHexLong),  // DM_DEV_RENAME
    ioctl_takes(0xc138fd06, kHexLong),  // DM_DEV_SUSPEND
    ioctl_takes(0xc138fd07, kHexLong),  // DM_DEV_STATUS
    ioctl_takes(0xc138fd08, kHexLong),  // DM_DEV_WAIT
    ioctl_takes(0xc138fd09, kHexLong),  // DM_TABLE_LOAD
    ioctl_takes(0xc138fd0a, kHexLong),  // DM_TABLE_CLEAR
    ioctl_takes(0xc138fd0b, kHexLong),  // DM_TABLE_DEPS
    ioctl_takes(0xc138fd0c, kHexLong),  // DM_TABLE_STATUS
    ioctl_takes(0xc138fd0d, kHexLong),  // DM_LIST_VERSIONS
    ioctl_takes(0xc138fd0e, kHexLong),  // DM_TARGET_MSG
    ioctl_takes(0xc138fd0f, kHexLong),  // DM_DEV_SET_GEOMETRY
    ioctl_takes(0xc138fd10, kHexLong),  // DM_DEV_ARM_POLL
};

}  // namespace

constinit const IoctlRows kUnreadIoctls = {kRows};

}  // namespace strut

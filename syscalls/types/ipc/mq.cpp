#include "syscalls/types/ipc/mq.hpp"

#include <mqueue.h>

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kMqFlagNames[] = {{04000, "O_NONBLOCK"}};
constinit const ConstantSet kFlags = flag_set("O_???", kMqFlagNames);

// struct mq_attr of <linux/mqueue.h>: four longs and as many reserved ones.
constexpr FieldType kFields[] = {
    field("mq_flags", named(kFlags, Width::KernelLong)), field("mq_maxmsg", kKernelLong),
    field("mq_msgsize", kKernelLong), field("mq_curmsgs", kKernelLong),
    padding(kKernelLong), padding(kKernelLong), padding(kKernelLong), padding(kKernelLong),
};
constexpr FieldType kNewFields[] = {
    field("mq_flags", number(Width::KernelLong, Show::Hex)), field("mq_maxmsg", kKernelLong),
    field("mq_msgsize", kKernelLong), field("mq_curmsgs", kKernelLong),
    padding(kKernelLong), padding(kKernelLong), padding(kKernelLong), padding(kKernelLong),
};
constexpr StructLayout kLayout = {"mq_attr", kFields};
constexpr StructLayout kNewLayout = {"mq_attr", kNewFields};
static_assert(size_of(kLayout, Abi::X86_64) == sizeof(mq_attr) && size_of(kNewLayout, Abi::I386) == 32);

}  // namespace

constinit const Type kMqAttributes = structure(kLayout);
constinit const Type kMqNewAttributes = structure(kNewLayout);

}  // namespace strut

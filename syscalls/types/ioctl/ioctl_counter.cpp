#include "syscalls/types/ioctl/ioctl_counter.hpp"

#include <linux/counter.h>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kComponentNames[] = {
    {0, "COUNTER_COMPONENT_NONE"},     {1, "COUNTER_COMPONENT_SIGNAL"},         {2, "COUNTER_COMPONENT_COUNT"},
    {3, "COUNTER_COMPONENT_FUNCTION"}, {4, "COUNTER_COMPONENT_SYNAPSE_ACTION"}, {5, "COUNTER_COMPONENT_EXTENSION"},
};
constexpr Constant kScopeNames[] = {
    {0, "COUNTER_SCOPE_DEVICE"}, {1, "COUNTER_SCOPE_SIGNAL"}, {2, "COUNTER_SCOPE_COUNT"}};
constexpr Constant kCounterEventNames[] = {
    {0, "COUNTER_EVENT_OVERFLOW"},  {1, "COUNTER_EVENT_UNDERFLOW"}, {2, "COUNTER_EVENT_OVERFLOW_UNDERFLOW"},
    {3, "COUNTER_EVENT_THRESHOLD"}, {4, "COUNTER_EVENT_INDEX"},     {5, "COUNTER_EVENT_CHANGE_OF_STATE"},
    {6, "COUNTER_EVENT_CAPTURE"},   {7, "COUNTER_EVENT_DIRECTION_CHANGE"},
};
constinit const ConstantSet kComponents = enumeration("COUNTER_COMPONENT_???", kComponentNames);
constinit const ConstantSet kScopes = enumeration("COUNTER_SCOPE_???", kScopeNames);
constinit const ConstantSet kCounterEvents = enumeration("COUNTER_EVENT_???", kCounterEventNames);
constexpr FieldType kComponentFields[] = {
    field("type", named(kComponents, Width::B1)), field("scope", named(kScopes, Width::B1)), field("parent", kU8),
    field("id", kU8),
};
constexpr StructLayout kComponent = {"counter_component", kComponentFields};
constexpr FieldType kWatchFields[] = {
    field("component", kStructure<kComponent>),
    field("event", named(kCounterEvents, Width::B1)),
    field("channel", kU8),
};
constexpr StructLayout kWatch = {"counter_watch", kWatchFields};
static_assert(size_of(kWatch, Abi::X86_64) == sizeof(counter_watch));

constexpr CommandRow kCounterRows[] = {
    ioctl_sets(0x40063e00, kStructure<kWatch>),  // COUNTER_ADD_WATCH_IOCTL
};

}  // namespace

constinit const IoctlRows kCounterIoctls = {kCounterRows};

}  // namespace strut

#include "syscalls/types/ioctl/ioctl_userfault.hpp"

#include <linux/userfaultfd.h>

#include "syscalls/types/common/compared.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/userfaultfd.h>.
constexpr Constant kUserfaultFeatureNames[] = {
    {1 << 0, "UFFD_FEATURE_PAGEFAULT_FLAG_WP"},  {1 << 1, "UFFD_FEATURE_EVENT_FORK"},
    {1 << 2, "UFFD_FEATURE_EVENT_REMAP"},        {1 << 3, "UFFD_FEATURE_EVENT_REMOVE"},
    {1 << 4, "UFFD_FEATURE_MISSING_HUGETLBFS"},  {1 << 5, "UFFD_FEATURE_MISSING_SHMEM"},
    {1 << 6, "UFFD_FEATURE_EVENT_UNMAP"},        {1 << 7, "UFFD_FEATURE_SIGBUS"},
    {1 << 8, "UFFD_FEATURE_THREAD_ID"},          {1 << 9, "UFFD_FEATURE_MINOR_HUGETLBFS"},
    {1 << 10, "UFFD_FEATURE_MINOR_SHMEM"},       {1 << 11, "UFFD_FEATURE_EXACT_ADDRESS"},
    {1 << 12, "UFFD_FEATURE_WP_HUGETLBFS_SHMEM"}, {1 << 13, "UFFD_FEATURE_WP_UNPOPULATED"},
    {1 << 14, "UFFD_FEATURE_POISON"},            {1 << 15, "UFFD_FEATURE_WP_ASYNC"},
    {1 << 16, "UFFD_FEATURE_MOVE"},
};
constexpr ConstantSet kUserfaultFeatures = flag_set("UFFD_FEATURE_???", kUserfaultFeatureNames);

// Commands that work: on the descriptor, and on a range that was registered.
constexpr Constant kCommandNames[] = {
    {1ull << 0, "1<<_UFFDIO_REGISTER"}, {1ull << 1, "1<<_UFFDIO_UNREGISTER"}, {1ull << 63, "1<<_UFFDIO_API"}};
constexpr ConstantSet kCommands = flag_set("_UFFDIO_???", kCommandNames);
constexpr Constant kRangeCommandNames[] = {
    {1 << 2, "1<<_UFFDIO_WAKE"},         {1 << 3, "1<<_UFFDIO_COPY"},     {1 << 4, "1<<_UFFDIO_ZEROPAGE"},
    {1 << 5, "1<<_UFFDIO_MOVE"},         {1 << 6, "1<<_UFFDIO_WRITEPROTECT"}, {1 << 7, "1<<_UFFDIO_CONTINUE"},
    {1 << 8, "1<<_UFFDIO_POISON"},
};
constexpr ConstantSet kRangeCommands = flag_set("1<<_UFFDIO_???", kRangeCommandNames);

constexpr Constant kRegisterNames[] = {
    {1, "UFFDIO_REGISTER_MODE_MISSING"}, {2, "UFFDIO_REGISTER_MODE_WP"}, {4, "UFFDIO_REGISTER_MODE_MINOR"}};
constexpr ConstantSet kRegisterModes = flag_set("UFFDIO_REGISTER_MODE_???", kRegisterNames);
constexpr Constant kProtectNames[] = {{1, "UFFDIO_WRITEPROTECT_MODE_WP"}, {2, "UFFDIO_WRITEPROTECT_MODE_DONTWAKE"}};
constexpr ConstantSet kProtectModes = flag_set("UFFDIO_WRITEPROTECT_MODE_???", kProtectNames);
constexpr Constant kCopyNames[] = {{1, "UFFDIO_COPY_MODE_DONTWAKE"}, {2, "UFFDIO_COPY_MODE_WP"}};
constexpr ConstantSet kCopyModes = flag_set("UFFDIO_COPY_MODE_???", kCopyNames);
constexpr Constant kZeroNames[] = {{1, "UFFDIO_ZEROPAGE_MODE_DONTWAKE"}};
constexpr ConstantSet kZeroModes = flag_set("UFFDIO_ZEROPAGE_MODE_???", kZeroNames);
constexpr Constant kContinueNames[] = {{1, "UFFDIO_CONTINUE_MODE_DONTWAKE"}};
constexpr ConstantSet kContinueModes = flag_set("UFFDIO_CONTINUE_MODE_???", kContinueNames);
constexpr Constant kPoisonNames[] = {{1, "UFFDIO_POISON_MODE_DONTWAKE"}};
constexpr ConstantSet kPoisonModes = flag_set("UFFDIO_POISON_MODE_???", kPoisonNames);

constexpr FieldType kRangeFields[] = {field("start", kHex64), field("len", kHex64)};
constexpr StructLayout kRangeLayout = {"uffdio_range", kRangeFields};
constexpr Type kUffdRange = structure(kRangeLayout);

constexpr FieldType kRegisterFields[] = {field("range", kUffdRange), field("mode", named(kRegisterModes, Width::B8)),
                                         answer(field("ioctls", named(kRangeCommands, Width::B8)))};
constexpr FieldType kZeroFields[] = {field("range", kUffdRange), field("mode", named(kZeroModes, Width::B8)),
                                     answer(field("zeropage", kHex64))};
constexpr FieldType kProtectFields[] = {field("range", kUffdRange), field("mode", named(kProtectModes, Width::B8))};
constexpr FieldType kContinueFields[] = {field("range", kUffdRange), field("mode", named(kContinueModes, Width::B8)),
                                         answer(field("mapped", kU64))};
constexpr FieldType kPoisonFields[] = {field("range", kUffdRange), field("mode", named(kPoisonModes, Width::B8)),
                                       answer(field("updated", kU64))};
constexpr FieldType kCopyFields[] = {field("dst", kHex64), field("src", kHex64), field("len", kHex64),
                                     field("mode", named(kCopyModes, Width::B8)), answer(field("copy", kHex64))};
constexpr StructLayout kRegisterLayout = {"uffdio_register", kRegisterFields};
constexpr StructLayout kZeroLayout = {"uffdio_zeropage", kZeroFields},
                       kProtectLayout = {"uffdio_writeprotect", kProtectFields};
constexpr StructLayout kContinueLayout = {"uffdio_continue", kContinueFields},
                       kPoisonLayout = {"uffdio_poison", kPoisonFields};
constexpr StructLayout kCopyLayout = {"uffdio_copy", kCopyFields};
static_assert(size_of(kCopyLayout, Abi::X86_64) == sizeof(struct uffdio_copy));
static_assert(size_of(kRegisterLayout, Abi::X86_64) == sizeof(struct uffdio_register));

constexpr FieldType kHandshakeFeatures = field("features", named(kUserfaultFeatures, Width::B8));
constexpr FieldType kHandshakeFields[] = {
    field("api", kHex64),
    compared<kHandshakeFeatures, Compared::IfChanged>(),
    answer(field("ioctls", named(kCommands, Width::B8))),
};
constexpr StructLayout kHandshakeLayout = {"uffdio_api", kHandshakeFields};
constexpr Type kHandshake = structure(kHandshakeLayout);
static_assert(size_of(kHandshakeLayout, Abi::X86_64) == sizeof(struct uffdio_api));

constexpr CommandRow kUserfaultRows[] = {
    ioctl_sets(0x8010aa01, kUffdRange),                       // UFFDIO_UNREGISTER
    ioctl_sets(0x8010aa02, kUffdRange),                       // UFFDIO_WAKE
    ioctl_sets(0xc018aa06, kStructure<kProtectLayout>),    // UFFDIO_WRITEPROTECT
    command(0xc018aa3f, kUnsignedResult, even_on_failure(remembered(out("argp", kHandshake)))),  // UFFDIO_API
    ioctl_asks(0xc020aa00, kStructure<kRegisterLayout>),   // UFFDIO_REGISTER
    ioctl_asks(0xc020aa04, kStructure<kZeroLayout>),       // UFFDIO_ZEROPAGE
    ioctl_asks(0xc020aa07, kStructure<kContinueLayout>),   // UFFDIO_CONTINUE
    ioctl_asks(0xc020aa08, kStructure<kPoisonLayout>),     // UFFDIO_POISON
    ioctl_asks(0xc028aa03, kStructure<kCopyLayout>),       // UFFDIO_COPY
};

}  // namespace

constinit const IoctlRows kUserfaultIoctls = {kUserfaultRows};

}  // namespace strut

#include "syscalls/types/btrfs/btrfs_devices.hpp"

#include <linux/btrfs.h>

#include <algorithm>
#include <array>
#include <string>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/btrfs/btrfs_words.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/common/uuid.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kDeviceInfoFields[] = {
    asked(field("devid", kBtrfsDevice)),
    field("uuid", kUuid, not_zero<8, 16>),
    answer(field("bytes_used", kU64)),
    answer(field("total_bytes", kU64)),
    at(offsetof(btrfs_ioctl_dev_info_args, path), answer(field("path", path_array(BTRFS_DEVICE_PATH_NAME_MAX)))),
};
constexpr StructLayout kDeviceInfo = {"btrfs_ioctl_dev_info_args", kDeviceInfoFields};
static_assert(size_of(kDeviceInfo, Abi::X86_64) == sizeof(btrfs_ioctl_dev_info_args));

// -- replacement ----------------------------------------------------------------------------------------------------
constexpr Constant kCommandNames[] = {{0, "BTRFS_IOCTL_DEV_REPLACE_CMD_START"},
                                      {1, "BTRFS_IOCTL_DEV_REPLACE_CMD_STATUS"},
                                      {2, "BTRFS_IOCTL_DEV_REPLACE_CMD_CANCEL"}};
constexpr Constant kModeNames[] = {{0, "BTRFS_IOCTL_DEV_REPLACE_CONT_READING_FROM_SRCDEV_MODE_ALWAYS"},
                                   {1, "BTRFS_IOCTL_DEV_REPLACE_CONT_READING_FROM_SRCDEV_MODE_AVOID"}};
constexpr Constant kResultNames[] = {{0, "BTRFS_IOCTL_DEV_REPLACE_RESULT_NO_ERROR"},
                                     {1, "BTRFS_IOCTL_DEV_REPLACE_RESULT_NOT_STARTED"},
                                     {2, "BTRFS_IOCTL_DEV_REPLACE_RESULT_ALREADY_STARTED"},
                                     {3, "BTRFS_IOCTL_DEV_REPLACE_RESULT_SCRUB_INPROGRESS"}};
constexpr Constant kReplaceStateNames[] = {{0, "BTRFS_IOCTL_DEV_REPLACE_STATE_NEVER_STARTED"},
                                           {1, "BTRFS_IOCTL_DEV_REPLACE_STATE_STARTED"},
                                           {2, "BTRFS_IOCTL_DEV_REPLACE_STATE_FINISHED"},
                                           {3, "BTRFS_IOCTL_DEV_REPLACE_STATE_CANCELED"},
                                           {4, "BTRFS_IOCTL_DEV_REPLACE_STATE_SUSPENDED"}};
constinit const ConstantSet kCommands = enumeration("BTRFS_IOCTL_DEV_REPLACE_CMD_???", kCommandNames);
constinit const ConstantSet kModes =
    enumeration("BTRFS_IOCTL_DEV_REPLACE_CONT_READING_FROM_SRCDEV_MODE_???", kModeNames);
constinit const ConstantSet kResults = enumeration("BTRFS_IOCTL_DEV_REPLACE_RESULT_???", kResultNames);
constinit const ConstantSet kStates = enumeration("BTRFS_IOCTL_DEV_REPLACE_STATE_???", kReplaceStateNames);

/// Thousandths, as percent behind them.
Value thousandths(Decoder& decoder, uint64_t number) {
  constexpr uint64_t kWhole = 1000;
  Value value = Decoder::number(number, Show::Unsigned);
  if (number > kWhole) return value;
  std::string above = std::to_string(number / 10), below = std::to_string(number % 10);
  value.comment = joined(decoder.arena(), {above, ".", below, "%"});
  return value;
}
constexpr Type kSeconds = dated(kU64);

constexpr uint64_t kStartCommand = 0, kStatusCommand = 1;
template <uint64_t kCommand, Phase kPhase>
bool is_command(Decoder& decoder, Addr replacement) {
  return decoder.phase() == kPhase && decoder.read_number(replacement, Width::B8) == kCommand;
}
constexpr FieldType kStartFields[] = {
    field("srcdevid", kBtrfsDevice),
    field("cont_reading_from_srcdev_mode", named(kModes, Width::B8)),
    field("srcdev_name", path_array(BTRFS_DEVICE_PATH_NAME_MAX + 1)),
    field("tgtdev_name", path_array(BTRFS_DEVICE_PATH_NAME_MAX + 1)),
};
constexpr StructLayout kStart = {"btrfs_ioctl_dev_replace_start_params", kStartFields};
constexpr FieldType kStatusFields[] = {
    field("replace_state", named(kStates, Width::B8)),
    field("progress_1000", shown_by(thousandths, Width::B8)),
    field("time_started", kSeconds),
    field("time_stopped", kSeconds),
    field("num_write_errors", kU64),
    field("num_uncorrectable_read_errors", kU64),
};
constexpr StructLayout kStatus = {"btrfs_ioctl_dev_replace_status_params", kStatusFields};
constexpr FieldType kReplacementFields[] = {
    asked(field("cmd", named(kCommands, Width::B8))),
    answer(field("result", named(kResults, Width::B8))),
    field("start", kStructure<kStart>, is_command<kStartCommand, Phase::Enter>),
    overlapping(field("status", kStructure<kStatus>, is_command<kStatusCommand, Phase::Exit>)),
};
constexpr StructLayout kReplacement = {"btrfs_ioctl_dev_replace_args", kReplacementFields};
static_assert(size_of(kStart, Abi::X86_64) == sizeof(btrfs_ioctl_dev_replace_start_params));

// -- errors ---------------------------------------------------------------------------------------------------------
constexpr Constant kResetNames[] = {{1, "BTRFS_DEV_STATS_RESET"}};
constexpr Constant kErrorNames[] = {{0, "BTRFS_DEV_STAT_WRITE_ERRS"},
                                    {1, "BTRFS_DEV_STAT_READ_ERRS"},
                                    {2, "BTRFS_DEV_STAT_FLUSH_ERRS"},
                                    {3, "BTRFS_DEV_STAT_CORRUPTION_ERRS"},
                                    {4, "BTRFS_DEV_STAT_GENERATION_ERRS"}};
constinit const ConstantSet kReset = flag_set("BTRFS_DEV_STATS_???", kResetNames);
constinit const ConstantSet kErrors = enumeration("BTRFS_DEV_STAT_???", kErrorNames, NumberBase::Unsigned);

/// The counters that have names, by name.
Value counters(Decoder& decoder, uint64_t at, uint64_t count) {
  std::array<uint64_t, std::size(kErrorNames)> values;
  if (!decoder.read(Addr{at}, values)) return decoder.missing(Addr{at});
  size_t shown = std::min<uint64_t>(count, values.size());
  std::span<Value> items = decoder.arena().array<Value>(shown);
  for (size_t i = 0; i < shown; i++) {
    FieldList item;
    item.add("", Decoder::named(i, kErrors)).add("", Decoder::number(values[i], Show::Unsigned));
    items[i] = item.structure(decoder);
  }
  return {Array{items, ArrayStyle::Indexed, count > values.size(), {}}, {}};
}
Value decode_errors(Decoder& decoder, uint64_t at, size_t) {
  std::array<uint64_t, 3> head;
  if (!decoder.read(Addr{at}, head)) return decoder.missing(Addr{at});
  FieldList fields;
  bool asks = decoder.phase() == Phase::Enter;
  if (asks) fields.add("devid", Decoder::number(head[0], Show::Device));
  fields.add("nr_items", Decoder::number(head[1], Show::Unsigned));
  fields.add("flags", Decoder::named(head[2], kReset, 8));
  if (!asks) fields.add("", counters(decoder, at + sizeof head, head[1]));
  return fields.structure(decoder);
}

// -- scrubbing ------------------------------------------------------------------------------------------------------
constexpr Constant kScrubNames[] = {{1, "BTRFS_SCRUB_READONLY"}};
constinit const ConstantSet kScrubFlags = flag_set("BTRFS_SCRUB_???", kScrubNames);
constexpr FieldType kProgressFields[] = {
    field("data_extents_scrubbed", kU64), field("tree_extents_scrubbed", kU64), field("data_bytes_scrubbed", kU64),
    field("tree_bytes_scrubbed", kU64),   field("read_errors", kU64),           field("csum_errors", kU64),
    field("verify_errors", kU64),         field("no_csum", kU64),               field("csum_discards", kU64),
    field("super_errors", kU64),          field("malloc_errors", kU64),         field("uncorrectable_errors", kU64),
    field("corrected_errors", kU64),      field("last_physical", kU64),         field("unverified_errors", kU64),
};
constexpr StructLayout kProgress = {"btrfs_scrub_progress", kProgressFields};
constexpr FieldType kScrubFields[] = {
    asked(field("devid", kBtrfsDevice)),
    asked(field("start", kBtrfsLimit)),
    asked(field("end", kBtrfsLimit)),
    asked(field("flags", named(kScrubFlags, Width::B8))),
    answer(field("progress", kStructure<kProgress>)),
    at(1016, padding(kHex64)),
};
constexpr StructLayout kScrub = {"btrfs_ioctl_scrub_args", kScrubFields};
constexpr FieldType kAskedScrubFields[] = {kScrubFields[0], at(32, kScrubFields[4]), kScrubFields[5]};
constexpr StructLayout kAskedScrub = {"btrfs_ioctl_scrub_args", kAskedScrubFields};
static_assert(offset_of(kScrub, 4, Abi::X86_64) == 32);
static_assert(size_of(kScrub, Abi::X86_64) == sizeof(btrfs_ioctl_scrub_args));

}  // namespace

constinit const Type kBtrfsDeviceInfo = structure(kDeviceInfo);
constinit const Type kBtrfsReplacement = structure(kReplacement);
constinit const Type kBtrfsDeviceErrors = custom(decode_errors, 64, Width::B8);
constinit const Type kBtrfsScrub = structure(kScrub);
constinit const Type kBtrfsScrubProgress = structure(kAskedScrub);

}  // namespace strut

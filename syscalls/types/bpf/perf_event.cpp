#include "syscalls/types/bpf/perf_event.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/perf_event.h>, <linux/hw_breakpoint.h>.
constexpr Constant kFlagNames[] = {
    {1, "PERF_FLAG_FD_NO_GROUP"}, {2, "PERF_FLAG_FD_OUTPUT"}, {4, "PERF_FLAG_PID_CGROUP"}, {8, "PERF_FLAG_FD_CLOEXEC"},
};
constexpr Constant kTypeNames[] = {
    {0, "PERF_TYPE_HARDWARE"}, {1, "PERF_TYPE_SOFTWARE"}, {2, "PERF_TYPE_TRACEPOINT"}, {3, "PERF_TYPE_HW_CACHE"},
    {4, "PERF_TYPE_RAW"}, {5, "PERF_TYPE_BREAKPOINT"},
};
enum Source : uint32_t { kHardware, kSoftware, kTracepointEvent, kCache, kRaw, kBreakpoint };
constexpr Constant kAttrSizeNames[] = {
    {64, "PERF_ATTR_SIZE_VER0"}, {72, "PERF_ATTR_SIZE_VER1"}, {80, "PERF_ATTR_SIZE_VER2"},
    {96, "PERF_ATTR_SIZE_VER3"}, {104, "PERF_ATTR_SIZE_VER4"}, {112, "PERF_ATTR_SIZE_VER5"},
    {120, "PERF_ATTR_SIZE_VER6"}, {128, "PERF_ATTR_SIZE_VER7"}, {136, "PERF_ATTR_SIZE_VER8"},
    {144, "PERF_ATTR_SIZE_VER9"},
};
constexpr Constant kHardwareNames[] = {
    {0, "PERF_COUNT_HW_CPU_CYCLES"}, {1, "PERF_COUNT_HW_INSTRUCTIONS"}, {2, "PERF_COUNT_HW_CACHE_REFERENCES"},
    {3, "PERF_COUNT_HW_CACHE_MISSES"}, {4, "PERF_COUNT_HW_BRANCH_INSTRUCTIONS"}, {5, "PERF_COUNT_HW_BRANCH_MISSES"},
    {6, "PERF_COUNT_HW_BUS_CYCLES"}, {7, "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND"},
    {8, "PERF_COUNT_HW_STALLED_CYCLES_BACKEND"}, {9, "PERF_COUNT_HW_REF_CPU_CYCLES"},
};
constexpr Constant kSoftwareNames[] = {
    {0, "PERF_COUNT_SW_CPU_CLOCK"}, {1, "PERF_COUNT_SW_TASK_CLOCK"}, {2, "PERF_COUNT_SW_PAGE_FAULTS"},
    {3, "PERF_COUNT_SW_CONTEXT_SWITCHES"}, {4, "PERF_COUNT_SW_CPU_MIGRATIONS"}, {5, "PERF_COUNT_SW_PAGE_FAULTS_MIN"},
    {6, "PERF_COUNT_SW_PAGE_FAULTS_MAJ"}, {7, "PERF_COUNT_SW_ALIGNMENT_FAULTS"},
    {8, "PERF_COUNT_SW_EMULATION_FAULTS"}, {9, "PERF_COUNT_SW_DUMMY"}, {10, "PERF_COUNT_SW_BPF_OUTPUT"},
    {11, "PERF_COUNT_SW_CGROUP_SWITCHES"},
};
constexpr Constant kCacheNames[] = {
    {0, "PERF_COUNT_HW_CACHE_L1D"}, {1, "PERF_COUNT_HW_CACHE_L1I"}, {2, "PERF_COUNT_HW_CACHE_LL"},
    {3, "PERF_COUNT_HW_CACHE_DTLB"}, {4, "PERF_COUNT_HW_CACHE_ITLB"}, {5, "PERF_COUNT_HW_CACHE_BPU"},
    {6, "PERF_COUNT_HW_CACHE_NODE"},
};
constexpr Constant kCacheOpNames[] = {
    {0, "PERF_COUNT_HW_CACHE_OP_READ"}, {1, "PERF_COUNT_HW_CACHE_OP_WRITE"}, {2, "PERF_COUNT_HW_CACHE_OP_PREFETCH"},
};
constexpr Constant kCacheResultNames[] = {
    {0, "PERF_COUNT_HW_CACHE_RESULT_ACCESS"}, {1, "PERF_COUNT_HW_CACHE_RESULT_MISS"},
};
constexpr Constant kSampleNames[] = {
    {1u << 0, "PERF_SAMPLE_IP"}, {1u << 1, "PERF_SAMPLE_TID"}, {1u << 2, "PERF_SAMPLE_TIME"},
    {1u << 3, "PERF_SAMPLE_ADDR"}, {1u << 4, "PERF_SAMPLE_READ"}, {1u << 5, "PERF_SAMPLE_CALLCHAIN"},
    {1u << 6, "PERF_SAMPLE_ID"}, {1u << 7, "PERF_SAMPLE_CPU"}, {1u << 8, "PERF_SAMPLE_PERIOD"},
    {1u << 9, "PERF_SAMPLE_STREAM_ID"}, {1u << 10, "PERF_SAMPLE_RAW"}, {1u << 11, "PERF_SAMPLE_BRANCH_STACK"},
    {1u << 12, "PERF_SAMPLE_REGS_USER"}, {1u << 13, "PERF_SAMPLE_STACK_USER"}, {1u << 14, "PERF_SAMPLE_WEIGHT"},
    {1u << 15, "PERF_SAMPLE_DATA_SRC"}, {1u << 16, "PERF_SAMPLE_IDENTIFIER"}, {1u << 17, "PERF_SAMPLE_TRANSACTION"},
    {1u << 18, "PERF_SAMPLE_REGS_INTR"}, {1u << 19, "PERF_SAMPLE_PHYS_ADDR"}, {1u << 20, "PERF_SAMPLE_AUX"},
    {1u << 21, "PERF_SAMPLE_CGROUP"}, {1u << 22, "PERF_SAMPLE_DATA_PAGE_SIZE"},
    {1u << 23, "PERF_SAMPLE_CODE_PAGE_SIZE"}, {1u << 24, "PERF_SAMPLE_WEIGHT_STRUCT"},
};
constexpr Constant kReadNames[] = {
    {1, "PERF_FORMAT_TOTAL_TIME_ENABLED"}, {2, "PERF_FORMAT_TOTAL_TIME_RUNNING"}, {4, "PERF_FORMAT_ID"},
    {8, "PERF_FORMAT_GROUP"}, {16, "PERF_FORMAT_LOST"},
};
constexpr Constant kBranchNames[] = {
    {1u << 0, "PERF_SAMPLE_BRANCH_USER"}, {1u << 1, "PERF_SAMPLE_BRANCH_KERNEL"}, {1u << 2, "PERF_SAMPLE_BRANCH_HV"},
    {1u << 3, "PERF_SAMPLE_BRANCH_ANY"}, {1u << 4, "PERF_SAMPLE_BRANCH_ANY_CALL"},
    {1u << 5, "PERF_SAMPLE_BRANCH_ANY_RETURN"}, {1u << 6, "PERF_SAMPLE_BRANCH_IND_CALL"},
    {1u << 7, "PERF_SAMPLE_BRANCH_ABORT_TX"}, {1u << 8, "PERF_SAMPLE_BRANCH_IN_TX"},
    {1u << 9, "PERF_SAMPLE_BRANCH_NO_TX"}, {1u << 10, "PERF_SAMPLE_BRANCH_COND"},
    {1u << 11, "PERF_SAMPLE_BRANCH_CALL_STACK"}, {1u << 12, "PERF_SAMPLE_BRANCH_IND_JUMP"},
    {1u << 13, "PERF_SAMPLE_BRANCH_CALL"}, {1u << 14, "PERF_SAMPLE_BRANCH_NO_FLAGS"},
    {1u << 15, "PERF_SAMPLE_BRANCH_NO_CYCLES"}, {1u << 16, "PERF_SAMPLE_BRANCH_TYPE_SAVE"},
    {1u << 17, "PERF_SAMPLE_BRANCH_HW_INDEX"}, {1u << 18, "PERF_SAMPLE_BRANCH_PRIV_SAVE"},
    {1u << 19, "PERF_SAMPLE_BRANCH_COUNTERS"},
};
constexpr Constant kBreakpointNames[] = {
    {0, "HW_BREAKPOINT_EMPTY"}, {1, "HW_BREAKPOINT_R"}, {2, "HW_BREAKPOINT_W"}, {3, "HW_BREAKPOINT_RW"},
    {4, "HW_BREAKPOINT_X"},
};
constinit const ConstantSet kTypes = enumeration("PERF_TYPE_???", kTypeNames);
constinit const ConstantSet kAttrSizes = enumeration("PERF_ATTR_SIZE_???", kAttrSizeNames);
constinit const ConstantSet kHardwareEvents = enumeration("PERF_COUNT_HW_???", kHardwareNames);
constinit const ConstantSet kSoftwareEvents = enumeration("PERF_COUNT_SW_???", kSoftwareNames);
constinit const ConstantSet kCaches = enumeration("PERF_COUNT_HW_CACHE_???", kCacheNames);
constinit const ConstantSet kCacheOps = enumeration("PERF_COUNT_HW_CACHE_OP_???", kCacheOpNames);
constinit const ConstantSet kCacheResults = enumeration("PERF_COUNT_HW_CACHE_RESULT_???", kCacheResultNames);
constinit const ConstantSet kSamples = flag_set("PERF_SAMPLE_???", kSampleNames);
constinit const ConstantSet kReadFormats = flag_set("PERF_FORMAT_???", kReadNames);
constinit const ConstantSet kBranches = flag_set("PERF_SAMPLE_BRANCH_???", kBranchNames);
constinit const ConstantSet kBreakpoints = enumeration("HW_BREAKPOINT_INVALID", kBreakpointNames);

/// The flag word, a bit each but for precise_ip's two.
constexpr const char* kBitNames[] = {
    "disabled",
    "inherit",
    "pinned",
    "exclusive",
    "exclude_user",
    "exclude_kernel",
    "exclude_hv",
    "exclude_idle",
    "mmap",
    "comm",
    "freq",
    "inherit_stat",
    "enable_on_exec",
    "task",
    "watermark",
    "precise_ip",
    "",
    "mmap_data",
    "sample_id_all",
    "exclude_host",
    "exclude_guest",
    "exclude_callchain_kernel",
    "exclude_callchain_user",
    "mmap2",
    "comm_exec",
    "use_clockid",
    "context_switch",
    "write_backward",
    "namespaces",
    "ksymbol",
    "bpf_event",
    "aux_output",
    "cgroup",
    "text_poke",
    "build_id",
    "inherit_thread",
    "remove_on_exec",
    "sigtrap",
};
constexpr size_t kFreqBit = 10, kWatermarkBit = 14, kPreciseBit = 15, kUseClockidBit = 25, kBits = std::size(kBitNames);
constexpr const char* kSkids[] = {"arbitrary skid", "constant skid", "requested to have 0 skid", "must have 0 skid"};

struct Attr {
  uint32_t type, size;
  uint64_t config, sample_period, sample_type, read_format, bits;
  uint32_t wakeup, bp_type;
  uint64_t config1, config2, branch_sample_type, regs_user;
  uint32_t stack_user;
  int32_t clockid;
  uint64_t regs_intr;
  uint32_t aux_watermark;
  uint16_t max_stack, reserved_2;
  uint32_t aux_sample_size, aux_bits;
  uint64_t sig_data, config3, config4;
};
static_assert(sizeof(Attr) == 144);
constexpr uint32_t kFirstBytes = 64;

class AttrFields {
 public:
  AttrFields(Decoder& decoder, const Attr& attr, uint32_t bytes)
      : decoder_(decoder), attr_(attr), bytes_(bytes), fields_(decoder.arena().array<FieldValue>(80)) {}

  Value value() {
    add_event();
    add_bits();
    add_wakeup();
    add_samples();
    add_rest();
    return {Struct{fields_.first(count_), bytes_ > sizeof attr_}, {}};
  }

 private:
  bool bit(size_t index) const { return attr_.bits >> index & 1; }
  void add(std::string_view name, const Value& value) { fields_[count_++] = {name, value}; }
  void add_detail(std::string_view name, const Value& value) { fields_[count_++] = {name, value, true}; }
  void add_number(std::string_view name, uint64_t bits, Show show = Show::Unsigned) {
    add_detail(name, Decoder::number(bits, show));
  }
  Value shifted(const Value& value, uint8_t by) { return {Shifted{decoder_.arena().make(value), by}, {}}; }

  /// The event in `low`, and above it its extension: the PMU in the upper half, bits without a meaning.
  Value config() {
    Value parts[5];
    size_t count = 0;
    auto add_part = [&](uint64_t bits, uint8_t by) {
      if (bits != 0) parts[count++] = shifted(Decoder::number(bits, Show::Hex), by);
    };
    if (attr_.type == kHardware) {
      add_part(attr_.config >> 32, 32);
      parts[count++] = Decoder::named(attr_.config & 0xffffffff, kHardwareEvents, 8);
    } else {
      add_part(attr_.config >> 32, 32);
      add_part(attr_.config >> 24 & 0xff, 24);
      parts[count++] = shifted(Decoder::named(attr_.config >> 16 & 0xff, kCacheResults), 16);
      parts[count++] = shifted(Decoder::named(attr_.config >> 8 & 0xff, kCacheOps), 8);
      parts[count++] = Decoder::named(attr_.config & 0xff, kCaches);
    }
    return {Union{.parts = decoder_.arena().copy(std::span<const Value>(parts, count)), .apart = true}, {}};
  }
  Value event() {
    switch (attr_.type) {
      case kHardware:
      case kCache: return config();
      case kSoftware: return Decoder::named(attr_.config, kSoftwareEvents, 8);
      case kTracepointEvent: return Decoder::number(attr_.config, Show::Unsigned);
      default: return Decoder::number(attr_.config, Show::Hex);
    }
  }
  void add_event() {
    add("type", Decoder::named(attr_.type, kTypes));
    add("size", Decoder::named(attr_.size, kAttrSizes));
    add("config", event());
    add(bit(kFreqBit) ? "sample_freq" : "sample_period", Decoder::number(attr_.sample_period, Show::Unsigned));
    add("sample_type", Decoder::named(attr_.sample_type, kSamples, 8));
    add("read_format", Decoder::named(attr_.read_format, kReadFormats, 8));
  }
  /// Bits that are not set are details; precise_ip never is.
  void add_bits() {
    for (size_t i = 0; i < kBits; i++) {
      if (i == kPreciseBit) {
        Value precise = Decoder::number(attr_.bits >> i & 3, Show::Unsigned);
        precise.comment = kSkids[attr_.bits >> i & 3];
        add("precise_ip", precise);
        i++;
      } else {
        fields_[count_++] = {kBitNames[i], Decoder::number(bit(i), Show::Unsigned), !bit(i)};
      }
    }
    if (attr_.bits >> kBits == 0) return;
    Value reserved = Decoder::number(attr_.bits >> kBits, Show::Hex);
    reserved.comment = "Bits 63..38";
    add("__reserved_1", reserved);
  }
  void add_wakeup() {
    add_number(bit(kWatermarkBit) ? "wakeup_watermark" : "wakeup_events", attr_.wakeup);
    bool breakpoint = attr_.type == kBreakpoint;
    if (breakpoint) add_detail("bp_type", Decoder::named(attr_.bp_type, kBreakpoints));
    add_number(breakpoint ? "bp_addr" : "config1", attr_.config1, Show::Hex);
    if (bytes_ >= 72)
      add_number(breakpoint ? "bp_len" : "config2", attr_.config2, breakpoint ? Show::Unsigned : Show::Hex);
  }
  void add_samples() {
    constexpr uint64_t kBranchStack = 1u << 11, kStackUser = 1u << 13;
    if (bytes_ >= 80 && attr_.sample_type & kBranchStack)
      add_detail("branch_sample_type", Decoder::named(attr_.branch_sample_type, kBranches, 8));
    if (bytes_ >= 88) add_number("sample_regs_user", attr_.regs_user, Show::Hex);
    if (bytes_ >= 92 && attr_.sample_type & kStackUser) add_number("sample_stack_user", attr_.stack_user, Show::Hex);
    if (bytes_ >= 96 && bit(kUseClockidBit))
      add_detail("clockid", Decoder::named(static_cast<uint32_t>(attr_.clockid), kClockIds));
    if (bytes_ >= 104) add_number("sample_regs_intr", attr_.regs_intr, Show::Hex);
  }
  void add_rest() {
    if (bytes_ >= 108) add_number("aux_watermark", attr_.aux_watermark);
    if (bytes_ >= 110) add_max_stack();
    if (bytes_ >= 116) add_number("aux_sample_size", attr_.aux_sample_size);
    if (bytes_ >= 120) add_aux_bits();
    if (bytes_ >= 128) add_number("sig_data", attr_.sig_data, Show::Hex);
    if (bytes_ >= 136) add_number("config3", attr_.config3, Show::Hex);
    if (bytes_ >= 144) add_number("config4", attr_.config4, Show::Hex);
  }
  void add_max_stack() {
    Value depth = Decoder::number(attr_.max_stack, Show::Unsigned);
    char number[16];
    std::snprintf(number, sizeof number, "%#x", attr_.reserved_2);
    if (attr_.reserved_2 != 0) depth.comment = joined(decoder_.arena(), {"bytes 110..111: ", number});
    add_detail("sample_max_stack", depth);
  }
  void add_aux_bits() {
    constexpr const char* kNames[] = {"aux_start_paused", "aux_pause", "aux_resume"};
    for (size_t i = 0; i < std::size(kNames); i++) add_number(kNames[i], attr_.aux_bits >> i & 1);
    if (attr_.aux_bits >> 3 == 0) return;
    Value reserved = Decoder::number(attr_.aux_bits >> 3, Show::Hex);
    reserved.comment = "Bits 931..959";
    add_detail("__reserved_3", reserved);
  }

  Decoder& decoder_;
  const Attr& attr_;
  uint32_t bytes_;
  std::span<FieldValue> fields_;
  size_t count_ = 0;
};

}  // namespace

constinit const ConstantSet kPerfFlags = flag_set("PERF_FLAG_???", kFlagNames);

Value decode_perf_attr(Decoder& decoder, uint64_t at, size_t) {
  Attr attr{};
  if (!decoder.read(Addr{at} + 4, attr.size)) return decoder.missing(Addr{at});
  uint32_t bytes = attr.size == 0 ? kFirstBytes : attr.size;  // perf_event_open(2): 0 is the first version's size
  if (bytes < kFirstBytes) return Decoder::address(at);
  constexpr size_t kToBits = 48;  // nothing behind the bits is shown unless in full
  size_t wanted = decoder.full() ? std::min<size_t>(bytes, sizeof attr) : kToBits;
  auto known = std::as_writable_bytes(std::span(&attr, 1)).first(wanted);
  if (!decoder.read_bytes(Addr{at}, known)) return decoder.missing(Addr{at});
  return AttrFields(decoder, attr, bytes).value();
}

}  // namespace strut

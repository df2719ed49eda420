#include "syscalls/types/time/timex.hpp"

#include <array>

#include <sys/timex.h>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/timex.h>. Modes that are several bits stand before those bits.
constexpr Constant kModeNames[] = {
    {0xa001, "ADJ_OFFSET_SS_READ"}, {0x8001, "ADJ_OFFSET_SINGLESHOT"}, {0x1, "ADJ_OFFSET"}, {0x2, "ADJ_FREQUENCY"},
    {0x4, "ADJ_MAXERROR"}, {0x8, "ADJ_ESTERROR"}, {0x10, "ADJ_STATUS"}, {0x20, "ADJ_TIMECONST"}, {0x80, "ADJ_TAI"},
    {0x100, "ADJ_SETOFFSET"}, {0x1000, "ADJ_MICRO"}, {0x2000, "ADJ_NANO"}, {0x4000, "ADJ_TICK"},
};
constexpr Constant kStatusNames[] = {
    {0x1, "STA_PLL"}, {0x2, "STA_PPSFREQ"}, {0x4, "STA_PPSTIME"}, {0x8, "STA_FLL"}, {0x10, "STA_INS"},
    {0x20, "STA_DEL"}, {0x40, "STA_UNSYNC"}, {0x80, "STA_FREQHOLD"}, {0x100, "STA_PPSSIGNAL"},
    {0x200, "STA_PPSJITTER"}, {0x400, "STA_PPSWANDER"}, {0x800, "STA_PPSERROR"}, {0x1000, "STA_CLOCKERR"},
    {0x2000, "STA_NANO"}, {0x4000, "STA_MODE"}, {0x8000, "STA_CLK"},
};
constexpr const char* kStates[] = {"TIME_OK", "TIME_INS", "TIME_DEL", "TIME_OOP", "TIME_WAIT", "TIME_ERROR"};
constinit const ConstantSet kModes = flag_set("ADJ_???", kModeNames);
constinit const ConstantSet kStatus = flag_set("STA_???", kStatusNames);

constexpr FieldType kTimeFields[] = {field("tv_sec", kKernelLong), field("tv_usec", kKernelULong)};
constexpr StructLayout kTimeLayout = {"timeval", kTimeFields};
constexpr FieldType kTime64Fields[] = {field("tv_sec", kS64), field("tv_usec", kU64)};
constexpr StructLayout kTime64Layout = {"__kernel_timex_timeval", kTime64Fields};

constexpr uint32_t kReservedBytes = 11 * 4;

/// struct timex with this type for its longs and this many bytes written down behind each int before them.
constexpr std::array<FieldType, 24> timex_fields(const Type& word, const StructLayout& time, uint32_t gap) {
  return {
      field("modes", named(kModes)), padding_bytes(gap), field("offset", word), field("freq", word),
      field("maxerror", word), field("esterror", word), field("status", named(kStatus)), padding_bytes(gap),
      field("constant", word), field("precision", word), field("tolerance", word), field("time", structure(time)),
      field("tick", word), field("ppsfreq", word), field("jitter", word), field("shift", kInt), padding_bytes(gap),
      field("stabil", word), field("jitcnt", word), field("calcnt", word), field("errcnt", word),
      field("stbcnt", word), field("tai", kInt), padding_bytes(kReservedBytes),
  };
}
constexpr std::array<FieldType, 24> kTimexFields = timex_fields(kKernelLong, kTimeLayout, 0);
constexpr std::array<FieldType, 24> kTimex64Fields = timex_fields(kS64, kTime64Layout, 4);
constexpr StructLayout kTimexLayout = {"timex", kTimexFields};
constexpr StructLayout kTimex64Layout = {"__kernel_timex", kTimex64Fields};
static_assert(size_of(kTimexLayout, Abi::X86_64) == sizeof(timex) && size_of(kTimexLayout, Abi::I386) == 128);
static_assert(size_of(kTimex64Layout, Abi::X86_64) == 208 && size_of(kTimex64Layout, Abi::I386) == 208);

}  // namespace

constinit const Type kTimex = structure(kTimexLayout);
constinit const Type kTimex64 = structure(kTimex64Layout);

Value clock_state(Decoder& decoder) {
  uint64_t state = static_cast<uint64_t>(decoder.call().result);
  const Value* shown = nullptr;
  for (size_t i = 0; i < decoder.decoded().count; i++) shown = &decoder.decoded().args[i].value;
  bool readable = shown && std::holds_alternative<Struct>(shown->is);
  return readable && state < std::size(kStates) ? Decoder::bare(kStates[state]) : Value{};
}

}  // namespace strut

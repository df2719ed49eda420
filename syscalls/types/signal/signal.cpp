#include "syscalls/types/signal/signal.hpp"

#include <algorithm>
#include <array>

#include <signal.h>

#include "syscalls/decoder.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <asm/signal.h>, <linux/signal.h>, <linux/signalfd.h>; SA_RESTORER is <asm/signal.h>'s.
constexpr Constant kHowNames[] = {{0, "SIG_BLOCK"}, {1, "SIG_UNBLOCK"}, {2, "SIG_SETMASK"}};
constexpr uint64_t kRestorer = 0x4000000;
constexpr Constant kFlagNames[] = {
    {kRestorer, "SA_RESTORER"}, {0x8000000, "SA_ONSTACK"}, {0x10000000, "SA_RESTART"}, {0x20000000, "SA_INTERRUPT"},
    {0x40000000, "SA_NODEFER"}, {0x80000000, "SA_RESETHAND"}, {4, "SA_SIGINFO"}, {1, "SA_NOCLDSTOP"},
    {2, "SA_NOCLDWAIT"},
};
constexpr Constant kStackFlagNames[] = {{1, "SS_ONSTACK"}, {2, "SS_DISABLE"}, {0x80000000, "SS_AUTODISARM"}};
constexpr Constant kSignalfdNames[] = {{02000000, "SFD_CLOEXEC"}, {04000, "SFD_NONBLOCK"}};
constexpr Constant kHandlerNames[] = {{0, "SIG_DFL"}, {1, "SIG_IGN"}, {~0ull, "SIG_ERR"}};

constexpr FieldType kStackFields[] = {
    field("ss_sp", kAddress), field("ss_flags", named(kSigaltstackFlags)), field("ss_size", kSize),
};
constexpr StructLayout kStackLayout = {"sigaltstack", kStackFields};
static_assert(size_of(kStackLayout, Abi::X86_64) == sizeof(stack_t) && size_of(kStackLayout, Abi::I386) == 12);

struct Action {
  uint64_t handler = 0, flags = 0, restorer = 0, mask = 0;
  uint8_t mask_bytes = 8;
};

Value action_value(Decoder& decoder, const Action& action) {
  uint8_t word = static_cast<uint8_t>(pointer_bytes(decoder.abi()));
  std::array<FieldValue, 4> fields = {{
      {"sa_handler", Decoder::named(action.handler, kSignalHandlers, word)},
      {"sa_mask", {SignalSet{action.mask, action.mask_bytes}, {}}},
      {"sa_flags", Decoder::named(action.flags, kSigactionFlags, word)},
      {"sa_restorer", Decoder::address(action.restorer)},
  }};
  return decoder.fields(std::span(fields).first(action.flags & kRestorer ? 4 : 3));
}

/// A mask of `bytes` bytes on the stack: a structure of one field.
Value stacked_mask(Decoder& decoder, Addr at, uint64_t low, bool readable) {
  std::array<FieldValue, 1> fields = {{{"mask", Decoder::address(raw(at))}}};
  if (decoder.dereferences()) fields[0].value = readable ? Value{SignalSet{low}, {}} : decoder.missing(at);
  return decoder.fields(fields);
}

// Where the mask is: struct rt_sigframe of the kernel's <asm/sigframe.h> when its handler has returned, the stack
// pointer behind the return address. x86-64 and x32: struct ucontext; i386: signal number, two pointers, siginfo,
// ucontext.
Value rt_sigreturn_mask(Decoder& decoder) {
  constexpr std::array<uint64_t, kAbiCount> kMask = {296, 248, 280};
  Addr at{decoder.call().sp + kMask[static_cast<size_t>(decoder.abi())]};
  uint64_t bits = 0;
  bool readable = decoder.dereferences() && decoder.read(at, bits);
  return stacked_mask(decoder, at, bits, readable);
}

// struct sigframe_ia32: struct sigcontext_32 with the first 32 signals, behind it the FPU's state, then the others.
Value sigreturn_mask(Decoder& decoder) {
  constexpr uint64_t kLow = 80, kHigh = 712;
  Addr context{decoder.call().sp};
  if (!decoder.dereferences()) return Decoder::address(raw(context));
  std::array<uint32_t, 2> words{};
  if (!decoder.read(context + kLow, words[0]) || !decoder.read(context + kHigh, words[1]))
    return decoder.missing(context);
  return stacked_mask(decoder, context, words[0] | uint64_t{words[1]} << 32, true);
}

constexpr ArgType kMaskArg = arg("sigmask", kSigset);
constexpr ArgType kFrameArg =
    arg("", kSigset);  // sigreturn(2) takes no argument: the parts of its frame have no names (-N)

void take_mask(DecodedCall& call, const ArgType& arg, const Value& mask) {
  call.args[0] = {&arg, mask};
  call.count = call.ready = 1;
}

/// A structure of one field in an aux is shown as `name value`.
Value named_mask(Decoder& decoder, std::string_view name) {
  FieldValue fields[] = {{name, {SignalSet{static_cast<uint64_t>(decoder.call().result) & 0xffffffff, 4}, {}}}};
  return decoder.fields(fields);
}

}  // namespace

constinit const ConstantSet kSigprocmaskHow = enumeration("SIG_???", kHowNames);
constinit const ConstantSet kSigactionFlags = flag_set("SA_???", kFlagNames);
constinit const ConstantSet kSigaltstackFlags = flag_set("SS_???", kStackFlagNames);
constinit const ConstantSet kSignalfdFlags = flag_set("SFD_???", kSignalfdNames);
constinit const ConstantSet kSignalHandlers = enumeration(nullptr, kHandlerNames);
constinit const Type kStackT = structure(kStackLayout);

// handler, flags and restorer, then a mask with more room than the kernel's 64 signals: for a caller that passes less
// memory the address is shown.
Value decode_sigaction(Decoder& decoder, uint64_t at, size_t) {
  constexpr size_t kMaskBytes = 64;
  size_t word = pointer_bytes(decoder.abi());
  std::array<std::byte, 3 * 8 + kMaskBytes> bytes{};
  if (!decoder.read_bytes(Addr{at}, std::span(bytes).first(3 * word + kMaskBytes))) return decoder.missing(Addr{at});
  Action action;
  std::memcpy(&action.handler, bytes.data(), word);
  std::memcpy(&action.flags, bytes.data() + word, word);
  std::memcpy(&action.restorer, bytes.data() + 2 * word, word);
  std::memcpy(&action.mask, bytes.data() + 3 * word, sizeof action.mask);
  return action_value(decoder, action);
}

Value decode_old_sigaction(Decoder& decoder, uint64_t at, size_t) {
  struct {
    uint32_t handler, mask, flags, restorer;
  } old;
  if (!decoder.read(Addr{at}, old)) return decoder.missing(Addr{at});
  return action_value(decoder, {old.handler, old.flags, old.restorer, old.mask, 4});
}

// Shown as made of 32-bit words, unlike other sets: the complement of fewer than 33 signals is shown for 32.
Value decode_pending_signals(Decoder& decoder, uint64_t at, size_t) {
  uint64_t bytes = decoder.arg(1);
  Value set = decoder.signal_set(Addr{at}, bytes);
  if (auto* signals = std::get_if<SignalSet>(&set.is)) signals->bytes = bytes > 4 ? 8 : 4;
  return set;
}

void decode_rt_sigreturn(Decoder& decoder, DecodedCall& call) {
  if (decoder.phase() == Phase::Enter) take_mask(call, kMaskArg, rt_sigreturn_mask(decoder));
}
void decode_sigreturn(Decoder& decoder, DecodedCall& call) {
  if (decoder.phase() == Phase::Enter) take_mask(call, kFrameArg, sigreturn_mask(decoder));
}

Value signal_result(Decoder& decoder) {
  const char* name = signal_name(static_cast<int>(std::clamp<int64_t>(decoder.call().result, 0, 255)));
  return name ? Decoder::bare(name) : Value{};
}

Value handler_result(Decoder& decoder) {
  const char* name = kSignalHandlers.name_of(static_cast<uint64_t>(decoder.call().result));
  return name ? Decoder::bare(name) : Value{};
}

Value mask_result(Decoder& decoder) { return named_mask(decoder, "mask"); }
Value old_mask_result(Decoder& decoder) { return named_mask(decoder, "old mask"); }

}  // namespace strut

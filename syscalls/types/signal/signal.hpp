// Signal calls: struct sigaction in each ABI, sigset_t, stack_t, masks on the stack.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kSigprocmaskHow;
extern const ConstantSet kSigactionFlags;
extern const ConstantSet kSigaltstackFlags;
extern const ConstantSet kSignalfdFlags;
extern const ConstantSet kSignalHandlers;  ///< SIG_DFL, SIG_IGN, SIG_ERR

/// struct kernel_sigaction of rt_sigaction(2), and the one of i386's sigaction.
Value decode_sigaction(Decoder& decoder, uint64_t at, size_t);
Value decode_old_sigaction(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSigactionRead = kWhole<3 * 8 + 64>;
inline constexpr Type kSigaction = notation::reading(notation::custom(decode_sigaction, 32), kSigactionRead);
inline constexpr Type kOldSigaction = notation::custom(decode_old_sigaction, 16);

/// stack_t of sigaltstack(2).
extern const Type kStackT;

/// A sigset_t of 32 signals: i386's sigprocmask, sigpending; in a register sigsuspend's.
constexpr Type old_sigset() {
  Type type = notation::kSigset;
  type.length = notation::fixed(4);
  return type;
}
inline constexpr Type kOldSigset = old_sigset();

/// rt_sigpending(2)'s set: as many bytes as argument 1 says, up to 8.
Value decode_pending_signals(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kPendingSignals = notation::custom(decode_pending_signals, 8);

/// Calls without arguments: the mask that rt_sigreturn(2) and i386's sigreturn will restore, read from the stack.
void decode_rt_sigreturn(Decoder& decoder, DecodedCall& call);
void decode_sigreturn(Decoder& decoder, DecodedCall& call);

// Behind results.
Value signal_result(Decoder& decoder);       ///< the signal's name: rt_sigtimedwait(2)
Value handler_result(Decoder& decoder);      ///< SIG_DFL or SIG_IGN: signal(2)
Value mask_result(Decoder& decoder);         ///< `mask [INT]`: sgetmask(2)
Value old_mask_result(Decoder& decoder);     ///< `old mask [INT]`: ssetmask(2)

}  // namespace strut

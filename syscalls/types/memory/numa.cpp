#include "syscalls/types/memory/numa.hpp"

#include <cstdio>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint64_t kModes = ~0xe000ull;  // all but MPOL_MODE_FLAGS
constexpr Constant kModeNames[] = {
    {0, "MPOL_DEFAULT", kModes},
    {1, "MPOL_PREFERRED", kModes},
    {2, "MPOL_BIND", kModes},
    {3, "MPOL_INTERLEAVE", kModes},
    {4, "MPOL_LOCAL", kModes},
    {5, "MPOL_PREFERRED_MANY", kModes},
    {6, "MPOL_WEIGHTED_INTERLEAVE", kModes},
    {0x8000, "MPOL_F_STATIC_NODES"},
    {0x4000, "MPOL_F_RELATIVE_NODES"},
    {0x2000, "MPOL_F_NUMA_BALANCING"},
};
constexpr Constant kPolicyNames[] = {
    {0, "MPOL_DEFAULT"}, {1, "MPOL_PREFERRED"},      {2, "MPOL_BIND"},
    {3, "MPOL_INTERLEAVE"}, {4, "MPOL_LOCAL"},       {5, "MPOL_PREFERRED_MANY"},
    {6, "MPOL_WEIGHTED_INTERLEAVE"},
};
constexpr Constant kBindNames[] = {{1, "MPOL_MF_STRICT"}, {2, "MPOL_MF_MOVE"}, {4, "MPOL_MF_MOVE_ALL"}};
constexpr Constant kGetNames[] = {{1, "MPOL_F_NODE"}, {2, "MPOL_F_ADDR"}, {4, "MPOL_F_MEMS_ALLOWED"}};
constexpr Constant kMoveNames[] = {{2, "MPOL_MF_MOVE"}, {4, "MPOL_MF_MOVE_ALL"}};

/// One word of a mask, all of its digits.
Value show_mask_word(Decoder& decoder, uint64_t word) {
  char text[24];
  int width = static_cast<int>(2 * bytes_of(Width::Long, decoder.abi()));
  int length = std::snprintf(text, sizeof text, "%#0*lx", width, word);
  return decoder.text({text, static_cast<size_t>(length)}, TextKind::Bare);
}
constexpr Type kMaskWord = shown_by(show_mask_word);

Value show_page_status(Decoder& decoder, uint64_t bits) {
  constexpr int64_t kLastUserErrno = 511;  // restart codes follow
  return negated_errno(decoder, static_cast<int64_t>(bits), kLastUserErrno);
}

}  // namespace

constinit const ConstantSet kPolicyModes = flag_set("MPOL_???", kModeNames);
constinit const ConstantSet kPolicies = enumeration("MPOL_???", kPolicyNames);
constinit const ConstantSet kBindFlags = flag_set("MPOL_MF_???", kBindNames);
constinit const ConstantSet kGetPolicyFlags = flag_set("MPOL_F_???", kGetNames);
constinit const ConstantSet kMovePagesFlags = flag_set("MPOL_MF_???", kMoveNames);
constinit const Type kPageStatus = signed_type(shown_by(show_page_status, Width::B4));

Value decode_node_mask(Decoder& decoder, uint64_t at, size_t bits) {
  // The kernel takes one bit less than the passed number, in whole words; a mask of no bits is no mask.
  uint64_t word_bits = 8 * bytes_of(Width::Long, decoder.abi());
  bool undefined = decoder.phase() == Phase::Exit && decoder.call().error != 0 && bits != 0;
  bool overflows = bits + word_bits - 2 < bits;  // rounding it up to words would
  if (bits == 1 || undefined || overflows) return Decoder::address(at);
  uint64_t words = bits == 0 ? 0 : (bits - 2) / word_bits + 1;
  return decoder.array(kMaskWord, Addr{at}, words);
}

}  // namespace strut

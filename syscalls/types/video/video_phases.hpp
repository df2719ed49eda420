// Members that are shown by the phase of a call: some commands of V4L2 ask, others change the members that they pass.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

/// When the members of a union are shown that a type, the first member of the structure, chooses.
enum class VideoPhase : uint8_t {
  Always,
  Answer,  ///< the caller passes the type, the kernel the members
  Change,  ///< at both ends; the type at enter, and where it has no members
};

template <VideoPhase kPhase, uint32_t... kTypes>
bool is_of(Decoder& decoder, Addr structure) {
  return (kPhase != VideoPhase::Answer || is_answered(decoder, structure)) && word_is<0, kTypes...>(decoder, structure);
}

/// Types from kFirst to kLast have members.
template <VideoPhase kPhase, uint32_t kFirst, uint32_t kLast>
bool shows_type(Decoder& decoder, Addr structure) {
  if (kPhase != VideoPhase::Change || !is_answered(decoder, structure)) return true;
  uint64_t type = word_at(decoder, structure, Width::B4);
  return type < kFirst || type > kLast;
}

}  // namespace strut

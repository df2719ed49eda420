// A bound that libdw does not have: call frame information that names absurd registers, each of which libdw keeps room
// for. Private to symtab.
#pragma once

#include <cstdint>
#include <span>

namespace strut {

/// The sections of a file with its call frame information.
struct CallFrameBytes {
  std::span<const unsigned char> ident;   ///< e_ident of elf(5)
  std::span<const unsigned char> frames;  ///< .eh_frame, to the end of the file or further sections
  uint64_t frames_address = 0;
  std::span<const unsigned char> header;  ///< .eh_frame_hdr; empty: there is none
  uint64_t header_address = 0;
};

/// Whether every entry names registers that there can be, and the search table leads to entries only. libdw 0.188
/// allocates 8 bytes for each register up to the highest that is named (995 MB were seen), and once more for each row
/// that is remembered.
bool call_frames_are_bounded(const CallFrameBytes& bytes);

}  // namespace strut

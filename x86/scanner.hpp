// Reads code for nothing but where instructions begin and which other code they name, ten times as fast as decode():
// for whole modules at a start. A test holds it to decode(), instruction by instruction.
#pragma once

#include "x86/instruction.hpp"

namespace strut {

struct Scanned {
  uint64_t address = 0;
  uint64_t target = 0;      ///< for Jump, JumpIf, Call
  uint64_t rip_target = 0;  ///< if is_rip_relative
  uint8_t length = 0;
  Flow flow = Flow::Next;
  bool is_rip_relative = false;
  uint64_t end() const { return address + length; }
};

/// The first instruction of `code`, which lies at `address`; nullopt: it is none, or decode() has to be asked.
std::optional<Scanned> scan(std::span<const std::byte> code, uint64_t address);

}  // namespace strut

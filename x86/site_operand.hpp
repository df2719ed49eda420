// An argument of a statically defined probe, or of a probe at an instruction of a kind: its place when the probe's site
// is reached.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/memory.hpp"

namespace strut {

/// A register of 64 bits, by its place in struct user_regs_struct (sys/user.h), and the part of it that a name means.
struct RegisterPart {
  uint8_t place = 0;
  uint8_t bytes = 8;
  uint8_t skip = 0;  ///< bytes below the part: 1 for %ah
};
/// "eax", "r8d", "ah", "rip" …; nullopt: it names no general register.
std::optional<RegisterPart> register_named(std::string_view name);
/// The place there of a general register (Gpr), or of Gpr::kIp.
uint8_t register_place(uint8_t number);

struct SiteOperand {
  enum class Place : uint8_t {
    Unknown,   ///< it has no value that strut could read: a vector register, a variable of a thread
    Constant,  ///< displacement, plus `base` for an address of the file
    Register,  ///< `base`
    Memory,    ///< at displacement + base + index * scale
    Outcome,   ///< 1 if `condition` holds, and `base`, if there is one, fits `displacement`; 0 otherwise
  };
  static constexpr uint8_t kNoRegister = 0xff;

  Place place = Place::Unknown;
  uint8_t bytes = 8;  ///< 1, 2, 4 or 8
  bool is_signed = false;
  uint8_t skip = 0;  ///< as in RegisterPart
  uint8_t base = kNoRegister, index = kNoRegister;
  uint8_t scale = 1;
  uint8_t condition = 0xff;  ///< Outcome: kNoCondition, or condition_holds()
  /// Outcome: 0: `base` is to be 0 (jrcxz); 1: it is to be another number than 1 (loop, before it counts).
  int64_t displacement = 0;

  auto operator<=>(const SiteOperand&) const = default;
};

/// The value in 64 bits, extended as the operand's sign says.
struct SiteValue {
  uint64_t value = 0;
  bool is_read = false;  ///< false: `value` is the address that could not be read; 0: the operand is unknown
};
/// `registers` are those of struct user_regs_struct when the site is reached.
SiteValue value_of(const SiteOperand& operand, std::span<const uint64_t> registers, Memory& memory);

}  // namespace strut

// keyctl(2) by operation; key serial numbers of add_key(2) and request_key(2).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kKeySerials;  ///< KEY_SPEC_*: negative numbers
constexpr Type key_serial() {
  Type type = notation::named(kKeySerials);
  type.is_signed = true;
  return type;
}
inline constexpr Type kKeySerial = key_serial();

extern const ConstantSet kKeyctlOps;
/// Arguments from the second on, by operation.
extern const CommandTable kKeyctlCommands;

}  // namespace strut

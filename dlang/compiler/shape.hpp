// The shapes of values: how they are stored, recorded and printed.
#pragma once

#include <cstdint>

namespace strut {

struct DShape {
  enum class Kind : uint8_t {
    None,
    Integer,  ///< `bytes` wide, kept in 64 bits extended as is_signed says
    Text,
    Bytes,          ///< a structure, an array, tracemem(): as many as its record has
    CallArgument,   ///< print(): of a system call, with the data that decoding needs (DCallArgument)
    UserStack,      ///< ustack(): a process and return addresses
    KernelStack,    ///< stack()
    UserAddress,    ///< uaddr(): a process and an address; symbol and offset
    UserSymbol,     ///< usym(), ufunc(): the symbol alone
    UserModule,     ///< umod()
    KernelAddress,  ///< %a: symbol and offset
    KernelSymbol,   ///< sym(), func()
    KernelModule,   ///< mod()
  };
  Kind kind = Kind::None;
  uint32_t bytes = 8;  ///< size of an Integer, and of Bytes that are a key
  bool is_signed = true;

  bool operator==(const DShape&) const = default;
  /// The record contains its number of bytes.
  bool is_counted() const { return kind == Kind::Text || kind == Kind::Bytes || kind == Kind::CallArgument; }
  bool is_stack() const { return kind == Kind::UserStack || kind == Kind::KernelStack; }
  /// A process (the kernel: 0) and an address.
  bool is_address() const { return kind >= Kind::UserAddress; }
  bool is_kernel_address() const { return kind >= Kind::KernelAddress; }
};

}  // namespace strut

// Sets of system calls, per ABI, and the language of strace's -e trace=SET.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "syscalls/abi.hpp"
#include "syscalls/syscall.hpp"

namespace strut {

/// A set of call numbers for each ABI.
class SyscallSet {
 public:
  SyscallSet() = default;
  static SyscallSet all();

  bool contains(Abi abi, uint32_t nr) const;
  void insert(Abi abi, uint32_t nr);
  void erase(Abi abi, uint32_t nr);
  /// Adds every unknown number. Traced sets always have them, whatever the list of -e trace is.
  void insert_unknown();
  /// Removes them. Sets of tampered calls never have them.
  void erase_unknown();
  SyscallSet operator~() const;
  SyscallSet& operator|=(const SyscallSet& other);
  SyscallSet& operator&=(const SyscallSet& other);
  bool empty() const;
  bool operator==(const SyscallSet&) const = default;

 private:
  void set_unknown(bool member);

  std::array<std::bitset<kSyscallLimit>, kAbiCount> known_;
  bool unknown_ = false;  ///< numbers from kSyscallLimit on
};

/// Parses a list as strace(1) defines it: names, numbers, %classes, /regex, ?optional, @64 @32 @x32, a leading `!`,
/// `all`, `none`. The Error's `why` is the text behind "strace: ", e.g. "invalid system call 'foo'"; its code is EINVAL
/// where strace(1) adds a hint at its help. Numbers no table knows are in the set if `all` or a leading `!` put them
/// there.
Result<SyscallSet> parse_syscall_set(std::string_view text);

}  // namespace strut

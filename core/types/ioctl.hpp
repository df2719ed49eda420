// ioctl(2): which command a number is, and what its argument is. Numbers are made of a direction, a size, a type and
// a number in that type: <asm-generic/ioctl.h>.
#pragma once

#include "core/notation.hpp"

namespace strut {

/// The command: its names, or the parts it is made of.
Value decode_ioctl_command(Decoder& decoder, uint64_t command, size_t);
inline constexpr Type kIoctlCommand = notation::custom(decode_ioctl_command);

/// The arguments of the commands that have a row. Those of a type of commands stand in the file of their subject; a
/// command without a row has an argument in hexadecimal.
extern const CommandTable kIoctlTable;

/// Words for rows: a command that gets an object, one that sets it, one that changes it, one whose argument is a number,
/// and one without argument.
constexpr CommandRow ioctl_gets(uint64_t command, const Type& object) {
  return notation::command(command, notation::kSignedResult, notation::out("argp", object));
}
constexpr CommandRow ioctl_sets(uint64_t command, const Type& object) {
  return notation::command(command, notation::kSignedResult, notation::in("argp", object));
}
constexpr CommandRow ioctl_changes(uint64_t command, const Type& object) {
  return notation::command(command, notation::kSignedResult, notation::inout("argp", object));
}
constexpr CommandRow ioctl_takes(uint64_t command, const Type& number) {
  return notation::command(command, notation::kSignedResult, notation::arg("arg", number));
}
constexpr CommandRow ioctl_bare(uint64_t command) { return notation::command(command, notation::kSignedResult); }

/// The rows of one subject, ascending by command.
struct IoctlRows {
  std::span<const CommandRow> rows;
  const CommandRow* find(uint32_t command) const;
};

}  // namespace strut

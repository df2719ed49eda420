// ioctl(2): the command of a number, and its argument. Numbers consist of a direction, a size, a type and a number in
// that type: <asm-generic/ioctl.h>.
#pragma once

#include <vector>

#include "syscalls/notation.hpp"

namespace strut {

/// The command: its names, or the parts it is made of.
Value ioctl_command(Decoder& decoder, uint64_t bits);
inline constexpr Type kIoctlCommand = notation::shown_by(ioctl_command);

/// The arguments of the commands that have a row. Those of a type of commands stand in the file of their subject; a
/// command without a row has an argument in hexadecimal.
extern const CommandTable kIoctlTable;

/// Types of commands' objects, for rows.
template <const StructLayout& kLayout>
inline constexpr Type kStructure = notation::structure(kLayout);
template <const ConstantSet& kSet>
inline constexpr Type kWord = notation::named(kSet);

/// Words for rows: a command that gets an object, one that sets it, one that changes it, one with a number as argument,
/// and one without argument.
constexpr CommandRow ioctl_gets(uint64_t command, const Type& object, const char* name = "argp") {
  return notation::command(command, notation::kUnsignedResult, notation::out(name, object));
}
constexpr CommandRow ioctl_sets(uint64_t command, const Type& object, const char* name = "argp") {
  return notation::command(command, notation::kUnsignedResult, notation::in(name, object));
}
constexpr CommandRow ioctl_changes(uint64_t command, const Type& object) {
  return notation::command(command, notation::kUnsignedResult, notation::inout("argp", object));
}
constexpr CommandRow ioctl_takes(uint64_t command, const Type& number, const char* name = "argp") {
  return notation::command(command, notation::kUnsignedResult, notation::arg(name, number));
}
/// A command with an object that holds a question from the start and, once it succeeded, its answer: fields that are
/// answer()s.
constexpr CommandRow ioctl_asks(uint64_t command, const Type& object) {
  return notation::command(command, notation::kUnsignedResult,
                           notation::even_on_failure(notation::out("argp", object)));
}
bool is_answered(Decoder& decoder, Addr structure);
constexpr FieldType answer(FieldType member) {
  member.when = is_answered;
  return member;
}
/// A command with an object that is shown at both ends, though nothing changed: `{asked()} => {answer()}`.
constexpr CommandRow ioctl_exchanges(uint64_t command, const Type& object) {
  ArgType argument = notation::inout("argp", object);
  argument.shows_both = true;
  return notation::command(command, notation::kUnsignedResult, argument);
}
bool is_asked(Decoder& decoder, Addr structure);
constexpr FieldType asked(FieldType member) {
  member.when = is_asked;
  return member;
}
/// A command with an object that is not decoded.
constexpr CommandRow ioctl_points(uint64_t command) {
  return notation::command(command, notation::kUnsignedResult, notation::address("argp"));
}
constexpr CommandRow ioctl_bare(uint64_t command) { return notation::command(command, notation::kUnsignedResult); }

/// All commands that have a row, of several sizes those that are in use.
std::vector<uint32_t> ioctl_commands();
/// The types (_IOC_TYPE) of the others with a row: they take objects of any size.
std::span<const uint8_t> sized_ioctl_types();

/// The rows of one subject, ascending by command.
struct IoctlRows {
  std::span<const CommandRow> rows;
  /// Rows out of order do not compile.
  consteval IoctlRows(std::span<const CommandRow> ascending) : rows(ascending) {
    for (size_t i = 1; i < rows.size(); i++)
      if (rows[i].command <= rows[i - 1].command) throw "rows are not in order";
  }
  const CommandRow* find(uint32_t command) const;
};

}  // namespace strut

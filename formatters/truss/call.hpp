// One system call in truss's form: name, arguments, result; below it the contents of structures and the moved data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formatters/common/text_buffer.hpp"
#include "formatters/truss/style.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// Tabs to the column of results, a blank where it has been reached.
void put_truss_gap(TextBuffer& out, size_t start);

/// `name(arg, arg)`. `style.raw` says whether as numbers.
void put_truss_call(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded);

/// The text after a call that has returned: a gap and `= 3`, `Err#2 ENOENT`, for a new program `argc = 2`; for a
/// verbose call also its further results: `= 1 ([{fd=3, revents=POLLIN}])`. `start`: the column where the call began.
void put_truss_result(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded,
                      size_t start);

/// The passed value of decoded argument `index`.
uint64_t passed_for(const Call& call, size_t index);

/// Whether it was an execve that succeeded.
bool starts_program(const Call& call);
/// Where the new program's arguments stand among the decoded ones; its environment is the next.
size_t argv_of(const Call& call);
/// Whether its caller waits for the child that it makes to exit or to execute a program (CLONE_VFORK of clone(2)).
bool waits_for_child(const Call& call, const DecodedCall& decoded);

/// An argument's text below the call, or nothing: for a raw call a string, for a verbose one a structure.
void put_truss_argument_below(TextBuffer& out, const TrussStyle& style, const Call& call, const DecodedCall& decoded,
                              size_t index);

/// Up to 32 moved bytes: ` r o o t`.
void put_truss_dump_line(TextBuffer& out, std::string_view bytes);
inline constexpr size_t kTrussDumpBytes = 32;

/// The strings of an execve's argument (1: argv, 2: envp) as lines that are wrapped: ` argv: date`.
std::vector<std::string> truss_strings(std::string_view title, const Value& strings);

}  // namespace strut

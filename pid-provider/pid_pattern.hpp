// The meaning of a probe description that is about code of processes: of the provider pid or instr, or of a statically
// defined provider (USDT). Its processes, modules, functions and places in them.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "pid-provider/probe_description.hpp"

namespace strut {

/// Why a description or a probe cannot be had.
struct Complaint {
  std::string_view tag;                     ///< DTrace's, for errtags: "D_PROC_OFF"
  ProbeField field = ProbeField::Provider;  ///< for the description, the one with the error
  std::string text;                         ///< "'etnry' is an invalid probe name"
  std::string advice{};                     ///< the remedy, for a terminal; may be empty
};

struct PidPattern {
  enum class Processes : uint8_t {
    One,     ///< pid1234
    Target,  ///< pid$target: the command of -c or the process of -p
    Every,   ///< pid*: those that exist and those that are to come
  };
  enum class Place : uint8_t {
    Entry,
    Return,
    Offset,        ///< bytes from the function's beginning, in hexadecimal
    Absolute,      ///< function "-": an address of the process, in hexadecimal
    Line,          ///< where lines of sources begin: `file` and `name` are patterns, `function` of functions with them
    Matching,      ///< entry, return and offsets with matching names; an empty name means all of them
    Usdt,          ///< statically defined probes with matching names of matching providers
    Instructions,  ///< the provider instr: `function` is FUNCTION-CLASS, matching names are those of offsets
  };

  Processes processes = Processes::Target;
  Pid pid{};           ///< One
  std::string module;  ///< shell patterns; empty: any
  std::string function;
  Place place = Place::Matching;
  uint64_t number = 0;        ///< Offset, Absolute; Line: the line, 0: `name` is a pattern of several
  std::string name;           ///< Matching, Usdt, Instructions: the pattern; empty: all. Offset: the mnemonic, or empty
  std::string file;           ///< Line: the pattern of a source's name, or with slashes of the end of its path
  std::string usdt_provider;  ///< Usdt: the pattern, without the process
  bool has_mnemonics = false;  ///< Matching, Offset: names of offsets are MNEMONIC-OFFSET (-x opcode)
};

/// True for "pid" followed by a number, "$target" or "*".
bool is_pid_provider(std::string_view provider);

/// `has_mnemonics`: PidPattern::has_mnemonics.
std::expected<PidPattern, Complaint> pid_pattern(const ProbeDescription& description, bool has_mnemonics = false);

/// The end of a source's path with as many slashes as a pattern of files has: all that the pattern is about.
std::string_view source_name(std::string_view pattern, std::string_view path);

/// True for "instr" followed by a number, "$target" or "*".
bool is_instr_provider(std::string_view provider);
/// For a description of such a provider, or of "instr" alone, which is an error.
std::expected<PidPattern, Complaint> instr_pattern(const ProbeDescription& description);
/// The parts of FUNCTION-CLASS; the class is empty if there is no dash.
struct InstructionField {
  std::string_view function, label;
};
InstructionField instruction_field(std::string_view field);

/// Whether a description is the provider pid's, which reports errors of "pid" alone, "pidx", "pid$missing".
bool is_about_pid(const ProbeDescription& description);
/// Or instr's, "instr" alone included.
bool is_about_instructions(const ProbeDescription& description);

/// True for a statically defined provider in one process: a name or a shell pattern, and the process's number.
bool is_usdt_provider(std::string_view provider);
/// Or for a pattern of providers in every process (python*), which other providers may fit as well.
bool may_be_usdt(std::string_view provider);
/// For such a description.
std::expected<PidPattern, Complaint> usdt_pattern(const ProbeDescription& description);

/// How a module may be called: by its path (if the pattern has a slash), its file's name, its soname, either of them up
/// to ".so", or a.out if it is the program.
struct ModuleNames {
  std::string_view path;
  std::string_view soname;
  bool is_program = false;
};
/// An empty pattern fits every module.
bool module_matches(std::string_view pattern, const ModuleNames& names);

/// In small letters, without 0x.
std::string hexadecimal(uint64_t number);
/// A number without sign in hexadecimal, with or without 0x; nullopt: it is none, or too large.
std::optional<uint64_t> parse_hexadecimal(std::string_view text);

}  // namespace strut

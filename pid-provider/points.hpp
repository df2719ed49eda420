// From a pattern and a module's symbols to probes, and to the instructions that they sit on.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "pid-provider/functions.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/placement.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// The user's limits of a probe. Kept with the request; the backends count.
struct ProbeLimits {
  uint64_t max_hits = 0;          ///< -x maxhits: a probe fires no more after so many hits; 0: no bound
  uint64_t ignored_hits = 0;      ///< -x ignore: the first hits that do not count
  uint32_t max_probes = 500'000;  ///< -x maxprobes: limits the effect of one command on the machine
};

/// One instruction that a probe needs to be stopped at or counted on.
struct ProbeSite {
  uint64_t address = 0;  ///< for the file
  uint64_t file_offset = 0;
  ReturnSite::Kind kind = ReturnSite::Kind::Return;  ///< for a return probe
  /// For a return probe: it fires only if this holds (condition_holds). Else repetition_of() the instruction.
  uint8_t condition = kNoCondition;
  uint32_t arguments = 0;  ///< for a probe of a kind of instructions: the row of ProbeList::arguments
  /// The uprobe's place instead, if it differs from the address; or the reason why there is none.
  std::expected<UprobePlace, UprobeRefusal> uprobe = UprobePlace{};
};

/// A probe of the pid provider, or of instr (Instruction). Several may share an address: each fires, a function's entry
/// before its offset 0.
struct PidProbe {
  enum class Kind : uint8_t { Entry, Return, Offset, Instruction, Line };
  uint32_t function = 0;  ///< index into ProbeList::functions
  Kind kind = Kind::Entry;
  /// Offset, Instruction: bytes from the function's beginning; Line: its index in ProbeList::lines.
  uint64_t offset = 0;
  /// In ProbeList::sites: a return has one for each way out, a line one for each copy of it.
  uint32_t first_site = 0, sites = 0;
  /// Instruction: the class or mnemonic that fits; Offset: the mnemonic if it is a part of the name. Of static life.
  std::string_view label{};
};

/// A function that was asked for, and how its returns are best seen.
struct ProbedFunction {
  std::string_view name;  ///< as it was matched; lives as long as the module
  CodeRange range;
};

struct ProbeList {
  std::vector<ProbedFunction> functions;
  std::vector<PidProbe> probes;
  std::vector<ProbeSite> sites;
  std::vector<std::vector<SiteOperand>> arguments;  ///< for probes of kinds of instructions
  std::vector<std::string> lines;                   ///< "main.c@42", as source_name() has the file
  /// Functions and instructions that were asked for and cannot be had, each with the reason.
  std::vector<Complaint> refused;
  size_t misplaced = 0;  ///< functions that were asked for, by a pattern or by name: ModuleFunctions::misplaced()

  /// "entry", "return", a line, or the offset in hexadecimal, behind the mnemonic if that is a part of the name.
  std::string name_of(const PidProbe& probe) const;
};

/// The possible choices of an IFUNC's resolver: functions of which it takes or loads the address. Empty: they do not
/// show.
std::vector<CodeRange> implementations_of(const ModuleFunctions& functions, const CodeRange& resolver);

/// The instruction at which a function has been entered: its first one, or of Go's code the one behind its stack check.
uint64_t entry_of(const ModuleFunctions& functions, const DecodedFunction& code);

/// uprobe_entry() for a function among others: another one that begins where the probe would sit, or jumps there, must
/// not fire it.
std::expected<UprobePlace, UprobeRefusal> uprobe_entry_among(const ModuleFunctions& functions,
                                                             const DecodedFunction& code);

/// Adds the probes of one module that a pattern asks for; Place::Absolute is not among them. Nothing that fits is no
/// error. A pattern with wildcards takes each address once, by the best of its names that fit, and passes over _init,
/// _fini, cold parts and other code that cannot be entered; a function that is asked for by its name and cannot be had
/// is a complaint in `refused`. Place::Instructions: a probe for each class and mnemonic of an instruction that fits.
/// A function chosen at run time (IFUNC) means all of its implementations. Place::Line: add_lines(). Errors:
/// D_PROC_LIB: the module's code is not x86-64; D_PROC_CREATEFAIL: there are more probes than limits.max_probes; the
/// list is as long as it may be.
std::expected<void, Complaint> add_probes(const ModuleFunctions& functions, const PidPattern& pattern,
                                          const ProbeLimits& limits, ProbeList& list);

/// The probe of Place::Absolute at a file's address. Error: no instruction begins there, as far as its function's code
/// says.
std::expected<void, Complaint> add_probe_at(const ModuleFunctions& functions, uint64_t address, ProbeList& list);

}  // namespace strut

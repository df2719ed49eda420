// Variables of a program: those of a function at an instruction, and global ones. Their types and places, from debug
// information.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symtab/dwarf/call_frames.hpp"
#include "symtab/dwarf/prototypes.hpp"

namespace strut {

class DebugInformation;
struct Die;

/// Where a variable is at an instruction. Registers are numbered as DWARF does (psABI of x86-64, figure 3.36).
struct VariablePlace {
  enum class Kind : uint8_t {
    Register,  ///< in `number`
    Memory,    ///< at `number` + offset
    File,      ///< at an address of the file, `offset`
    Value,     ///< nowhere: its value is `number` + offset
    Symbol,    ///< where ProgramVariable::exported_name is: another source, or another file, defines it
    Argument,  ///< where the caller has put it: the function has not moved it yet; `argument`
  };
  static constexpr uint8_t kNoRegister = 0xff;

  Kind kind = Kind::Memory;
  uint8_t number = kNoRegister;  ///< a general register; kNoRegister: none
  int64_t offset = 0;
  uint32_t argument = 0;  ///< among the function's parameters
};

/// A variable that was found.
struct ProgramVariable {
  CTypeRef type;
  VariablePlace place;
  /// Global and known to other files by this name: another file's may stand in for it. Empty: it is not.
  std::string_view exported_name;
};

/// Which variables are looked for.
enum class VariableScope : uint8_t {
  Function,     ///< variables of the function with the instruction, and global ones
  Instruction,  ///< variables of functions that are inlined there, too
  File,         ///< global ones alone
};

/// The variables of one module. Not for several threads at once.
class Variables {
 public:
  /// `code`: the file with the code, for its call frame information; outlives this. `debug` nullptr: there is none.
  Variables(std::shared_ptr<const DebugInformation> debug, const ElfFile& code);
  ~Variables();

  /// The variable that a name means at an instruction: of the innermost block that has one; then of the source; then
  /// one of any other source of the file. Error: why it has no value there ("it is optimized out there").
  std::expected<ProgramVariable, std::string> at(uint64_t file_address, std::string_view name,
                                                 VariableScope scope) const;

 private:
  struct Globals;
  std::expected<ProgramVariable, std::string> made(const Die& variable, const Die* function,
                                                   uint64_t file_address) const;
  std::expected<std::optional<Die>, std::string> find_global(uint64_t file_address, std::string_view name) const;
  std::optional<Die> declared(uint64_t file_address, std::string_view name) const;
  const Globals& globals() const;

  std::shared_ptr<const DebugInformation> debug_;
  CallFrames frames_;
  mutable std::unique_ptr<Globals> globals_;  ///< read when one is looked for that the instruction's source has not
};

}  // namespace strut

// The functions of one module that probes can be put into, with their bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "symtab/elf/function_bounds.hpp"
#include "symtab/process/module.hpp"

namespace strut {

/// Addresses of a file, from `begin` up to and not including `end`.
struct CodeRange {
  uint64_t begin = 0, end = 0;
  bool contains(uint64_t address) const { return address >= begin && address < end; }
  bool operator==(const CodeRange&) const = default;
};

/// A name of a function. Views live as long as the module.
struct Function {
  enum class Kind : uint8_t {
    Whole,
    ColdPart,  ///< "f.cold": a part of f that lies elsewhere, jumped to and never called
    Ifunc,     ///< STT_GNU_IFUNC: the code only chooses which function the name will mean
  };
  enum class Bounds : uint8_t { Symbol, FrameDescription, NextFunction };  ///< the source of the function's end

  std::string_view name;
  CodeRange range;
  Kind kind = Kind::Whole;
  Bounds bounds = Bounds::Symbol;
};

class AddressWords;
class JumpsBetween;

/// Every function that the symbols of a module name, those of its debug file and of .gnu_debugdata included.
class ModuleFunctions {
 public:
  /// Reads the symbols. The module must outlive this.
  explicit ModuleFunctions(const ModuleFile& module);

  const ModuleFile& module() const { return module_; }
  const ElfFile& file() const { return module_.elf(); }
  /// has_go_code() of the file.
  bool is_go() const { return is_go_; }
  /// Ascending by address; the names of one address follow each other, better ones first.
  std::span<const Function> all() const { return functions_; }
  /// Symbols that point where no instruction begins (EntryEvidence), in the same order: nothing of them is in all().
  std::span<const Function> misplaced() const { return misplaced_; }
  /// The best name of the function that begins closest below an address and has it; nullptr: there is none.
  const Function* around(uint64_t address) const;
  /// The first function of a name; nullptr: there is none.
  const Function* named(std::string_view name) const;
  /// True if a function, and no cold part, begins there.
  bool begins(uint64_t address) const;
  /// True if a frame description begins there, one that the table of descriptions has, too: what is called there finds
  /// its return address on top of the stack. A symbol alone may be damaged and point behind a push.
  bool is_described(uint64_t address) const {
    auto described = bounds_.at(address);
    return described && described->begin == address && bounds_.is_listed(address);
  }
  /// True if a symbol says that the address is in a cold part.
  bool in_cold_part(uint64_t address) const {
    return covering(address) && covering(address)->kind == Function::Kind::ColdPart;
  }
  /// The bounds of code that begins at an address, with a name or, by its frame description, without.
  std::optional<CodeRange> beginning_at(uint64_t address) const;
  /// The bounds of code that contains an address.
  std::optional<CodeRange> range_around(uint64_t address) const;
  /// The code without a name of its own, or with only a cold part's name, around an address: control of a function may
  /// go there without leaving the function. nullopt: a function contains the address, or the bounds are unknown.
  std::optional<CodeRange> nameless_part(uint64_t address) const;
  /// Read when they are first asked for.
  const JumpsBetween& jumps_between() const;
  const AddressWords& address_words() const;

 private:
  /// The function that begins closest below an address and has it.
  const Function* covering(uint64_t address) const;
  void add(const Symbol& symbol);
  void bound(size_t index);
  void take_out_misplaced();
  void trim(size_t index);

  const ModuleFile& module_;
  bool is_go_ = false;
  FunctionBounds bounds_;
  std::vector<Function> functions_, misplaced_;
  mutable std::shared_ptr<const JumpsBetween> jumps_between_;
  mutable std::shared_ptr<const AddressWords> address_words_;
};

/// The message about functions with misplaced() symbols: "2 functions of a.out are not armed: …".
std::string misplaced_text(size_t count, std::string_view file);

/// "f" of "f.cold" and of "f.cold.3"; empty: it is no cold part's name.
std::string_view owner_of_cold_part(std::string_view name);

}  // namespace strut

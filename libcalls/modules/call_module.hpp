// One file of code for call tracing: its functions, exports and imports, and the targets of its call instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libcalls/arming/call_choice.hpp"
#include "libcalls/modules/looked_up_names.hpp"
#include "libcalls/modules/own_pointers.hpp"
#include "pid-provider/functions.hpp"
#include "symtab/elf/imports.hpp"
#include "symtab/process/module.hpp"

namespace strut {

/// The target of the call instruction before a return address.
struct CalledThere {
  enum class What : uint8_t {
    Import,    ///< a PLT stub or a word that the linker filled in: `import`
    Address,   ///< code of the same module: `address`
    Indirect,  ///< a pointer, or unknown
  };
  What what = What::Indirect;
  const Import* import = nullptr;
  uint64_t address = 0;
};

/// A jump by which control leaves a module for a function that it imports.
struct OutwardJump {
  uint64_t address = 0;
  uint8_t condition = 0xff;  ///< kNoCondition, or it jumps only if this holds
  const Import* import = nullptr;
};

/// Four bytes of code with the distance to a PLT stub, a word of the linker's or code: in a call instruction, or by
/// chance.
struct CallReference {
  uint64_t end = 0;                ///< of the bytes
  const Import* import = nullptr;  ///< nullptr: code of the module itself
  uint64_t target = 0;
  uint8_t call_bytes = 0;   ///< of the call instruction that ends there, by its opcode; 0: it is none
  bool is_decoded = false;  ///< and as an instruction of its function: with its prefixes
};

/// Reads each kind of data when it is first needed. Not for use by several threads at once. Addresses are the file's
/// own.
class CallModule {
 public:
  /// `opened`: as strut opens the file; empty: it is in no file (the vdso).
  CallModule(std::shared_ptr<const ModuleFile> file, std::string path, std::string opened);

  const ElfFile& elf() const { return file_->elf(); }
  const ModuleFile& file() const { return *file_; }
  std::shared_ptr<const ModuleFile> shared_file() const { return file_; }
  const std::string& opened() const { return opened_; }
  /// stat(2) of the file; 0: it is in none.
  uint64_t device() const { return device_; }
  uint64_t inode() const { return inode_; }

  FilteredModule names() const { return {soname_, path_, is_main_}; }
  void set_main() { is_main_ = true; }
  bool is_main() const { return is_main_; }
  /// Code of Go: return addresses of its functions are its runtime's.
  bool is_go() const { return is_go_; }
  /// True if Go's compiler made the function at an address: C code that is linked to it (cgo) lies elsewhere.
  bool is_go_function(uint64_t address) const;
  const std::vector<std::string_view>& needed() const { return needed_; }

  const ModuleFunctions& functions() const;
  const Exports& exports() const;
  const std::vector<Import>& imports() const;
  /// An Irelative without a name has its resolver's.
  std::string_view name_of(const Import& import) const;
  /// nullptr: none is there.
  const Import* import_at(uint64_t slot) const;
  /// The import that a PLT stub at this address jumps to; nullptr: no stub is there.
  const Import* stub_at(uint64_t address) const;
  /// A stub for this import; nullopt: it has none (-fno-plt).
  std::optional<uint64_t> stub_of(const Import& import) const;

  /// The module may have a pointer to this function that no relocation shows.
  bool may_look_up(const Import& import) const;
  /// The module refers to dlsym(3) or dlvsym(3).
  bool looks_names_up() const;
  /// The name is among its data (NamesInData).
  bool names(std::string_view name) const;
  /// The module has a pointer to a symbol of this name, as far as relocations show, or to its own code at this address
  /// (OwnPointers).
  bool points_to(std::string_view name) const;
  bool points_to(uint64_t address) const;
  /// Addresses of IFUNCs that may choose the function at this one.
  std::vector<uint64_t> chosen_by(uint64_t address) const;

  CalledThere called_before(uint64_t return_address) const;
  /// True if the function that has an address may leave through a pointer with nothing of it left on the stack.
  bool jumps_through_pointers(uint64_t address) const;
  const std::vector<OutwardJump>& outward_jumps() const;
  /// All that may be calls of imports, ascending; calls_of() decodes them.
  std::vector<CallReference>& references() const;

 private:
  bool is_for_calls(const Import& import) const;
  std::vector<CodeRange> choosers() const;
  const OwnPointers& own_pointers() const;
  void find_outward(const Section& section, std::vector<OutwardJump>& to) const;
  std::optional<OutwardJump> outward_at(uint64_t address, std::span<const std::byte> code) const;

  std::shared_ptr<const ModuleFile> file_;
  std::string path_, opened_, soname_;
  std::vector<std::string_view> needed_;
  uint64_t device_ = 0, inode_ = 0;
  bool is_main_ = false, is_go_ = false;
  mutable std::optional<ModuleFunctions> functions_;
  mutable std::optional<CodeRange> go_code_;
  mutable std::optional<Exports> exports_;
  mutable std::optional<std::vector<Import>> imports_;
  mutable std::unordered_map<uint64_t, const Import*> by_slot_;
  mutable std::optional<std::unordered_map<uint64_t, uint64_t>> stubs_;  ///< from slots
  mutable std::optional<std::vector<OutwardJump>> outward_;
  mutable std::optional<std::vector<CallReference>> references_;
  mutable std::unordered_map<uint64_t, bool> through_pointers_;
  mutable std::optional<std::unordered_set<std::string_view>> pointed_to_;
  mutable std::optional<NamesInData> in_data_;
  mutable std::optional<OwnPointers> own_pointers_;
  mutable std::optional<bool> looks_up_;
};

}  // namespace strut

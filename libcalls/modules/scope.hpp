// The functions that a module's imports resolve to in one process: by the dynamic linker's binding, past or future.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "libcalls/modules/code_places.hpp"
#include "symtab/process/link_map.hpp"

namespace strut {

/// A function's code.
struct Definition {
  const CallModule* module = nullptr;
  uint64_t address = 0;  ///< for its file
  auto operator<=>(const Definition&) const = default;
};

/// Words of a process, read a page at a time.
class Words {
 public:
  explicit Words(Memory& memory) : memory_(memory) {}
  /// 0 also where nothing can be read.
  uint64_t at(uint64_t address);

 private:
  Memory& memory_;
  std::map<uint64_t, std::vector<std::byte>> pages_;
};

/// A process's modules in the order in which the linker looks for a symbol. A picture of one moment.
class Scope {
 public:
  /// `modules` ascending by start. `linked`: link_maps(). `has_tunables`: its C library's choices are unknown
  /// beforehand.
  Scope(std::vector<PlacedModule> modules, const std::vector<LinkedModule>& linked, Memory& memory, bool has_tunables);

  const std::vector<PlacedModule>& modules() const { return modules_; }
  /// The modules that the linker has listed as loaded, in its order. Empty: it has not got that far.
  std::span<const CallModule* const> loaded() const { return std::span(order_).first(loaded_); }
  /// Usually one. Several: an IFUNC that is not resolved yet, or a library with a scope of its own. Empty: not (yet)
  /// there.
  std::vector<Definition> definitions(const PlacedModule& importer, const Import& import);
  /// A function that a library exports: itself, or its possible choices if it is an IFUNC.
  std::vector<Definition> definitions(const CallModule& module, const Symbol& symbol) const;
  /// True if the module came with the program, or a loaded one needs it; else it was opened (dlopen(3)).
  bool is_needed(const CallModule& module) const;

 private:
  std::vector<const CallModule*> in_order(const std::vector<LinkedModule>& linked);
  const PlacedModule* placed_at(uint64_t address) const;
  const PlacedModule* placed_as(const LinkedModule& link) const;
  const CallModule* called(std::string_view soname) const;
  bool find(const std::vector<const CallModule*>& order, const Import& import, std::vector<Definition>& to) const;
  std::vector<const CallModule*> closure_of(const CallModule& module) const;
  std::vector<Definition> bound(const PlacedModule& importer, const Import& import);

  std::vector<PlacedModule> modules_;
  size_t loaded_ = 0;
  std::vector<const CallModule*> order_;
  Words words_;
  bool has_tunables_;
};

}  // namespace strut

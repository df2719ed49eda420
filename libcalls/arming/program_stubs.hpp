// Functions that are seen where the program's PLT goes to them, not where they are.
//
// Libraries call each other's functions and their own: half a million times in a second of libcrypto's. Where only the
// program's calls count, breakpoints at the functions would stop threads there for nothing. By its PLT only its calls
// come.
#pragma once

#include <set>
#include <span>
#include <unordered_map>

#include "libcalls/arming/arming_context.hpp"

namespace strut {

/// Not for use by several threads at once.
class ProgramStubs {
 public:
  explicit ProgramStubs(ArmingContext& context) : context_(context) {}

  /// A look at a process begins: what modules point to may have changed.
  void begin_look() { pointed_to_.clear(); }
  /// nullptr: calls may come another way than by the stub.
  TracedCode* stand_in(const PlacedModule& importer, const Import& import, std::span<const Definition> functions);

 private:
  bool come_by_stub(const PlacedModule& importer, std::string_view name, std::span<const Definition> functions);
  bool is_pointed_to(const PlacedModule& importer, const Definition& function);

  ArmingContext& context_;
  /// The functions that modules have pointers to, at this look.
  std::unordered_map<const CallModule*, std::set<Definition>> pointed_to_;
};

}  // namespace strut

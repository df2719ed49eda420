// How Rust passes objects of at most two words. Its ABI is not C's; no document binds it. rustc: one scalar, or two,
// each have a register; other objects of at most a word are an integer, larger ones are passed by their address.
#pragma once

#include <cstdint>

#include "symtab/dwarf/prototypes.hpp"

namespace strut {

enum class RustPassing : uint8_t {
  AsC,      ///< as the System V ABI has it, and all that is no object of Rust
  Address,  ///< the argument is the object's address
  Pair,     ///< a structure of two scalars in one word, which have a register each
  Unknown,  ///< the registers of this argument and of those behind it are not known
};
RustPassing rust_passing(const Prototypes& prototypes, CTypeRef ref);

}  // namespace strut

// Structures of standard libraries that stand for values which people know: strings, lists, optional values, owners.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "symtab/dwarf/prototypes.hpp"

namespace strut {

/// How such a structure is laid out, and its layout's name in descriptions. No structure of a program has such a name.
enum class KnownForm : uint8_t {
  Text,      ///< a length and a pointer to so many bytes
  Counted,   ///< a length and a pointer to so many elements
  Range,     ///< pointers to the first element and behind the last
  Optional,  ///< a value, and whether it is there
  Owner,     ///< a pointer
};
std::string_view name_of(KnownForm form);
std::optional<KnownForm> form_named(std::string_view name);

/// Offsets in bytes. Of Optional `pointer` is the value, `other` says whether it is there; of the others `other` is the
/// length or the end.
struct KnownStructure {
  KnownForm form;
  uint64_t pointer = 0, other = 0;
  CTypeRef element;  ///< the elements, the value, or the pointer itself
};

/// Of libstdc++ std::string, string_view, vector, optional, unique_ptr, shared_ptr; of Rust &str, String, slices, Vec.
/// nullopt: it is none of them, or is not as they are laid out.
std::optional<KnownStructure> known_structure(const Prototypes& prototypes, CTypeRef ref);

}  // namespace strut

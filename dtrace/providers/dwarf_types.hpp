// Types of programs, from their debug information, as types of D.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "dlang/language/type.hpp"
#include "symtab/dwarf/prototypes.hpp"

namespace strut {

/// Makes the types of one program's modules. Structures get their members when an expression needs them. Two that look
/// alike, as each source that includes a header has its own of, are one type. Pointers lead to the probed program's
/// memory. For one compilation: all its types are of the same DTypes.
class DwarfTypes final : public DTypeSource {
 public:
  /// nullptr: D has no such type. The prototypes outlive `types`.
  const DType* type(DTypes& types, const Prototypes& from, CTypeRef ref);

  void complete(DTypes& types, DType* structure) override;
  const DType* find(DTypes&, std::string_view) override { return nullptr; }

 private:
  struct Origin {
    const Prototypes* from;
    CTypeRef ref;
  };
  const DType* type(DTypes& types, Origin origin, int depth);
  const DType* integer(DTypes& types, const CType& type) const;
  const DType* array(DTypes& types, Origin origin, const CType& type, int depth);
  const DType* enumeration(DTypes& types, const CType& type);
  const DType* pointer(DTypes& types, Origin origin, const CType& type, int depth);
  DType* structure(DTypes& types, Origin origin, const CType& type);
  DMember member(DTypes& types, Origin origin, const CField& field, int depth);
  void fill(DTypes& types, DType* structure, int depth);

  std::map<std::string, DType*> structures_;  ///< by all that is to be seen of them
  std::map<std::string, const DType*> enumerations_;
  std::map<const DType*, Origin> origins_;  ///< for structures
};

}  // namespace strut

// Types and lenses of ltrace.conf(5): descriptions of a result, an argument or a member.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "libcalls/prototypes/conf_scanner.hpp"
#include "libcalls/prototypes/prototype_store.hpp"

namespace strut {

/// The form of a value by its lens.
struct Lens {
  Type type{};
  bool hidden = false;     ///< hide(…)
  bool is_format = false;  ///< format: printf's arguments follow
  bool is_void = false;    ///< void itself, not behind a pointer
};

/// Reads lenses; has the aliases of typedefs. Errors have the reason in `why`.
class LensReader {
 public:
  explicit LensReader(PrototypeStore& store) : store_(store) {}

  Result<Lens> read(ConfScanner& scan);
  /// typedef NAME = LENS, behind the word typedef.
  Result<void> read_typedef(ConfScanner& scan);

 private:
  class Depth;
  Result<Lens> read_base(ConfScanner& scan);
  Result<Lens> read_word(ConfScanner& scan, std::string_view word);
  Result<Lens> read_structure(ConfScanner& scan, StructLayout& layout);
  Result<Lens> read_array(ConfScanner& scan);
  Result<Lens> read_string(ConfScanner& scan);
  Result<Lens> read_enum(ConfScanner& scan);
  Result<Lens> read_bit_vector(ConfScanner& scan);
  Result<Lens> read_number_lens(ConfScanner& scan, std::string_view lens);
  Result<Lens> in_parentheses(ConfScanner& scan);
  Result<Length> read_length(ConfScanner& scan);
  Result<Type> string_of(const Type& type);
  Result<Type> bits_of(const Type& type);
  Result<Type> shown(const Type& type, std::string_view lens);
  Result<void> check_whole(const Type& type) const;
  uint64_t parts_of(const Type& type) const;
  Type pointer(const Type& type);

  PrototypeStore& store_;
  std::unordered_map<std::string, Lens> aliases_;
  /// Members and their members, of structures that are defined.
  std::unordered_map<const StructLayout*, uint64_t> parts_;
  std::unordered_map<std::string, StructLayout*> declared_;  ///< by name: typedef NAME = struct
  int depth_ = 0;
};

/// An argument of array type is a pointer, as in C.
Type decayed(const Type& type);

}  // namespace strut

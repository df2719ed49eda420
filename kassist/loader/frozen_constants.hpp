// The constants of a BPF object, by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

struct bpf_object;
struct bpf_map;

namespace strut {

/// The values of an object's `const volatile` variables, for the time between its opening and its loading: the kernel
/// freezes them then, and the verifier takes them for constants. A variable that is not set keeps its initial value.
class FrozenConstants {
 public:
  explicit FrozenConstants(bpf_object* object);

  template <typename Value>
  FrozenConstants& set(const char* name, const Value& value) {
    return set(name, std::as_bytes(std::span(&value, 1)));
  }
  /// Passes all of them to the object. Error: the first that it does not have, or has with another size.
  Result<void> finish() const;

 private:
  FrozenConstants& set(const char* name, std::span<const std::byte> value);
  std::byte* place_of(const char* name, size_t bytes);

  const bpf_object* object_;
  bpf_map* map_;  ///< nullptr: it has no constants
  std::vector<std::byte> values_;
  std::string wrong_;  ///< a variable's name
};

}  // namespace strut

// The functions that D programs are linked from: compiled with strut, relocated for this kernel, not loaded as they
// stand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <linux/bpf.h>

#include "base/result.hpp"

struct bpf_object;

namespace strut {

/// A BPF function on its own: where it refers to others, the instruction's place and the other's name.
struct DFunction {
  struct Reference {
    uint32_t at = 0;
    std::string_view target;
  };
  std::vector<bpf_insn> code;
  std::vector<Reference> references;
  uint32_t type = 0;  ///< the BTF_KIND_FUNC in the library's types
};

/// Settings that are fixed when the library is opened.
struct DLibraryTuning {
  uint32_t text_bytes = 256;
  uint32_t stack_bytes = 0;
  uint32_t scratch_bytes = 0;
  uint32_t wants_arguments = ~0u;  ///< a bit for each of arg0 …
  bool wants_kernel_stack = false;
  uint32_t global_bytes = 0;  ///< DProgram's
  uint32_t clause_bytes = 0;
  uint32_t thread_bytes = 0;  ///< these are DMemoryLayout's
  uint32_t element_bytes = 0;
  uint32_t ring_bytes = 4 << 20;
  uint32_t speculations = 1;  ///< at a time, at the most
  bool watches_memory = false;
};

/// The library's functions, maps and types. Closed with this object.
class DLibrary {
 public:
  /// Error: BPF or the kernel's types are refused.
  static Result<DLibrary> open(const DLibraryTuning& tuning);
  DLibrary(DLibrary&&) noexcept = default;

  /// nullptr: there is none of this name.
  const DFunction* find(std::string_view name) const;
  /// The name by which references call it, which outlives them; empty: there is none.
  std::string_view name_of(std::string_view name) const;
  /// The descriptor of a map; it is there.
  int map(std::string_view name) const;
  /// The library's types, in the kernel.
  int types() const;
  /// CPUs that maps have places for.
  uint32_t cpus() const { return cpus_; }

 private:
  struct Close {
    void operator()(bpf_object* object) const;
  };
  DLibrary() = default;
  Result<void> set_sizes(const DLibraryTuning& tuning);
  Result<void> make_memory(const DLibraryTuning& tuning);
  std::unique_ptr<bpf_object, Close> object_;
  std::unordered_map<std::string_view, DFunction> functions_;  ///< names are the object's
  uint32_t cpus_ = 1;
};

}  // namespace strut

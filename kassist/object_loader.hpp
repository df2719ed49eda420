// Opens and loads the embedded BPF object by libbpf, without what takes libbpf long.
#pragma once

#include <future>
#include <string_view>

#include "core/result.hpp"
#include "kassist/embedded_object.hpp"
#include "kassist/kernel_types.hpp"
#include "kassist/object_types.hpp"

struct bpf_object;

namespace strut {

/// Programs of these sections are attached to tracepoints by their names: "raw_tp/one+another".
inline constexpr std::string_view kByName = "raw_tp/";
/// The program that takes the verifier longest.
inline constexpr std::string_view kLongest = "raw_tp/sys_enter+sys_exit+sched_switch";

class ObjectLoader {
 public:
  static Result<ObjectLoader> open(Edition edition);
  /// Not loaded yet; whoever opened it closes it (bpf_object__close).
  bpf_object* object() const { return object_; }
  /// What the programs that will be loaded name of the kernel's types.
  Result<KernelTypes> kernel_types() const;
  /// Loads all programs but the one of section kLongest: `longest` will be its descriptor, or -errno. The object must not be
  /// closed before that.
  Result<void> load(const KernelTypes& types, std::future<int>& longest);

 private:
  ObjectLoader() = default;

  MemoryFile types_;
  bpf_object* object_ = nullptr;
};

}  // namespace strut

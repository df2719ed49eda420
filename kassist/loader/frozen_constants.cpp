#include "kassist/loader/frozen_constants.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "kassist/loader/object_types.hpp"

namespace strut {
namespace {

constexpr const char* kSection = ".rodata";

}  // namespace

FrozenConstants::FrozenConstants(bpf_object* object)
    : object_(object), map_(bpf_object__find_map_by_name(object, kSection)) {
  if (!map_) return;
  size_t bytes = 0;
  auto* initial = static_cast<const std::byte*>(bpf_map__initial_value(map_, &bytes));
  values_.assign(initial, initial + bytes);
}

/// BTF lists the variables of a section with their places and sizes (BTF_KIND_DATASEC).
std::byte* FrozenConstants::place_of(const char* name, size_t bytes) {
  const btf* types = bpf_object__btf(object_);
  int section = btf__find_by_name_kind(types, kSection, BTF_KIND_DATASEC);
  if (section < 0) return nullptr;
  const btf_type* list = btf__type_by_id(types, static_cast<uint32_t>(section));
  for (const btf_var_secinfo& one : std::span(btf_var_secinfos(list), btf_vlen(list))) {
    std::string_view found = btf__name_by_offset(types, btf__type_by_id(types, one.type)->name_off);
    bool fits = one.size == bytes && size_t{one.offset} + bytes <= values_.size();
    if (found == name) return fits ? &values_[one.offset] : nullptr;
  }
  return nullptr;
}

FrozenConstants& FrozenConstants::set(const char* name, std::span<const std::byte> value) {
  std::byte* place = place_of(name, value.size());
  if (place) std::memcpy(place, value.data(), value.size());
  else if (wrong_.empty()) wrong_ = name;
  return *this;
}

Result<void> FrozenConstants::finish() const {
  if (!wrong_.empty()) return fail(refused("set the constant " + wrong_ + " of a BPF object", EINVAL));
  int error = map_ ? bpf_map__set_initial_value(map_, values_.data(), values_.size()) : 0;
  if (error != 0) return fail(refused("set the constants of a BPF object", -error));
  return {};
}

}  // namespace strut

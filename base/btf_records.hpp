// The kinds of BTF's type records (<linux/btf.h>), and the bytes that follow the header of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <linux/btf.h>

namespace strut {

constexpr uint32_t kBtfKindEnum64 = 19;  // BTF_KIND_ENUM64 of Linux 6.0; BTF_KIND_DECL_TAG and TYPE_TAG are 17 and 18

struct BtfTail {
  bool known;           ///< a kind of <linux/btf.h>
  uint8_t fixed, each;  ///< bytes, and bytes for each of BTF_INFO_VLEN
};

constexpr std::array<BtfTail, 32> kBtfTails = [] {
  std::array<BtfTail, 32> tails{};
  for (uint32_t kind : {BTF_KIND_INT, BTF_KIND_VAR, BTF_KIND_DECL_TAG}) tails[kind] = {true, 4, 0};
  for (uint32_t kind : {BTF_KIND_PTR, BTF_KIND_FWD, BTF_KIND_TYPEDEF, BTF_KIND_VOLATILE, BTF_KIND_CONST,
                        BTF_KIND_RESTRICT, BTF_KIND_FUNC, BTF_KIND_FLOAT, BTF_KIND_TYPE_TAG})
    tails[kind] = {true, 0, 0};
  tails[BTF_KIND_ARRAY] = {true, sizeof(btf_array), 0};
  tails[BTF_KIND_STRUCT] = tails[BTF_KIND_UNION] = {true, 0, sizeof(btf_member)};
  tails[BTF_KIND_ENUM] = {true, 0, sizeof(btf_enum)};
  tails[BTF_KIND_FUNC_PROTO] = {true, 0, sizeof(btf_param)};
  tails[BTF_KIND_DATASEC] = {true, 0, sizeof(btf_var_secinfo)};
  tails[kBtfKindEnum64] = {true, 0, 12};
  return tails;
}();

/// By btf_type::info.
constexpr size_t btf_tail_bytes(uint32_t info) {
  BtfTail tail = kBtfTails[BTF_INFO_KIND(info)];
  return tail.fixed + size_t{tail.each} * BTF_INFO_VLEN(info);
}

}  // namespace strut

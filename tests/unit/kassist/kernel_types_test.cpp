#include "kassist/loader/kernel_types.hpp"

#include <memory>

#include <bpf/btf.h>
#include <doctest/doctest.h>

#include "kassist/loader/support.hpp"

using namespace strut;

namespace {

using Btf = std::unique_ptr<btf, decltype(&btf__free)>;

std::span<const std::byte> bytes_of(const btf* types) {
  uint32_t size;
  auto* at = static_cast<const std::byte*>(btf__raw_data(types, &size));
  return {at, size};
}

/// struct inner { int low; }; struct unrelated { int x; }; typedef int btf_trace_sys_enter;
/// struct task { int pid; const inner_t in; struct unrelated *other; int list[4]; union { int one; int other_one; }; };
Btf small_kernel() {
  Btf types(btf__new_empty(), btf__free);
  int number = btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED);
  int inner = btf__add_struct(types.get(), "inner", 4);
  btf__add_field(types.get(), "low", number, 0, 0);
  int alias = btf__add_typedef(types.get(), "inner_t", inner);
  int fixed = btf__add_const(types.get(), alias);
  int unrelated = btf__add_struct(types.get(), "unrelated", 4);
  btf__add_field(types.get(), "x", number, 0, 0);
  int pointer = btf__add_ptr(types.get(), unrelated);
  int list = btf__add_array(types.get(), number, number, 4);
  btf__add_typedef(types.get(), "btf_trace_sys_enter", number);
  int either = btf__add_union(types.get(), nullptr, 4);
  btf__add_field(types.get(), "one", number, 0, 0);
  btf__add_field(types.get(), "other_one", number, 0, 0);
  btf__add_struct(types.get(), "task", 40);
  btf__add_field(types.get(), "pid", number, 0, 0);
  btf__add_field(types.get(), "in", fixed, 32, 0);
  btf__add_field(types.get(), "other", pointer, 64, 0);
  btf__add_field(types.get(), "list", list, 128, 0);
  btf__add_field(types.get(), nullptr, either, 256, 0);
  return types;
}

const TypesWanted kWanted{
    {"task"}, {"in", "low", "other", "list", "one"}, {"btf_trace_sys_enter", "btf_trace_absent"}, {"task"}};

}  // namespace

TEST_CASE("kernel types: a structure comes with its parts, at their places, and with nothing else") {
  Btf kernel = small_kernel();
  auto picked = pick_types(bytes_of(kernel.get()), kWanted);
  REQUIRE(picked);
  Btf types(btf__new(picked->btf.data(), static_cast<uint32_t>(picked->btf.size())), btf__free);
  REQUIRE(types);
  const btf_type* task =
      btf__type_by_id(types.get(), static_cast<uint32_t>(btf__find_by_name_kind(types.get(), "task", BTF_KIND_STRUCT)));
  REQUIRE(task);
  CHECK(task->size == 40);
  REQUIRE(btf_vlen(task) == 4);
  auto name = [&](const btf_type* type, int member) {
    return std::string(btf__name_by_offset(types.get(), btf_members(type)[member].name_off));
  };
  CHECK(btf_member_bit_offset(task, 0) == 32);
  CHECK(name(task, 0) == "in");
  CHECK(btf_is_struct(btf__type_by_id(types.get(), btf_members(task)[0].type)));
  CHECK(btf_is_ptr(btf__type_by_id(types.get(), btf_members(task)[1].type)));
  CHECK(btf__resolve_size(types.get(), btf_members(task)[2].type) == 16);
  CHECK(btf__find_by_name_kind(types.get(), "unrelated", BTF_KIND_STRUCT) < 0);
  const btf_type* either = btf__type_by_id(types.get(), btf_members(task)[3].type);
  REQUIRE(btf_is_union(either));
  REQUIRE(btf_vlen(either) == 1);
  CHECK(name(either, 0) == "one");
}

TEST_CASE("kernel types: hooks keep the ids they have in the kernel") {
  Btf kernel = small_kernel();
  auto picked = pick_types(bytes_of(kernel.get()), kWanted);
  REQUIRE(picked);
  CHECK(picked->hooks.size() == 1);
  CHECK(picked->hooks.at("btf_trace_sys_enter") ==
        static_cast<uint32_t>(btf__find_by_name_kind(kernel.get(), "btf_trace_sys_enter", BTF_KIND_TYPEDEF)));
}

TEST_CASE("kernel types: a blob that is cut anywhere is refused, or picked from without harm") {
  Btf kernel = small_kernel();
  auto whole = bytes_of(kernel.get());
  CHECK_FALSE(pick_types({}, kWanted));
  for (size_t length = 0; length < whole.size(); length++) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(pick_types(cut, kWanted));
  }
}

TEST_CASE("support: a kernel's release") {
  CHECK(parse_release("6.18.44-fc-v669") == Release{6, 18});
  CHECK(parse_release("5.15.0") >= Release{5, 15});
  CHECK(parse_release("5.9.0") < Release{5, 15});
  CHECK(parse_release("unknown") == Release{});
}

// Programs of uprobes may be switched away: their frames must not lie on the CPU's private stack
// (kernel/common/uprobe.bpf.h). That they do takes the kernel down, so that no test can try it.
#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <doctest/doctest.h>

#include "kassist/loader/embedded_object.hpp"
#include "kassist/loader/object_types.hpp"

using namespace strut;

namespace {

using Object = std::unique_ptr<bpf_object, decltype(&bpf_object__close)>;

Object opened(std::span<const std::byte> bytes) { return {open_bpf_object(bytes, "test", nullptr), bpf_object__close}; }

bool has_tail_call(const bpf_program* program) {
  std::span code(bpf_program__insns(program), bpf_program__insn_cnt(program));
  return std::ranges::any_of(code, [](const bpf_insn& one) {
    return one.code == (BPF_JMP | BPF_CALL) && one.src_reg == 0 && one.imm == BPF_FUNC_tail_call;
  });
}

/// Names of an object's programs with sections that begin so, and without one.
std::vector<std::string_view> on_private_stacks(const bpf_object* object, std::string_view section, size_t& programs) {
  std::vector<std::string_view> names;
  bpf_program* program;
  bpf_object__for_each_program(program, object) {
    if (!std::string_view(bpf_program__section_name(program)).starts_with(section)) continue;
    programs++;
    if (!has_tail_call(program)) names.push_back(bpf_program__name(program));
  }
  return names;
}

}  // namespace

TEST_CASE("programs of uprobes keep to their threads' stacks") {
  struct {
    std::span<const std::byte> object;
    std::string_view section;
  } const all[] = {{embedded_object(Edition::Functions), "hits/"},
                   {embedded_object(Edition::AwakeFunctions), "hits/"},
                   {embedded_d_object(), "dlang/uprobe"},
                   {embedded_d_object(), "dlang/linker"}};
  for (const auto& [bytes, section] : all) {
    Object object = opened(bytes);
    REQUIRE(object);
    size_t programs = 0;
    CHECK(on_private_stacks(object.get(), section, programs).empty());
    CHECK(programs != 0);
  }
}

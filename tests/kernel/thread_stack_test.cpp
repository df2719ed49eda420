// Programs of uprobes have no stack of the kernel's own for each CPU (kernel/common/uprobe.bpf.h): looked for in the
// code that it made of them.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bpf/bpf.h>
#include <doctest/doctest.h>
#include <linux/bpf.h>

#include "base/owned_fd.hpp"
#include "dlang/compiler/compile.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/functions/programs.hpp"
#include "kassist/loader/programs.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut::test {
namespace {

/// nullopt: the code of a program cannot be had, or it is of no uprobe.
std::optional<std::vector<char>> uprobe_code(int program) {
  std::vector<char> code(1 << 20);
  bpf_prog_info info{};
  uint32_t bytes = sizeof info;
  info.jited_prog_insns = reinterpret_cast<uint64_t>(code.data());
  info.jited_prog_len = static_cast<uint32_t>(code.size());
  if (::bpf_obj_get_info_by_fd(program, &info, &bytes) != 0 || info.type != BPF_PROG_TYPE_KPROBE ||
      info.jited_prog_len == 0)
    return std::nullopt;
  code.resize(info.jited_prog_len);
  return code;
}

/// add %gs:…, %r9: how the place on this CPU is found.
bool has_own_stack(const std::vector<char>& code) {
  return std::string_view(code.data(), code.size()).find("\x65\x4c\x03\x0c\x25") != std::string_view::npos;
}

/// A program with a frame of 128 bytes, without the call that keeps such a stack away.
OwnedFd plain_program() {
  const bpf_insn code[] = {
      {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ktime_get_ns},
      {BPF_STX | BPF_MEM | BPF_DW, 10, 0, -128, 0},
      {BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
      {BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
  };
  return OwnedFd(::bpf_prog_load(BPF_PROG_TYPE_KPROBE, "plain", "GPL", code, std::size(code), nullptr));
}

/// The programs that this process has descriptors of, and that are of uprobes; for each whether it has such a stack.
std::vector<bool> own_stacks() {
  std::vector<bool> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (std::filesystem::read_symlink(entry, error) != "anon_inode:bpf-prog") continue;
    if (auto code = uprobe_code(std::stoi(entry.path().filename()))) found.push_back(has_own_stack(*code));
  }
  return found;
}

void check_none(size_t least) {
  std::vector<bool> found = own_stacks();
  CHECK(found.size() >= least);
  CHECK(std::ranges::none_of(found, [](bool has) { return has; }));
}

}  // namespace

TEST_CASE("programs of uprobes have no stack that another thread may come to") {
  OwnedFd plain = plain_program();
  REQUIRE(plain);
  auto code = uprobe_code(plain.number());
  if (!code || !has_own_stack(*code)) {
    MESSAGE("SKIPPED: this kernel has no such stacks (before Linux 6.13), or does not show its code");
    return;
  }
  plain = OwnedFd();
  {
    TraceRequest request;
    Tuning tuning;
    auto functions = FunctionPrograms::open(request, {});
    REQUIRE(functions);
    auto programs = Programs::load(tuning, functions->types_wanted());
    REQUIRE(programs);
    REQUIRE(functions->load(tuning, *programs));
    REQUIRE(functions->attach());
    check_none(3);
  }
  DSource source{"x::: { ustack(); trace(copyinstr(arg0)); @[execname, ustack()] = count(); }"};
  auto program = compile_d({.sources = {&source, 1}});
  REQUIRE(program);
  auto kernel =
      DKernelProgram::load(*program, {.ring_bytes = 1 << 20, .stack_bytes = 8192, .uprobes = *uprobe_mechanism()});
  REQUIRE(kernel);
  const uint32_t clauses[] = {0};
  DProbe probe{.id = 1,
               .provider = "x",
               .module = "",
               .function = "",
               .name = "",
               .trigger = {.kind = DTrigger::Kind::Code},
               .clauses = clauses};
  REQUIRE(kernel->add_probes({&probe, 1}));
  auto hook = kernel->program(DHook::Uprobe);
  REQUIRE(hook);
  REQUIRE(hook->has_value());
  auto linker = kernel->linker_program();
  REQUIRE(linker);
  check_none(2);
}

}  // namespace strut::test

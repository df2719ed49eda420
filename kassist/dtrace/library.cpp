#include "kassist/dtrace/library.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <string>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/owned_fd.hpp"
#include "kassist/dtrace/maps.hpp"
#include "kassist/dtrace/lowering/memory_layout.hpp"
#include "kassist/loader/embedded_object.hpp"
#include "kassist/loader/frozen_constants.hpp"
#include "kassist/loader/kernel_types.hpp"
#include "kassist/loader/object_types.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/wire/dtrace_run.h"
#include "process/interruption.hpp"
#include "symtab/elf/kernel_symbols.hpp"

namespace strut {
namespace {

constexpr const char* kSection = "dlang+";

/// Functions as they are found; libbpf's callbacks take no context but a number.
struct Collecting {
  const btf* types;
  std::unordered_map<std::string_view, DFunction>& functions;
};
thread_local Collecting* collecting = nullptr;

bool is_wide(const bpf_insn& instruction) { return instruction.code == (BPF_LD | BPF_IMM | BPF_DW); }

/// Which instruction of the program this one refers to as a function, -1: it does not.
int64_t function_at(const bpf_insn& instruction, uint32_t at) {
  bool calls = instruction.code == (BPF_JMP | BPF_CALL) && instruction.src_reg == BPF_PSEUDO_CALL;
  bool names = is_wide(instruction) && instruction.src_reg == BPF_PSEUDO_FUNC;
  return calls || names ? int64_t{at} + 1 + instruction.imm : -1;
}

/// A relocated program, split into the functions that it consists of.
void collect(std::span<const bpf_insn> code, std::span<const bpf_func_info> infos) {
  auto name_at = [&](uint32_t at) -> std::string_view {
    for (const bpf_func_info& info : infos)
      if (info.insn_off == at)
        return btf__name_by_offset(collecting->types, btf__type_by_id(collecting->types, info.type_id)->name_off);
    return {};
  };
  for (size_t i = 0; i < infos.size(); i++) {
    uint32_t begin = infos[i].insn_off,
             end = i + 1 < infos.size() ? infos[i + 1].insn_off : static_cast<uint32_t>(code.size());
    auto [place, is_new] = collecting->functions.try_emplace(name_at(begin));
    if (!is_new) continue;
    DFunction& function = place->second;
    function.type = infos[i].type_id;
    function.code.assign(code.begin() + begin, code.begin() + end);
    for (uint32_t at = begin; at < end; at++) {
      if (int64_t target = function_at(code[at], at); target >= 0)
        function.references.push_back({at - begin, name_at(static_cast<uint32_t>(target))});
      if (is_wide(code[at])) at++;
    }
  }
}

/// libbpf calls this before each BPF_PROG_LOAD, with everything relocated: the purpose of the open. A program of two
/// instructions is loaded instead.
int take_code(bpf_program* program, bpf_prog_load_opts* options, long) {
  std::span<const bpf_func_info> infos(static_cast<const bpf_func_info*>(options->func_info), options->func_info_cnt);
  if (options->func_info_rec_size != sizeof(bpf_func_info)) return -EINVAL;
  collect({bpf_program__insns(program), bpf_program__insn_cnt(program)}, infos);
  bpf_insn nothing[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  options->func_info_cnt = options->line_info_cnt = 0;
  return bpf_program__set_insns(program, nothing, std::size(nothing));
}

void register_section() {
  static const bool once = [] {
    libbpf_prog_handler_opts options{};
    options.sz = sizeof(options);
    options.prog_prepare_load_fn = take_code;
    libbpf_register_prog_handler(kSection, BPF_PROG_TYPE_RAW_TRACEPOINT, static_cast<bpf_attach_type>(0), &options);
    return true;
  }();
  static_cast<void>(once);
}

int keep_quiet(libbpf_print_level, const char*, va_list) { return 0; }

Result<OwnedFd> create_ring(uint32_t bytes) {
  OwnedFd ring(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, bytes, nullptr));
  if (!ring)
    return fail({-ring.number(),
                 "create a ring of " + std::to_string(bytes) + " bytes",
                 {},
                 {},
                 "-x bufsize=1m is enough for most; --backend=ptrace needs none"});
  return ring;
}

}  // namespace

void DLibrary::Close::operator()(bpf_object* object) const { bpf_object__close(object); }

Result<void> DLibrary::set_sizes(const DLibraryTuning& tuning) {
  bpf_object* object = object_.get();
  cpus_ = static_cast<uint32_t>(std::max(libbpf_num_possible_cpus(), 1));
  FrozenConstants constants(object);
  auto set = [&](const char* name, uint32_t value) { constants.set(name, value); };
  set("text_bytes", tuning.text_bytes);
  set("stack_bytes", tuning.stack_bytes);
  set("wants_arguments", tuning.wants_arguments);
  set("finds_areas", finds_areas());
  set("global_bytes", tuning.global_bytes);
  set("clause_bytes", tuning.clause_bytes);
  set("thread_bytes", tuning.thread_bytes);
  set("thread_room", power_above(tuning.thread_bytes));
  set("element_bytes", tuning.element_bytes);
  set("has_windows", tuning.global_bytes != 0 || tuning.thread_bytes != 0 || tuning.element_bytes != 0);
  set("scratch_bytes", tuning.scratch_bytes);
  constants.set("caller", restriction());
  if (tuning.wants_kernel_stack) {
    KernelSymbols kernel = KernelSymbols::read();
    auto first = kernel.extent_of("bpf_trace_run1"), last = kernel.extent_of("bpf_trace_run12");
    if (first && last) constants.set("trace_run_start", first->begin).set("trace_run_end", last->end);
  }
  TRY_VOID(constants.finish());
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "runs"), cpus_ * D_RUNS_EACH);
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "crowds"), cpus_);
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "speculations"), std::max(tuning.speculations, 1u));
  return {};
}

/// Memory of threads and of elements, if the program has variables there, and room for ranges that it watches. The
/// instructions that name a map which is not made are never reached.
Result<void> DLibrary::make_memory(const DLibraryTuning& tuning) {
  bpf_map* threads = bpf_object__find_map_by_name(object_.get(), "thread_memory");
  bpf_map* elements = bpf_object__find_map_by_name(object_.get(), "element_memory");
  if (tuning.thread_bytes == 0) bpf_map__set_autocreate(threads, false);
  else if (OwnedFd made = TRY(create_task_storage("thread_memory", 2 * power_above(tuning.thread_bytes)));
           int error = bpf_map__reuse_fd(threads, made.number()))
    return fail(refused("use the memory of self-> variables", -error));
  if (tuning.element_bytes == 0) bpf_map__set_autocreate(elements, false);
  else bpf_map__set_value_size(elements, tuning.element_bytes + D_SCRATCH);
  bpf_map* watched = bpf_object__find_map_by_name(object_.get(), "watched_memory");
  if (tuning.watches_memory) bpf_map__set_max_entries(watched, D_WATCHED_MOST);
  return {};
}

Result<DLibrary> DLibrary::open(const DLibraryTuning& tuning) {
  libbpf_set_print(keep_quiet);
  register_section();
  // The kernel takes its time over the ring's pages; the types are picked meanwhile.
  auto ring_made = std::async(std::launch::async, create_ring, tuning.ring_bytes);
  DLibrary library;
  MemoryFile file;
  library.object_.reset(open_bpf_object(embedded_d_object(), "strut_d", file.path().c_str()));
  if (!library.object_) return fail(refused("bpf_object__open", errno));
  TRY_VOID(library.set_sizes(tuning));
  TRY_VOID(library.make_memory(tuning));
  KernelTypes types = TRY(running_kernel_types(types_named_by(library.object_.get())));
  TRY_VOID(file.write(types.btf));
  OwnedFd ring = TRY(ring_made.get());
  if (int error = bpf_map__reuse_fd(bpf_object__find_map_by_name(library.object_.get(), "ring"), ring.number()))
    return fail(refused("use the BPF ring", -error));
  Collecting context{bpf_object__btf(library.object_.get()), library.functions_};
  collecting = &context;
  SignalsHeldBack held_back;
  int error = bpf_object__load(library.object_.get());
  collecting = nullptr;
  if (error) return fail(refused("bpf_object__load", -error));
  return library;
}

const DFunction* DLibrary::find(std::string_view name) const {
  auto at = functions_.find(name);
  return at == functions_.end() ? nullptr : &at->second;
}

std::string_view DLibrary::name_of(std::string_view name) const {
  auto at = functions_.find(name);
  return at == functions_.end() ? std::string_view{} : at->first;
}

int DLibrary::map(std::string_view name) const {
  return bpf_object__find_map_fd_by_name(object_.get(), std::string(name).c_str());
}

int DLibrary::types() const { return bpf_object__btf_fd(object_.get()); }

}  // namespace strut

#include "kassist/loader/object_loader.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "kassist/wire/wire.h"

namespace strut {

namespace {

/// libbpf's own messages are for its developers; our Errors and strut doctor have the text for users.
int keep_quiet(libbpf_print_level, const char*, va_list) { return 0; }

constexpr std::string_view kByName = "raw_tp/";

/// Sections of programs that attach to an object that the kernel's types know by id.
struct Hook {
  const char* section;      ///< "tp_btf/": the name follows
  const char* type_prefix;  ///< for the name in the kernel's BTF
  std::vector<std::string> TypesWanted::* names;
  bpf_attach_type attach_type;
};
constexpr Hook kHooks[] = {
    {"tp_btf/", "btf_trace_", &TypesWanted::hooks, BPF_TRACE_RAW_TP},
    {"iter/", "bpf_iter_", &TypesWanted::functions, BPF_TRACE_ITER},
};

const Hook* hook_of(std::string_view section) {
  for (const Hook& hook : kHooks)
    if (section.starts_with(hook.section)) return &hook;
  return nullptr;
}

std::string hook_name(const Hook& hook, std::string_view section) {
  return hook.type_prefix + std::string(section.substr(strlen(hook.section)));
}

/// A program as libbpf would load it.
struct Code {
  std::string_view section;
  bpf_prog_type type;
  const char* name;
  std::vector<bpf_insn> instructions;
  bpf_prog_load_opts options;
};

/// The state of an object that is being loaded; libbpf's callbacks take no context but a number.
struct Loading {
  const KernelTypes& types;
  std::optional<LoadingProgram> first{};  ///< which takes longest
  std::vector<Code> others{};
};
thread_local Loading* loading = nullptr;

int load_code(const Code& code) {
  int fd = bpf_prog_load(code.type, code.name, "Dual BSD/GPL", code.instructions.data(), code.instructions.size(),
                         &code.options);
  return fd < 0 ? -errno : fd;
}

/// Linux 6.2.
constexpr const char* kCast = "bpf_rdonly_cast";

/// Numbers that stand for a type of the kernel's.
struct NamedType {
  int32_t number;
  const char* name;
};
constexpr NamedType kNamedTypes[] = {{WIRE_CAST_TO_REGISTERS, "pt_regs"}, {WIRE_CAST_TO_TASK, "task_struct"}};

/// Linux 6.18. Later kernels pass the last parameter by themselves, and have named the function anew.
constexpr const char* kScheduleWork[] = {"bpf_task_work_schedule_resume", "bpf_task_work_schedule_resume_impl"};

/// The first of these functions that the kernel has; 0: none.
uint32_t id_of(std::span<const char* const> names, const KernelTypes& types) {
  for (const char* name : names)
    if (auto known = types.hooks.find(name); known != types.hooks.end()) return known->second;
  return 0;
}

/// Makes calls of `number` calls of a function of the kernel's; `id` 0: it has none.
void put_calls(std::span<bpf_insn> instructions, int32_t number, uint32_t id) {
  if (id == 0) return;
  for (bpf_insn& instruction : instructions) {
    if (instruction.code != (BPF_JMP | BPF_CALL) || instruction.src_reg != 0 || instruction.imm != number) continue;
    instruction.src_reg = BPF_PSEUDO_KFUNC_CALL;
    instruction.imm = static_cast<int32_t>(id);
  }
}

/// Puts the kernel's numbers in the place of ours (kernel/common/cast.bpf.h, kernel/syscalls/late.bpf.h).
void put_numbers(std::span<bpf_insn> instructions, const KernelTypes& types) {
  put_calls(instructions, WIRE_SCHEDULE_WORK, id_of(kScheduleWork, types));
  if (!can_cast(types)) return;
  put_calls(instructions, WIRE_CAST, types.hooks.at(kCast));
  for (bpf_insn& instruction : instructions) {
    if (instruction.code != (BPF_ALU64 | BPF_MOV | BPF_K)) continue;
    for (auto [number, name] : kNamedTypes)
      if (instruction.imm == number) instruction.imm = static_cast<int32_t>(types.structs.at(name));
  }
}

/// The verifier takes its time, and libbpf loads one program after the other. So libbpf gets something else to load in
/// the place of each; the first one is loaded from now on.
int load_later(bpf_program* program, bpf_prog_load_opts* options, bpf_prog_type type) {
  // The verifier would check the source line of each instruction, for messages that strut does not read.
  options->line_info = nullptr;
  options->line_info_cnt = options->line_info_rec_size = 0;
  const bpf_insn* first = bpf_program__insns(program);
  Code code{bpf_program__section_name(program),
            type,
            bpf_program__name(program),
            {first, first + bpf_program__insn_cnt(program)},
            *options};
  put_numbers(code.instructions, loading->types);
  if (loading->first) loading->others.push_back(std::move(code));
  else
    loading->first = {code.section,
                      std::async(std::launch::async, [code = std::move(code)] { return load_code(code); })};
  bpf_insn nothing[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  options->expected_attach_type = static_cast<bpf_attach_type>(0);
  options->attach_btf_id = 0;
  options->func_info_cnt = 0;
  return bpf_program__set_insns(program, nothing, std::size(nothing));
}

/// Programs that a thread for each CPU but one loads, always the next one. More threads would only be in one another's
/// way.
class Queue {
 public:
  explicit Queue(std::vector<Code> programs) : programs_(std::move(programs)), descriptors_(programs_.size()) {}
  void work() {
    for (size_t i; (i = next_++) < programs_.size();) descriptors_[i].set_value(load_code(programs_[i]));
  }
  LoadingProgram program(size_t i) { return {programs_[i].section, descriptors_[i].get_future()}; }
  size_t size() const { return programs_.size(); }

 private:
  std::vector<Code> programs_;
  std::vector<std::promise<int>> descriptors_;
  std::atomic<size_t> next_ = 0;
};

/// The first one is being loaded.
LoadingPrograms load_all(LoadingProgram first, std::vector<Code> others) {
  auto queue = std::make_shared<Queue>(std::move(others));
  LoadingPrograms all;
  all.programs.push_back(std::move(first));
  for (size_t i = 0; i < queue->size(); i++) all.programs.push_back(queue->program(i));
  size_t threads = std::min<size_t>(queue->size(), std::max(std::thread::hardware_concurrency(), 2u) - 1);
  for (size_t i = 0; i < threads; i++)
    all.workers.push_back(std::async(std::launch::async, [queue] { queue->work(); }));
  return all;
}

/// Called by libbpf in front of each BPF_PROG_LOAD: we know the id already.
int load_at_hook(bpf_program* program, bpf_prog_load_opts* options, long) {
  std::string_view section = bpf_program__section_name(program);
  const Hook* hook = hook_of(section);
  auto id = loading->types.hooks.find(hook_name(*hook, section));
  if (id == loading->types.hooks.end()) return -ENOENT;
  options->expected_attach_type = hook->attach_type;
  options->attach_btf_id = id->second;
  return load_later(program, options, BPF_PROG_TYPE_TRACING);
}

int load_by_name(bpf_program* program, bpf_prog_load_opts* options, long) {
  return load_later(program, options, BPF_PROG_TYPE_RAW_TRACEPOINT);
}

int load_for_uprobes(bpf_program* program, bpf_prog_load_opts* options, long) {
  return load_later(program, options, BPF_PROG_TYPE_KPROBE);
}

/// Sections are handled as ours from here on: as a raw tracepoint until the moment of loading, libbpf has no reason to
/// read all of the kernel's types.
void register_hooks() {
  static const bool once = [] {
    libbpf_prog_handler_opts options{};
    options.sz = sizeof(options);
    options.prog_prepare_load_fn = load_at_hook;
    for (const Hook& hook : kHooks)
      libbpf_register_prog_handler((std::string(hook.section, strlen(hook.section) - 1) + "+").c_str(),
                                   BPF_PROG_TYPE_RAW_TRACEPOINT, static_cast<bpf_attach_type>(0), &options);
    options.prog_prepare_load_fn = load_by_name;
    libbpf_register_prog_handler("raw_tp+", BPF_PROG_TYPE_RAW_TRACEPOINT, static_cast<bpf_attach_type>(0), &options);
    options.prog_prepare_load_fn = load_for_uprobes;
    libbpf_register_prog_handler("hits+", BPF_PROG_TYPE_KPROBE, static_cast<bpf_attach_type>(0), &options);
    return true;
  }();
  static_cast<void>(once);
}

bool has_program(bpf_object* object, std::string_view section) {
  bpf_program* program;
  bpf_object__for_each_program(
      program, object) if (section == bpf_program__section_name(program) && bpf_program__autoload(program)) return true;
  return false;
}

/// Everything that the object's own types and those of its programs that are loaded name.
TypesWanted wanted_by(bpf_object* object) {
  TypesWanted wanted = types_named_by(object);
  bpf_program* program;
  bpf_object__for_each_program(program, object) {
    std::string_view section = bpf_program__section_name(program);
    const Hook* hook = hook_of(section);
    if (hook && bpf_program__autoload(program)) (wanted.*hook->names).push_back(hook_name(*hook, section));
  }
  if (!has_program(object, kCallHooks)) return wanted;
  wanted.functions.emplace_back(kCast);
  wanted.functions.insert(wanted.functions.end(), std::begin(kScheduleWork), std::end(kScheduleWork));
  return wanted;
}

}  // namespace

bool can_cast(const KernelTypes& types) {
  return types.hooks.contains(kCast) &&
         std::ranges::all_of(kNamedTypes, [&](NamedType type) { return types.structs.contains(type.name); });
}

bool has_task_work(const KernelTypes& types) { return id_of(kScheduleWork, types) != 0; }

Result<ObjectLoader> ObjectLoader::open(Edition edition) {
  libbpf_set_print(keep_quiet);
  register_hooks();
  ObjectLoader loader;
  loader.object_ = open_bpf_object(embedded_object(edition), "strut", loader.types_.path().c_str());
  if (!loader.object_) return fail(refused("bpf_object__open", errno));
  return loader;
}

TypesWanted ObjectLoader::types_wanted() const { return wanted_by(object_); }

Result<LoadingPrograms> ObjectLoader::load(const KernelTypes& types) {
  TRY_VOID(types_.write(types.btf));
  Loading context{types};
  loading = &context;
  int error = bpf_object__load(object_);
  loading = nullptr;
  if (error && context.first) OwnedFd never_used(context.first->descriptor.get());
  if (error) return fail(refused("bpf(BPF_PROG_LOAD)", -error));
  if (!context.first) return LoadingPrograms{};
  return load_all(std::move(*context.first), std::move(context.others));
}

Result<OwnedFd> LoadingProgram::loaded() {
  OwnedFd fd(descriptor.get());
  if (!fd) return fail(refused("bpf(BPF_PROG_LOAD)", -fd.number()));
  return fd;
}

namespace {

/// `name`: of the tracepoint (bpf(2), BPF_RAW_TRACEPOINT_OPEN); nullptr: the program knows it by its id.
Result<void> attach_at(const char* name, const OwnedFd& program, std::vector<int>& links) {
  int link = bpf_raw_tracepoint_open(name, program.number());
  if (link < 0) return fail(refused(std::string("attach a BPF program to ") + (name ? name : "its hook"), -link));
  links.push_back(link);
  return {};
}

}  // namespace

Result<void> attach_by_section(std::string_view section, const OwnedFd& program, std::vector<int>& links) {
  if (!section.starts_with(kByName)) return attach_at(nullptr, program, links);
  std::string_view names = section.substr(kByName.size());
  while (!names.empty()) {
    size_t end = std::min(names.find('+'), names.size());
    TRY_VOID(attach_at(std::string(names.substr(0, end)).c_str(), program, links));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return {};
}

}  // namespace strut

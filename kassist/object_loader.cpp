#include "kassist/object_loader.hpp"

#include <cerrno>
#include <cstring>
#include <vector>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

namespace strut {

namespace {

/// libbpf's own messages are for its developers; what a user needs is in our Errors and in strut doctor.
int keep_quiet(libbpf_print_level, const char*, va_list) { return 0; }

/// Sections whose programs attach to something that the kernel's types know by id.
struct Hook {
  const char* section;      ///< "tp_btf/": what follows is the name
  const char* type_prefix;  ///< of the name in the kernel's BTF
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

/// What an object that is being loaded needs of us; libbpf's callbacks take no context but a number.
struct Loading {
  const KernelTypes& types;
  std::future<int> longest{};  ///< its descriptor, or -errno
};
thread_local Loading* loading = nullptr;

/// The verifier checks which source line each instruction is of, and we do not read what it would tell with them.
void leave_out_lines(bpf_prog_load_opts& options) {
  options.line_info = nullptr;
  options.line_info_cnt = options.line_info_rec_size = 0;
}

/// Called by libbpf in front of each BPF_PROG_LOAD: we know the id already.
int set_hook(bpf_program* program, bpf_prog_load_opts* options, long) {
  leave_out_lines(*options);
  std::string_view section = bpf_program__section_name(program);
  const Hook* hook = hook_of(section);
  auto id = loading->types.hooks.find(hook_name(*hook, section));
  if (id == loading->types.hooks.end()) return -ENOENT;
  bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
  options->expected_attach_type = hook->attach_type;
  options->attach_btf_id = id->second;
  return 0;
}

int load_code(const char* name, const std::vector<bpf_insn>& code, const bpf_prog_load_opts& options) {
  int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, name, "Dual BSD/GPL", code.data(), code.size(), &options);
  return fd < 0 ? -errno : fd;
}

/// The verifier takes about as long for the longest program as for all others together, and libbpf loads one after the
/// other. So that one is loaded by a thread of its own, and libbpf gets something else to load in its place. Its name
/// and its table of functions are the object's: it must not be closed before.
int load_beside(bpf_program* program, bpf_prog_load_opts* options, long) {
  leave_out_lines(*options);
  if (bpf_program__section_name(program) != kLongest) return 0;
  const bpf_insn* first = bpf_program__insns(program);
  std::vector<bpf_insn> code(first, first + bpf_program__insn_cnt(program));
  loading->longest = std::async(std::launch::async, load_code, bpf_program__name(program), std::move(code), *options);
  bpf_insn nothing[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  options->func_info_cnt = 0;
  return bpf_program__set_insns(program, nothing, std::size(nothing));
}

/// Sections are handled as ours from here on: as a raw tracepoint until the moment of loading, libbpf has no reason to
/// read all of the kernel's types.
void register_hooks() {
  static const bool once = [] {
    libbpf_prog_handler_opts options{};
    options.sz = sizeof(options);
    options.prog_prepare_load_fn = set_hook;
    for (const Hook& hook : kHooks)
      libbpf_register_prog_handler((std::string(hook.section, strlen(hook.section) - 1) + "+").c_str(),
                                   BPF_PROG_TYPE_RAW_TRACEPOINT, static_cast<bpf_attach_type>(0), &options);
    options.prog_prepare_load_fn = load_beside;
    libbpf_register_prog_handler("raw_tp+", BPF_PROG_TYPE_RAW_TRACEPOINT, static_cast<bpf_attach_type>(0), &options);
    return true;
  }();
  static_cast<void>(once);
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
  return wanted;
}

}  // namespace

Result<ObjectLoader> ObjectLoader::open(Edition edition) {
  libbpf_set_print(keep_quiet);
  register_hooks();
  ObjectLoader loader;
  loader.object_ = open_bpf_object(embedded_object(edition), "strut", loader.types_.path().c_str());
  if (!loader.object_) return fail(refused("bpf_object__open", errno));
  return loader;
}

Result<KernelTypes> ObjectLoader::kernel_types() const { return running_kernel_types(wanted_by(object_)); }

Result<void> ObjectLoader::load(const KernelTypes& types, std::future<int>& longest) {
  TRY_VOID(types_.write(types.btf));
  Loading context{types};
  loading = &context;
  int error = bpf_object__load(object_);
  loading = nullptr;
  longest = std::move(context.longest);
  if (error) return fail(refused("bpf(BPF_PROG_LOAD)", -error));
  return {};
}

}  // namespace strut

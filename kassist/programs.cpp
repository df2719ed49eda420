#include "kassist/programs.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <string>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/owned_fd.hpp"
#include "kassist/embedded_object.hpp"
#include "kassist/kernel_types.hpp"
#include "kassist/memory_limit.hpp"

namespace strut {

namespace {

/// What strut needs besides its ring, about.
constexpr uint64_t kOtherMemory = 8 << 20;
constexpr const char* kSmallerRing = "--ring-size=1 is the smallest; --backend=ptrace needs none";

Error refused(std::string op, int code) {
  return {code, std::move(op), {}, {}, "strut doctor says what is missing; --backend=ptrace needs none of it"};
}

/// libbpf's own messages are for its developers; what a user needs is in our Errors and in strut doctor.
int keep_quiet(libbpf_print_level, const char*, va_list) { return 0; }

size_t in_pages(size_t bytes) {
  size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// -- kernel types ---------------------------------------------------------------------------------------

/// Sections whose programs attach to something that the kernel's types know by id.
struct Hook {
  const char* section;      ///< "tp_btf/": what follows is the name
  const char* type_prefix;  ///< of the name in the kernel's BTF
  std::vector<std::string> TypesWanted::*names;
  bpf_attach_type attach_type;
};
constexpr Hook kHooks[] = {
    {"tp_btf/", "btf_trace_", &TypesWanted::hooks, BPF_TRACE_RAW_TP},
    {"iter/", "bpf_iter_", &TypesWanted::functions, BPF_TRACE_ITER},
};

/// Programs of these sections are attached to tracepoints by their names; one without a name is called by the others.
constexpr std::string_view kByName = "raw_tp/";
constexpr std::string_view kReporter = "raw_tp/";

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
  std::future<int> reporter{};  ///< its descriptor, or -errno
};
thread_local Loading* loading = nullptr;

/// Called by libbpf in front of each BPF_PROG_LOAD: we know the id already.
int set_hook(bpf_program* program, bpf_prog_load_opts* options, long) {
  std::string_view section = bpf_program__section_name(program);
  const Hook* hook = hook_of(section);
  auto id = loading->types.hooks.find(hook_name(*hook, section));
  if (id == loading->types.hooks.end()) return -ENOENT;
  bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
  options->expected_attach_type = hook->attach_type;
  options->attach_btf_id = id->second;
  return 0;
}

int load_reporter(const std::vector<bpf_insn>& code, const bpf_prog_load_opts& options) {
  int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "report", "Dual BSD/GPL", code.data(), code.size(), &options);
  return fd < 0 ? -errno : fd;
}

/// The verifier takes as long for the reporter as for all other programs together, and libbpf loads one after the other. So
/// the reporter is loaded by a thread of its own, and libbpf gets something else to load in its place. Its tables of lines
/// and functions are the object's: it must not be closed before.
int load_beside(bpf_program* program, bpf_prog_load_opts* options, long) {
  if (bpf_program__section_name(program) != kReporter) return 0;
  const bpf_insn* first = bpf_program__insns(program);
  std::vector<bpf_insn> code(first, first + bpf_program__insn_cnt(program));
  loading->reporter = std::async(std::launch::async, load_reporter, std::move(code), *options);
  bpf_insn nothing[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  options->func_info_cnt = options->line_info_cnt = 0;
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

/// Without its flavour (libbpf: file___socket is the kernel's struct file).
std::string plain_name(std::string_view name) { return std::string(name.substr(0, name.find("___"))); }

/// Everything that the object's own types and those of its programs that are loaded name.
TypesWanted wanted_by(bpf_object* object) {
  TypesWanted wanted;
  const btf* types = bpf_object__btf(object);
  for (uint32_t id = 1; id < btf__type_cnt(types); id++) {
    const btf_type* type = btf__type_by_id(types, id);
    if (btf_is_composite(type) && type->name_off != 0) wanted.structs.push_back(plain_name(btf__name_by_offset(types, type->name_off)));
  }
  bpf_program* program;
  bpf_object__for_each_program(program, object) {
    std::string_view section = bpf_program__section_name(program);
    const Hook* hook = hook_of(section);
    if (hook && bpf_program__autoload(program)) (wanted.*hook->names).push_back(hook_name(*hook, section));
  }
  return wanted;
}

/// A path at which libbpf reads, when it loads, what is written until then.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("strut-btf", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_.number())) {}
  const std::string& path() const { return path_; }
  Result<void> write(std::span<const std::byte> bytes) {
    if (fd_ && ::write(fd_.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) return {};
    return fail(refused("memfd_create", errno));
  }

 private:
  OwnedFd fd_;
  std::string path_;
};

// -- the object -----------------------------------------------------------------------------------------

bpf_object* open_object(const char* types_path) {
  std::span<const std::byte> bytes = embedded_object();
  bpf_object_open_opts options{};
  options.sz = sizeof(options);
  options.object_name = "strut";
  options.btf_custom_path = types_path;
  return bpf_object__open_mem(bytes.data(), bytes.size(), &options);
}

/// An array map's values as memory.
Result<void*> map_memory(bpf_object* object, const char* name, size_t bytes) {
  void* at = ::mmap(nullptr, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_object__find_map_fd_by_name(object, name), 0);
  if (at == MAP_FAILED) return fail(refused(std::string("mmap BPF map ") + name, errno));
  return at;
}

/// The frozen constants of strut.bpf.c, in the order in which they are declared there.
struct Constants {
  uint32_t follow_children;
  uint32_t around;
  uint32_t detach_on_exec;
  uint32_t measure_system_time;
  uint32_t strangers;
  uint32_t stack_bytes;
  wire_choice choice;
};

Result<void> set_constants(bpf_object* object, const Tuning& tuning) {
  bpf_map* map = bpf_object__find_map_by_name(object, ".rodata");
  Constants constants{tuning.follow_children, tuning.around, tuning.detach_on_exec, tuning.measure_system_time,
                      !tuning.follow_children || tuning.seeds, tuning.stack_bytes, tuning.choice};
  if (!map || bpf_map__value_size(map) != sizeof(constants)) return fail(refused("bpf object", EINVAL));
  if (int error = bpf_map__set_initial_value(map, &constants, sizeof(constants))) return fail(refused("bpf", -error));
  return {};
}

/// All of an iterator's file: the kernel gives whole items.
Result<void> read_seeds(int fd, Programs::Seeded& into) {
  std::array<wire_seed, 256> some;
  for (;;) {
    ssize_t got = ::read(fd, some.data(), sizeof some);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return fail(refused("read the threads that live", errno));
    if (got == 0) return {};
    for (const wire_seed& seed : std::span(some).first(static_cast<size_t>(got) / sizeof(wire_seed)))
      (seed.unmarked ? into.refused : into.followed).push_back(seed);
  }
}

/// The map of ids takes a megabyte, and the kernel half a millisecond.
void leave_out_seeding(bpf_object* object) {
  bpf_program__set_autoload(bpf_object__find_program_by_name(object, "seed"), false);
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "seeds"), 1);
}

/// A ring that takes all that a cgroup may have is not refused: the kernel kills for the next page that anybody needs.
Result<OwnedFd> create_ring(uint32_t bytes) {
  std::optional<uint64_t> limit = memory_limit();
  std::string size = std::to_string(bytes >> 20) + " MB";
  if (limit && *limit < bytes + kOtherMemory)
    return fail({ENOMEM, "create a ring of " + size, {}, "strut's cgroup may use no more than " + std::to_string(*limit >> 20) + " MB",
                 kSmallerRing});
  OwnedFd ring(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, bytes, nullptr));
  if (!ring) return fail({-ring.number(), "create a ring of " + size, {}, {}, kSmallerRing});
  return ring;
}

/// Gives the object the ring that was made for it.
Result<void> use_ring(bpf_object* object, const OwnedFd& ring) {
  int error = bpf_map__reuse_fd(bpf_object__find_map_by_name(object, "ring"), ring.number());
  if (error) return fail(refused("use the BPF ring", -error));
  return {};
}

}  // namespace

Result<Programs> Programs::load(const Tuning& tuning) {
  libbpf_set_print(keep_quiet);
  register_hooks();
  Programs programs;
  programs.knows_strut_ = tuning.around != 0 || tuning.stack_bytes != 0;
  TRY_VOID(programs.open(tuning));
  return programs;
}

Result<void> Programs::open(const Tuning& tuning) {
  // The kernel takes its time over the ring's pages; the types are picked meanwhile.
  std::future<Result<OwnedFd>> ring = std::async(std::launch::async, create_ring, tuning.ring_bytes);
  MemoryFile file;
  object_ = open_object(file.path().c_str());
  if (!object_) return fail(refused("bpf_object__open", errno));
  if (!tuning.seeds) leave_out_seeding(object_);
  KernelTypes types = TRY(running_kernel_types(wanted_by(object_)));
  TRY_VOID(file.write(types.btf));
  ring_bytes_ = tuning.ring_bytes;
  TRY_VOID(use_ring(object_, TRY(ring.get())));
  TRY_VOID(set_constants(object_, tuning));
  TRY_VOID(load_object(types));
  return find_maps();
}

Result<void> Programs::load_object(const KernelTypes& types) {
  Loading context{types};
  loading = &context;
  int error = bpf_object__load(object_);
  loading = nullptr;
  report_ = std::move(context.reporter);
  if (error) return fail(refused("bpf(BPF_PROG_LOAD)", -error));
  return {};
}

Result<void> Programs::find_maps() {
  ring_ = bpf_object__find_map_fd_by_name(object_, "ring");
  marks_ = bpf_object__find_map_fd_by_name(object_, "marks");
  losses_ = bpf_object__find_map_fd_by_name(object_, "losses");
  seeds_ = bpf_object__find_map_fd_by_name(object_, "seeds");
  reporter_ = bpf_object__find_map_fd_by_name(object_, "reporter");
  pressure_ = static_cast<wire_pressure*>(TRY(map_memory(object_, ".data.pressure", sizeof(wire_pressure))));
  return {};
}

std::vector<std::pair<Tid, wire_loss>> Programs::losses() const {
  std::vector<std::pair<Tid, wire_loss>> losses;
  uint32_t tid, *last = nullptr;
  wire_loss loss;
  while (bpf_map_get_next_key(losses_, last, &tid) == 0) {
    if (bpf_map_lookup_elem(losses_, &tid, &loss) == 0) losses.emplace_back(Tid{static_cast<int32_t>(tid)}, loss);
    last = &tid;
  }
  return losses;
}

/// What a program's section says of where it is attached (bpf(2), BPF_RAW_TRACEPOINT_OPEN).
struct Place {
  bool is_tracepoint;
  const char* name;  ///< nullptr: the program knows it by its id
};

Place place_of(const bpf_program* program) {
  std::string_view section = bpf_program__section_name(program);
  if (section.starts_with("tp_btf/")) return {true, nullptr};
  if (!section.starts_with(kByName) || section.size() == kByName.size()) return {false, nullptr};
  return {true, section.data() + kByName.size()};
}

Result<void> Programs::attach() {
  OwnedFd report(report_.get());
  if (!report) return fail(refused("bpf(BPF_PROG_LOAD)", -report.number()));
  int reporter = report.number();
  for (uint32_t duty = 0; duty < WIRE_DUTIES; duty++)
    if (bpf_map_update_elem(reporter_, &duty, &reporter, BPF_ANY) < 0) return fail(refused("attach BPF program report", errno));
  bpf_program* program;
  bpf_object__for_each_program(program, object_) {
    Place place = place_of(program);
    if (!place.is_tracepoint) continue;
    int link = bpf_raw_tracepoint_open(place.name, bpf_program__fd(program));
    if (link < 0) return fail(refused(std::string("attach BPF program ") + bpf_program__name(program), -link));
    links_.push_back(link);
  }
  if (knows_strut_) return learn_ourselves();
  return {};
}

Programs::Programs(Programs&& other) noexcept
    : object_(other.object_),
      links_(std::move(other.links_)),
      pressure_(other.pressure_),
      ring_bytes_(other.ring_bytes_),
      ring_(other.ring_),
      losses_(other.losses_),
      marks_(other.marks_),
      seeds_(other.seeds_),
      reporter_(other.reporter_),
      report_(std::move(other.report_)),
      knows_strut_(other.knows_strut_) {
  other.object_ = nullptr;
  other.reporter_ = -1;
  other.links_.clear();
  other.pressure_ = nullptr;
}

Programs::~Programs() {
  stop();
  if (pressure_) ::munmap(pressure_, in_pages(sizeof(wire_pressure)));
  if (report_.valid()) OwnedFd never_attached(report_.get());
  if (object_) bpf_object__close(object_);
}

namespace {

/// Writes the first elements of an array that can be mapped: its pages are shared with the programs.
template <typename Value>
Result<void> write_array(int map, std::span<const Value> values) {
  static_assert(sizeof(Value) % 8 == 0, "the kernel's arrays have elements of whole words");
  if (values.empty()) return {};
  size_t bytes = in_pages(values.size_bytes());
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
  if (at == MAP_FAILED) return fail(refused("mmap(BPF map)", errno));
  std::memcpy(at, values.data(), values.size_bytes());
  ::munmap(at, bytes);
  return {};
}

}  // namespace

// Ops first: a plan that counts already finds its own.
Result<void> Programs::install(const PlanTable& plans) {
  auto map = [&](const char* name) { return bpf_object__find_map_fd_by_name(object_, name); };
  TRY_VOID(write_array(map("ops"), std::span(plans.ops)));
  uint32_t count = static_cast<uint32_t>(plans.commands.size());
  if (count > 0 && bpf_map_update_batch(map("command_plans"), plans.commands.data(), plans.command_plans.data(), &count, nullptr) < 0)
    return fail(refused("bpf(BPF_MAP_UPDATE_BATCH)", errno));
  return write_array(map("plans"), std::span(plans.calls));
}

namespace {

Result<OwnedFd> open_pidfd(Pid pid) {
  OwnedFd fd(static_cast<int>(::syscall(SYS_pidfd_open, raw(pid), 0)));
  if (!fd) return fail({errno, "pidfd_open", std::to_string(raw(pid)), {}, {}});
  return fd;
}

}  // namespace

// A call of our own shows the programs where our root directory is.
Result<void> Programs::learn_ourselves() const {
  TRY_VOID(mark(Pid{::getpid()}, WIRE_OURSELVES));
  ::syscall(SYS_getppid);
  OwnedFd pidfd = TRY(open_pidfd(Pid{::getpid()}));
  int key = pidfd.number();
  bpf_map_delete_elem(marks_, &key);
  return {};
}

Result<void> Programs::mark(Pid pid, wire_mark_state state) const {
  OwnedFd pidfd = TRY(open_pidfd(pid));
  int key = pidfd.number();
  wire_mark mark{};
  mark.state = static_cast<uint8_t>(state);
  mark.nr = UINT32_MAX;
  int error = bpf_map_update_elem(marks_, &key, &mark, BPF_ANY);
  if (error) return fail({-error, "follow", std::to_string(raw(pid)), {}, {}});
  return {};
}

void Programs::stop() {
  for (int link : links_) ::close(link);
  links_.clear();
  // The kernel would empty the map itself when it is closed, but some time later.
  for (uint32_t duty = 0; reporter_ >= 0 && duty < WIRE_DUTIES; duty++) bpf_map_delete_elem(reporter_, &duty);
  reporter_ = -1;
}

Result<Programs::Seeded> Programs::seed(const std::unordered_map<int32_t, wire_seeding>& ids) const {
  for (const auto& [id, extent] : ids) {
    uint32_t value = extent;
    if (int error = bpf_map_update_elem(seeds_, &id, &value, BPF_ANY)) return fail(refused("follow", -error));
  }
  OwnedFd link(bpf_link_create(bpf_program__fd(bpf_object__find_program_by_name(object_, "seed")), 0, BPF_TRACE_ITER, nullptr));
  if (!link) return fail(refused("attach BPF program seed", -link.number()));
  Seeded all;
  size_t before = 0;
  for (int pass = 0; pass < 2 || before != all.followed.size(); pass++) {  // a thread may have been born behind the iterator
    before = all.followed.size();
    all.refused.clear();
    OwnedFd file(bpf_iter_create(link.number()));
    if (!file) return fail(refused("bpf(BPF_ITER_CREATE)", -file.number()));
    TRY_VOID(read_seeds(file.number(), all));
  }
  std::atomic_ref(pressure_->unfollowed) += all.refused.size();
  return all;
}

}  // namespace strut

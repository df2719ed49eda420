#include "kassist/loader/programs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <string>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "kassist/loader/memory_limit.hpp"
#include "kassist/loader/object_loader.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/loader/support.hpp"

namespace strut {

namespace {

/// The approximate memory of strut besides its ring.
constexpr uint64_t kOtherMemory = 8 << 20;
constexpr const char* kSmallerRing = "--ring-size=1 is the smallest; --backend=ptrace needs none";

size_t in_pages(size_t bytes) {
  size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// An array map's values as memory.
Result<void*> map_memory(bpf_object* object, const char* name, size_t bytes) {
  void* at = ::mmap(nullptr, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED,
                    bpf_object__find_map_fd_by_name(object, name), 0);
  if (at == MAP_FAILED) return fail(refused(std::string("mmap BPF map ") + name, errno));
  return at;
}

Edition edition_for(const Tuning& tuning) {
  bool plain = tuning.around == 0 && !tuning.detach_on_exec && !tuning.measure_system_time && tuning.stack_bytes == 0 &&
               !tuning.choice.system_wide && !restriction().is_restricted && restriction().pid_namespace == 0;
  return plain ? Edition::Plain : Edition::Whole;
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

void leave_out(bpf_object* object, const char* program) {
  bpf_program__set_autoload(bpf_object__find_program_by_name(object, program), false);
}

void leave_out_what_is_idle(bpf_object* object, const Tuning& tuning) {
  if (!tuning.follow_children && !tuning.choice.system_wide) leave_out(object, "births");
  if (!tuning.call_hooks) leave_out(object, "calls");
  if (!tuning.seeds) leave_out(object, "seed");
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "seeds"), std::max(tuning.seeds, 1u));
}

/// A ring as large as a cgroup's limit is not refused: the kernel kills a process for the next page.
Result<OwnedFd> create_ring(uint32_t bytes) {
  std::optional<uint64_t> limit = memory_limit();
  std::string size = std::to_string(bytes >> 20) + " MB";
  if (limit && *limit < bytes + kOtherMemory)
    return fail({ENOMEM,
                 "create a ring of " + size,
                 {},
                 "strut's cgroup may use no more than " + std::to_string(*limit >> 20) + " MB",
                 kSmallerRing});
  OwnedFd ring(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, bytes, nullptr));
  if (!ring) return fail({-ring.number(), "create a ring of " + size, {}, {}, kSmallerRing});
  return ring;
}

/// Where records are put.
struct Rings {
  OwnedFd ring, lanes;
};

Result<Rings> create_rings(uint32_t ring_bytes, LanesShape lanes) {
  return Rings{TRY(create_ring(ring_bytes)), TRY(create_lanes(lanes))};
}

/// Passes a created map to the object.
Result<void> use_map(bpf_object* object, const char* name, const OwnedFd& map) {
  int error = bpf_map__reuse_fd(bpf_object__find_map_by_name(object, name), map.number());
  if (error) return fail(refused(std::string("use the BPF map ") + name, -error));
  return {};
}

}  // namespace

void set_common_constants(FrozenConstants& constants, const Tuning& tuning, LanesShape lanes, KernelExtras kernel) {
  auto set = [&](const char* name, uint32_t value) { constants.set(name, value); };
  set("follow_children", tuning.follow_children);
  set("strangers", !tuning.follow_children || tuning.choice.system_wide);
  set("lane_bytes", lanes.bytes);
  set("return_times", tuning.return_times);
  set("alone", tuning.alone);
  set("can_cast", kernel.can_cast);
  set("has_task_work", kernel.has_task_work);
}

void set_more_constants(FrozenConstants& constants, const Tuning& tuning) {
  auto set = [&](const char* name, uint32_t value) { constants.set(name, value); };
  set("around", tuning.around);
  set("detach_on_exec", tuning.detach_on_exec);
  set("measure_system_time", tuning.measure_system_time);
  set("stack_bytes", tuning.stack_bytes);
  set("frames_only", tuning.frames_only);
  set("signal_state_bytes", tuning.signal_state_bytes);
  set("finds_areas", finds_areas());
  constants.set("choice", tuning.choice).set("caller", restriction());
}

int Programs::map(const char* name) const { return bpf_object__find_map_fd_by_name(object_, name); }

Result<Programs> Programs::load(const Tuning& tuning, const TypesWanted& more) {
  if (tuning.stack_bytes != 0 && !finds_areas())
    return fail({0, "kassist", "stacks", "need Linux 5.17", "--backend=ptrace needs none of it"});
  Programs programs;
  programs.alone_ = tuning.alone;
  programs.knows_strut_ = tuning.around != 0 || tuning.stack_bytes != 0;
  TRY_VOID(programs.open(tuning, more));
  return programs;
}

Result<void> Programs::open(const Tuning& tuning, const TypesWanted& more) {
  // The kernel takes its time over the ring's pages; the types are picked meanwhile.
  lanes_shape_ = TRY(lanes_for(tuning.ring_bytes));
  std::future<Result<Rings>> made = std::async(std::launch::async, create_rings, tuning.ring_bytes, lanes_shape_);
  ObjectLoader loader = TRY(ObjectLoader::open(edition_for(tuning)));
  object_ = loader.object();
  leave_out_what_is_idle(object_, tuning);
  types_ = TRY(running_kernel_types(loader.types_wanted() + more));
  ring_bytes_ = tuning.ring_bytes;
  Rings rings = TRY(made.get());
  TRY_VOID(use_map(object_, "ring", rings.ring));
  TRY_VOID(use_map(object_, "lanes", rings.lanes));
  FrozenConstants constants(object_);
  set_common_constants(constants, tuning, lanes_shape_, {can_cast(types_), has_task_work(types_)});
  if (edition_for(tuning) != Edition::Plain) set_more_constants(constants, tuning);
  TRY_VOID(constants.finish());
  loading_ = TRY(loader.load(types_));
  return find_maps();
}

Result<void> Programs::find_maps() {
  ring_ = bpf_object__find_map_fd_by_name(object_, "ring");
  marks_ = bpf_object__find_map_fd_by_name(object_, "marks");
  losses_ = bpf_object__find_map_fd_by_name(object_, "losses");
  seeds_ = bpf_object__find_map_fd_by_name(object_, "seeds");
  control_ = static_cast<wire_control*>(TRY(map_memory(object_, ".data.control", sizeof(wire_control))));
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

Result<void> Programs::attach_program(std::string_view section, OwnedFd program) {
  if (section == kCallHooks) return attach_by_section(section, program, call_links_);
  if (section.starts_with(kIteratorHook)) seed_ = std::move(program);
  else return attach_by_section(section, program, links_);
  return {};
}

/// The object has that first which takes longest. Each tracepoint takes its time, too, and the others are attached
/// meanwhile.
Result<void> Programs::attach() {
  std::vector<LoadingProgram>& programs = loading_.programs;
  if (!programs.empty()) std::ranges::rotate(programs, programs.begin() + 1);
  for (LoadingProgram& program : programs) TRY_VOID(attach_program(program.section, TRY(program.loaded())));
  if (knows_strut_) return learn_ourselves();
  return {};
}

Programs::Programs(Programs&& other) noexcept
    : types_(std::move(other.types_)),
      object_(other.object_),
      links_(std::move(other.links_)),
      call_links_(std::move(other.call_links_)),
      control_(other.control_),
      ring_bytes_(other.ring_bytes_),
      lanes_shape_(other.lanes_shape_),
      ring_(other.ring_),
      losses_(other.losses_),
      marks_(other.marks_),
      seeds_(other.seeds_),
      loading_(std::move(other.loading_)),
      seed_(std::move(other.seed_)),
      alone_(other.alone_),
      knows_strut_(other.knows_strut_) {
  other.object_ = nullptr;
  other.links_.clear();
  other.call_links_.clear();
  other.control_ = nullptr;
}

Programs::~Programs() {
  stop();
  if (control_) ::munmap(control_, in_pages(sizeof(wire_control)));
  for (LoadingProgram& program : loading_.programs)
    if (program.descriptor.valid()) OwnedFd never_attached(program.descriptor.get());
  loading_.workers.clear();
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
Result<void> Programs::install(const PlanView& plans) {
  auto map = [&](const char* name) { return bpf_object__find_map_fd_by_name(object_, name); };
  TRY_VOID(write_array(map("ops"), plans.ops));
  TRY_VOID(write_array(map("command_plans"), plans.buckets));
  control_->plan_seed = plans.seed;
  return write_array(map("plans"), plans.calls);
}

Result<void> Programs::leave_out(Abi abi, uint32_t nr) const {
  wire_plan none{};
  uint32_t key = static_cast<uint32_t>(abi) * WIRE_CALLS + nr;
  int error = bpf_map_update_elem(bpf_object__find_map_fd_by_name(object_, "plans"), &key, &none, BPF_ANY);
  if (error) return fail(refused("leave out a call", -error));
  return {};
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
  return unmark(Pid{::getpid()});
}

Result<void> Programs::mark(Pid pid, wire_mark_state state) const {
  wire_mark mark{};
  mark.state = static_cast<uint8_t>(state);
  mark.nr = WIRE_NO_CALL;
  if (alone_) {
    control_->lone.mark = mark;
    std::atomic_ref(control_->lone.thread).store(static_cast<uint32_t>(raw(pid)));
    std::atomic_ref(control_->lone.registers).store(0);
    return {};
  }
  OwnedFd pidfd = TRY(open_pidfd(pid));
  int key = pidfd.number();
  std::atomic_ref(control_->marks.uncounted)++;
  int error = bpf_map_update_elem(marks_, &key, &mark, BPF_ANY);
  if (error) return fail({-error, "follow", std::to_string(raw(pid)), {}, {}});
  return {};
}

bool Programs::follows(const OwnedFd& pidfd, Pid pid) const {
  if (alone_) return std::atomic_ref(control_->lone.thread).load() == static_cast<uint32_t>(raw(pid));
  int key = pidfd.number();
  wire_mark mark;
  if (bpf_map_lookup_elem(marks_, &key, &mark) != 0) return false;
  return mark.state == WIRE_FOLLOWED || mark.state == WIRE_STARTING || mark.state == WIRE_STARTED ||
         mark.state == WIRE_HEIR;
}

Result<void> Programs::unmark(Pid pid) const {
  if (alone_) {
    std::atomic_ref(control_->lone.thread).store(0);
    std::atomic_ref(control_->lone.registers).store(WIRE_NO_THREAD);
    return {};
  }
  OwnedFd pidfd = TRY(open_pidfd(pid));
  int key = pidfd.number();
  bpf_map_delete_elem(marks_, &key);
  return {};
}

void Programs::end(wire_ended what) {
  if (control_) std::atomic_ref(control_->ended).store(what);
  for (int link : call_links_) ::close(link);
  call_links_.clear();
}

void Programs::leave_calls() { end(WIRE_CALLS_ENDED); }

void Programs::stop() {
  end(WIRE_ALL_ENDED);
  for (int link : links_) ::close(link);
  links_.clear();
}

Result<Programs::Seeded> Programs::seed(const std::unordered_map<int32_t, wire_seeding>& ids) const {
  for (const auto& [id, extent] : ids) {
    uint32_t value = extent;
    if (int error = bpf_map_update_elem(seeds_, &id, &value, BPF_ANY)) return fail(refused("follow", -error));
  }
  OwnedFd link(bpf_link_create(seed_.number(), 0, BPF_TRACE_ITER, nullptr));
  if (!link) return fail(refused("attach BPF program seed", -link.number()));
  Seeded all;
  size_t before = 0;
  for (int pass = 0; pass < 2 || before != all.followed.size();
       pass++) {  // a thread may have been born behind the iterator
    before = all.followed.size();
    all.refused.clear();
    OwnedFd file(bpf_iter_create(link.number()));
    if (!file) return fail(refused("bpf(BPF_ITER_CREATE)", -file.number()));
    TRY_VOID(read_seeds(file.number(), all));
  }
  std::atomic_ref(control_->losses.unfollowed) += all.refused.size();
  return all;
}

}  // namespace strut

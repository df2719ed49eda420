#include "kassist/functions/programs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kassist/loader/object_loader.hpp"
#include "kassist/plans/function_plan.hpp"
#include "kassist/uprobes/uretprobes.hpp"

namespace strut {

namespace {

constexpr uint32_t kScratchesEach = 8;  // HITS_EACH of kernel/functions/hit_scratch.bpf.h

/// Maps of strut.bpf.c. The others that the headers declare are this object's own.
constexpr const char* kShared[] = {"marks", "ring",          "losses",    "seeds",
                                   "plans", "command_plans", "scratches", ".data.control"};

Result<void*> map_array(int map, size_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
  if (at == MAP_FAILED) return fail(refused("mmap(BPF map)", errno));
  return at;
}

constexpr size_t kPlanBytes = WIRE_FUNCTION_PLANS * sizeof(wire_plan);
constexpr size_t kOpBytes = WIRE_OPS * sizeof(wire_op);

std::string bytes_of(const std::vector<wire_op>& ops) {
  return {reinterpret_cast<const char*>(ops.data()), ops.size() * sizeof(wire_op)};
}

constexpr std::string_view kSessionHook = "hits/session";
constexpr std::string_view kAskingHook = "hits/places";

/// Links let their programs sleep.
void is_for_links(bpf_program* program, uint32_t attach_type) {
  bpf_program__set_expected_attach_type(program, static_cast<bpf_attach_type>(attach_type));
  bpf_program__set_flags(program, BPF_F_SLEEPABLE);
}

}  // namespace

Result<FunctionPrograms> FunctionPrograms::open(const TraceRequest& request, Means means) {
  FunctionPrograms made(request);
  // This uses children; their ends take a millisecond.
  made.replaces_returns_ = std::async(std::launch::async, uretprobes_are_harmless);
  made.mechanism_ = TRY(uprobe_mechanism());
  made.has_sessions_ = made.mechanism_ == UprobeMechanism::Multi && uprobe_sessions();
  made.arms_processes_ = process_filters_work(made.mechanism_) && means.reach == Reach::Followed;
  bool may_sleep = made.mechanism_ == UprobeMechanism::Multi;
  made.loader_ = TRY(ObjectLoader::open(may_sleep ? Edition::Functions : Edition::AwakeFunctions));
  made.object_ = made.loader_->object();
  made.choose(means.has_brake);
  return made;
}

bpf_program* FunctionPrograms::program_named(const char* name) const {
  return bpf_object__find_program_by_name(object_, name);
}

/// Chooses the parts of the object to load, and their variants.
void FunctionPrograms::choose(bool has_brake) {
  if (mechanism_ == UprobeMechanism::Multi) {
    is_for_links(program_named("function_hits"), kUprobeMulti);
    is_for_links(program_named("asking_places"), kUprobeMulti);
    is_for_links(program_named("function_calls"), kUprobeSession);
    bpf_program__set_autoload(program_named("function_calls"), has_sessions_);
  }
  for (const char* name : {"errno_of_child", "errno_of_nobody"})
    bpf_program__set_autoload(program_named(name), request_.function_errors);
  if (!request_.function_errors) bpf_map__set_max_entries(bpf_object__find_map_by_name(object_, "errno_places"), 1);
  bpf_program__set_autoload(program_named("at_birth"), request_.follow);
  bpf_program__set_autoload(program_named("before_call"), has_brake);
  auto cpus = static_cast<uint32_t>(::sysconf(_SC_NPROCESSORS_CONF));
  bpf_map__set_max_entries(bpf_object__find_map_by_name(object_, "hit_scratches"), cpus * kScratchesEach);
}

Result<void> FunctionPrograms::load(const Tuning& tuning, const Programs& programs) {
  TRY_VOID(share_maps(programs));
  TRY_VOID(set_constants(tuning));
  loading_ = TRY(loader_->load(programs.kernel_types()));
  TRY_VOID(map_plans());
  // Precedes all waiting threads, which would occupy the CPU that one of these threads begins on.
  if (request_.decode_arguments) switches_ = make_switches();
  return {};
}

Result<void> FunctionPrograms::attach() {
  for (LoadingProgram& program : loading_.programs) {
    OwnedFd loaded = TRY(program.loaded());
    if (!program.section.starts_with(kUprobeHook)) TRY_VOID(attach_by_section(program.section, loaded, links_));
    else program_of(program.section) = std::move(loaded);
  }
  return {};
}

/// The object is used until then.
void FunctionPrograms::end_loading() {
  for (LoadingProgram& program : loading_.programs)
    if (program.descriptor.valid()) OwnedFd never_attached(program.descriptor.get());
  loading_.workers.clear();
}

OwnedFd& FunctionPrograms::program_of(std::string_view section) {
  if (section == kSessionHook) return session_program_;
  return section == kAskingHook ? asking_program_ : program_;
}

Result<void> FunctionPrograms::share_maps(const Programs& programs) const {
  for (const char* name : kShared) {
    int error = bpf_map__reuse_fd(bpf_object__find_map_by_name(object_, name), programs.map(name));
    if (error) return fail(refused(std::string("share BPF map ") + name, -error));
  }
  return {};
}

Result<void> FunctionPrograms::set_constants(const Tuning& tuning) const {
  FrozenConstants constants(object_);
  set_common_constants(constants, tuning, {}, {});
  set_more_constants(constants, tuning);
  return constants.set("function_errors", uint32_t{request_.function_errors}).finish();
}

Result<void> FunctionPrograms::map_plans() {
  plans_ =
      static_cast<wire_plan*>(TRY(map_array(bpf_object__find_map_fd_by_name(object_, "function_plans"), kPlanBytes)));
  ops_ = static_cast<wire_op*>(TRY(map_array(bpf_object__find_map_fd_by_name(object_, "ops"), kOpBytes)));
  return {};
}

int FunctionPrograms::questions() const { return bpf_object__find_map_fd_by_name(object_, "questions"); }

FunctionPrograms::FunctionPrograms(FunctionPrograms&& other) noexcept
    : request_(other.request_),
      mechanism_(other.mechanism_),
      has_sessions_(other.has_sessions_),
      arms_processes_(other.arms_processes_),
      loader_(std::move(other.loader_)),
      object_(std::exchange(other.object_, nullptr)),
      loading_(std::exchange(other.loading_, {})),
      replaces_returns_(std::move(other.replaces_returns_)),
      program_(std::move(other.program_)),
      session_program_(std::move(other.session_program_)),
      asking_program_(std::move(other.asking_program_)),
      links_(std::exchange(other.links_, {})),
      wanted_callers_(std::move(other.wanted_callers_)),
      plans_(std::exchange(other.plans_, nullptr)),
      ops_(std::exchange(other.ops_, nullptr)),
      plans_used_(other.plans_used_),
      ops_used_(other.ops_used_),
      stored_(std::move(other.stored_)),
      plans_of_desc_(std::move(other.plans_of_desc_)),
      switches_(std::move(other.switches_)) {}

FunctionPrograms::~FunctionPrograms() {
  switches_.reset();
  for (int link : links_) ::close(link);
  if (plans_) ::munmap(plans_, kPlanBytes);
  if (ops_) ::munmap(ops_, kOpBytes);
  end_loading();
  if (object_) bpf_object__close(object_);
}

// -- plans ------------------------------------------------------------------------------------------------

uint64_t FunctionPrograms::cookie(uint32_t index, const TracedFunction& function, wire_site site, uint8_t condition) {
  bool copies = site == WIRE_SITE_ENTRY || site == WIRE_SITE_RETURN || site == WIRE_SITE_RETURNED;
  uint64_t cookie = wire_cookie_of(index, site, condition, copies ? place_of_plan(*function.desc) : 0);
  if (function.is_go) cookie |= WIRE_COOKIE_GO;
  return filters(function.callers) ? cookie | WIRE_COOKIE_CALLERS : cookie;
}

/// One set of callers is looked for in the kernel: that of the first function that has one.
bool FunctionPrograms::filters(std::span<const CodeFile> callers) {
  if (callers.empty() || callers.size() > WIRE_CALLERS) return false;
  if (wanted_callers_) return std::ranges::equal(*wanted_callers_, callers);
  auto note = [map = bpf_object__find_map_fd_by_name(object_, "callers"), known = uint8_t{1}](const CodeFile& caller) {
    return bpf_map_update_elem(map, &caller.inode, &known, BPF_ANY) == 0;
  };
  if (!std::ranges::all_of(callers, note)) return false;
  wanted_callers_.emplace(callers.begin(), callers.end());
  return true;
}

uint32_t FunctionPrograms::place_of_plan(const FunctionDesc& desc) {
  if (!request_.decode_arguments) return 0;
  auto [at, is_new] = plans_of_desc_.try_emplace(&desc, 0);
  if (is_new) at->second = store(plan_of(desc, request_), desc);
  return at->second;
}

/// Ops first: a plan that counts already finds its own. Where there is no room for more, memory is read late.
uint32_t FunctionPrograms::store(const CallPlan& plan, const FunctionDesc& desc) {
  size_t ops = plan.enter.size() + plan.exit.size();
  if (ops == 0 && plan.floatings == 0) return 0;
  std::string key = std::string{static_cast<char>(plan.flags), static_cast<char>(plan.floatings)} +
                    bytes_of(plan.enter) + '/' + bytes_of(plan.exit);
  // Entries are saved by their plans.
  if (plan.flags & WIRE_PLAN_SAVES) key += '/' + std::to_string(reinterpret_cast<uintptr_t>(&desc));
  auto [at, is_new] = stored_.try_emplace(std::move(key), 0);
  if (!is_new) return at->second;
  bool fits = plan.enter.size() <= UINT8_MAX && plan.exit.size() <= UINT8_MAX && ops_used_ + ops <= WIRE_OPS;
  if (!fits || plans_used_ == WIRE_FUNCTION_PLANS) return 0;
  std::ranges::copy(plan.exit, std::ranges::copy(plan.enter, ops_ + ops_used_).out);
  wire_plan& wire = plans_[plans_used_];
  wire.first = ops_used_;
  wire.flags = plan.flags;
  wire.floatings = plan.floatings;
  wire.enter_ops = static_cast<uint8_t>(plan.enter.size());
  wire.exit_ops = static_cast<uint8_t>(plan.exit.size());
  ops_used_ += static_cast<uint32_t>(ops);
  return at->second = plans_used_++;
}

std::unique_ptr<Switches> FunctionPrograms::make_switches() const {
  std::array<int, WIRE_SWITCHES> rings;
  for (size_t i = 0; i < rings.size(); i++) {
    rings[i] = bpf_object__find_map_fd_by_name(object_, ("switches_" + std::to_string(i)).c_str());
    if (rings[i] < 0) return nullptr;
  }
  return std::make_unique<Switches>(rings);
}

Result<void> FunctionPrograms::set_errno_place(Pid pid, int64_t place) const {
  auto key = static_cast<uint32_t>(raw(pid));
  int error = bpf_map_update_elem(bpf_object__find_map_fd_by_name(object_, "errno_places"), &key, &place, BPF_ANY);
  if (error) return fail(refused("note where errno is", -error));
  return {};
}

}  // namespace strut

#include "kassist/function_arming.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <unordered_set>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.hpp"
#include "core/proc/maps.hpp"
#include "kassist/linker_breakpoint.hpp"
#include "kassist/uretprobes.hpp"

namespace strut {

namespace {

wire_site site_of(FunctionSite::Kind kind) {
  switch (kind) {
    case FunctionSite::Kind::Entry: return WIRE_SITE_ENTRY;
    case FunctionSite::Kind::Return: return WIRE_SITE_RETURN;
    case FunctionSite::Kind::Jump: return WIRE_SITE_JUMP;
    case FunctionSite::Kind::Outward: break;
  }
  return WIRE_SITE_OUTWARD;
}

bool follows_one_process(const TraceRequest& request) {
  return !request.follow && (request.launch ? request.attach.empty() : request.attach.size() == 1);
}

constexpr uint8_t kNoCondition = 0xff;

bool is_of_somebody_gone(int error) { return error == ENOENT || error == ESRCH || error == ENOTDIR; }

/// As this process has the file mapped; empty: it has not.
std::string path_in(Pid pid, const FunctionCode& code) {
  auto maps = maps_of(pid);
  if (!maps) return {};
  for (const Mapping& mapping : *maps) {
    struct stat file;
    if (!mapping.executable || mapping.inode != code.inode) continue;
    std::string path = map_file_path(pid, mapping);
    if (::stat(path.c_str(), &file) == 0 && file.st_dev == code.device && file.st_ino == code.inode) return path;
  }
  return {};
}
constexpr size_t kLinkerNewsBytes = 4096;  // linker_news of kernel/linker.bpf.h

}  // namespace

FunctionArming::FunctionArming(const TraceRequest& request, FunctionPrograms& programs, wire_pressure& pressure,
                               std::function<void()> let_go_on)
    : request_(request),
      functions_(*request.functions),
      programs_(programs),
      filters_by_process_(follows_one_process(request) && process_filters_work(programs.mechanism())),
      pressure_(pressure),
      let_go_on_(std::move(let_go_on)),
      replaces_returns_(uretprobes_are_harmless()) {}

Result<std::unique_ptr<FunctionArming>> FunctionArming::start(const TraceRequest& request, FunctionPrograms& programs,
                                                              wire_pressure& pressure, std::function<void()> let_go_on) {
  std::unique_ptr<FunctionArming> arming(new FunctionArming(request, programs, pressure, std::move(let_go_on)));
  arming->watch_ = TRY(ProcessWatch::start());
  arming->linker_news_.emplace(TRY(RingReader::map(programs.linker_news(), kLinkerNewsBytes)));
  arming->bell_ = OwnedFd(::eventfd(0, EFD_CLOEXEC));
  if (!arming->bell_) return fail({errno, "eventfd", {}, {}, {}});
  arming->thread_ = std::thread(&FunctionArming::work, arming.get());
  return arming;
}

FunctionArming::~FunctionArming() { stop(); }

void FunctionArming::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(bell_.number(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
  for (const Unarmed& one : std::exchange(unarmed_, {})) give_up(one.code, one.when, "who had it mapped was gone too soon");
  std::atomic_ref(pressure_.linker_answered).store(UINT64_MAX);
  let_go_on_();
  uprobes_.disarm();
}

// -- whose code -------------------------------------------------------------------------------------------

void FunctionArming::work() {
  pollfd wanted[] = {{bell_.number(), POLLIN, 0}, {watch_->news(), POLLIN, 0}, {programs_.linker_news(), POLLIN, 0}};
  while (::poll(wanted, std::size(wanted), -1) >= 0 || errno == EINTR) {
    if (wanted[0].revents != 0) return;
    if (wanted[2].revents != 0) answer_linkers();
    else if (wanted[1].revents != 0) take_changes();
  }
}

/// What a linker had mapped when it asked is among the changes that are there by now.
void FunctionArming::answer_linkers() {
  while (size_t bytes = linker_news_->peek(kLinkerNewsBytes).size()) linker_news_->release(bytes);
  uint64_t asked = std::atomic_ref(pressure_.linker_asked).load();
  take_changes();
  std::atomic_ref(pressure_.linker_answered).store(asked);
  let_go_on_();
}

void FunctionArming::take_changes() {
  std::set<Pid> changed;
  {
    std::lock_guard lock(mutex_);
    for (const ProcessChange& change : watch_->read()) take(change, changed);
  }
  for (Pid pid : changed) look_at(pid);
}

void FunctionArming::take(const ProcessChange& change, std::set<Pid>& changed) {
  using Kind = ProcessChange::Kind;
  if (change.kind == Kind::Lost) changed.insert(followed_.begin(), followed_.end());
  if (change.kind == Kind::Forked && request_.follow && followed_.contains(change.parent)) {
    followed_.insert(change.pid);
    changed.insert(change.pid);
  }
  if (!followed_.contains(change.pid)) return;
  if (change.kind == Kind::Exited && raw(change.tid) == raw(change.pid)) {
    followed_.erase(change.pid);
    looked_ns_.erase(raw(change.pid));
    changed.erase(change.pid);
  }
  bool is_code = change.kind == Kind::Executed || (change.kind == Kind::Mapped && change.mapping.inode != 0);
  auto looked = looked_ns_.find(raw(change.pid));
  bool is_news = looked == looked_ns_.end() || looked->second < change.at_ns;
  if (is_code && is_news) changed.insert(change.pid);
}

void FunctionArming::follow(Pid pid) {
  std::lock_guard lock(mutex_);
  followed_.insert(pid);
}

void FunctionArming::look_at(Pid pid) {
  std::lock_guard lock(mutex_);
  if (stopped_) return;
  looked_ns_[raw(pid)] = monotonic_ns();
  arm_linker(pid);
  if (!unarmed_.empty()) arm_unarmed(pid);
  for (const FunctionCode& code : functions_.code_changed(pid)) arm(pid, code);
  if (!request_.function_errors) return;
  if (auto place = functions_.errno_place(pid)) static_cast<void>(programs_.set_errno_place(pid, *place));
}

/// Its uprobe is run for everybody who is followed. Without it libraries are armed a moment late.
void FunctionArming::arm_linker(Pid pid) {
  auto mapping = linker_mapping(pid);
  if (!mapping) return;
  auto file = std::tuple(mapping->device_major, mapping->device_minor, mapping->inode);
  if (linkers_.contains(file)) return;
  auto linker = linker_breakpoint(pid, *mapping);
  if (!linker) return;
  UprobeRequest request{linker->path, {{linker->file_offset, wire_cookie_of_linker(linker->to_debug)}}, UprobeRequest::When::Executed, {}};
  if (filters_by_process_) request.pid = pid;
  auto armed = uprobes_.arm(programs_.program(request.when), programs_.mechanism(), request);
  if (armed || !is_of_somebody_gone(armed.error().code)) linkers_.insert(file);
}

void FunctionArming::arm_unarmed(Pid pid) {
  std::vector<Unarmed> all = std::exchange(unarmed_, {});
  for (Unarmed& one : all) {
    std::string path = path_in(pid, one.code);
    if (path.empty()) {
      unarmed_.push_back(std::move(one));
      continue;
    }
    one.code.path = std::move(path);
    arm(pid, one.code, one.when);
  }
}

void FunctionArming::give_up(const FunctionCode& code, UprobeRequest::When when, std::string_view why) {
  for (const FunctionSite& site : code.sites)
    if (site.uprobe_offset && cookie_of(site, when)) functions_.refused(code, site, why);
}

// -- arming -----------------------------------------------------------------------------------------------

bool FunctionArming::is_armed_by_return(const FunctionSite& site) const {
  if (site.kind == FunctionSite::Kind::Outward) return false;
  const TracedFunction& function = functions_.function(site.function);
  return replaces_returns_ && function.may_replace_return;
}

bool FunctionArming::is_return_seen(const FunctionSite& site) const {
  return site.kind == FunctionSite::Kind::Entry && is_armed_by_return(site) && functions_.function(site.function).wants_returns;
}

std::optional<uint64_t> FunctionArming::cookie_of(const FunctionSite& site, UprobeRequest::When when) {
  uint8_t condition = site.condition == kNoCondition ? 0 : static_cast<uint8_t>(site.condition + 1);
  if (site.kind == FunctionSite::Kind::Outward) {
    if (when == UprobeRequest::When::Returned) return std::nullopt;
    return wire_cookie_of(site.function, WIRE_SITE_OUTWARD, condition, 0);
  }
  const TracedFunction& function = functions_.function(site.function);
  if (when == UprobeRequest::When::Returned) {
    if (!is_return_seen(site)) return std::nullopt;
    return programs_.cookie(site.function, function, WIRE_SITE_RETURNED, 0);
  }
  if (site.kind != FunctionSite::Kind::Entry && is_armed_by_return(site)) return std::nullopt;
  bool in_session = when == UprobeRequest::When::Called && is_return_seen(site);
  return programs_.cookie(site.function, function, site_of(site.kind), condition) | (in_session ? WIRE_COOKIE_RETURNS : 0);
}

void FunctionArming::arm(Pid pid, const FunctionCode& code) {
  for (const FunctionSite& site : code.sites)
    if (!site.uprobe_offset && cookie_of(site, UprobeRequest::When::Executed))
      functions_.refused(code, site, "no uprobe is safe on this instruction");
  if (!programs_.has_sessions()) {
    arm(pid, code, UprobeRequest::When::Executed);
    return arm(pid, code, UprobeRequest::When::Returned);
  }
  auto [called, executed] = parted(code);
  arm(pid, called, UprobeRequest::When::Called);
  arm(pid, executed, UprobeRequest::When::Executed);
}

/// Sites whose returns are seen by their return addresses, and others. Where somebody else has a uprobe in another process, too, a
/// link with sessions that is for one process replaces return addresses there (6.18: nobody asks the program): it has no
/// functions that something may be thrown through. Sites of one instruction stay together, in their order.
std::pair<FunctionCode, FunctionCode> FunctionArming::parted(const FunctionCode& code) const {
  std::unordered_set<uint64_t> returning;
  for (const FunctionSite& site : code.sites)
    if (site.uprobe_offset && is_return_seen(site)) returning.insert(*site.uprobe_offset);
  FunctionCode called{code.path, code.device, code.inode, {}, {}}, executed = called;
  for (const FunctionSite& site : code.sites)
    (site.uprobe_offset && returning.contains(*site.uprobe_offset) ? called : executed).sites.push_back(site);
  return {std::move(called), std::move(executed)};
}

/// Of consumers of one instruction the latest is run first (6.18), so what is to be told first comes last.
void FunctionArming::arm(Pid pid, const FunctionCode& code, UprobeRequest::When when) {
  UprobeRequest request{code.path, {}, when, {}};
  if (filters_by_process_) request.pid = pid;
  std::unordered_multimap<uint64_t, const FunctionSite*> sites;
  for (size_t i = code.sites.size(); i-- > 0;) {
    const FunctionSite& site = code.sites[i];
    std::optional<uint64_t> cookie = site.uprobe_offset ? cookie_of(site, when) : std::nullopt;
    if (!cookie) continue;
    request.points.push_back({*site.uprobe_offset, *cookie});
    sites.emplace(*site.uprobe_offset, &site);
  }
  if (request.points.empty()) return;
  std::ranges::stable_sort(request.points, std::greater<>{}, &UprobePoint::file_offset);
  auto refused = uprobes_.arm(programs_.program(when), programs_.mechanism(), request);
  if (!refused && is_of_somebody_gone(refused.error().code)) {
    unarmed_.push_back({code, when});
    return;
  }
  if (!refused) return give_up(code, when, describe(refused.error()));
  for (const RefusedUprobe& one : *refused) {
    auto [first, last] = sites.equal_range(one.file_offset);
    for (; first != last; ++first) functions_.refused(code, *first->second, why_refused(one.error));
  }
}

}  // namespace strut

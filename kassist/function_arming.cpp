#include "kassist/function_arming.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <ranges>
#include <unordered_set>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.hpp"
#include "core/proc/maps.hpp"
#include "core/proc/process_status.hpp"
#include "kassist/linker_breakpoint.hpp"
#include "kassist/uretprobes.hpp"
#include "symtab/process_modules.hpp"

namespace strut {

namespace {

wire_site site_of(FunctionSite::Kind kind) {
  switch (kind) {
    case FunctionSite::Kind::Entry: return WIRE_SITE_ENTRY;
    case FunctionSite::Kind::Return: return WIRE_SITE_RETURN;
    case FunctionSite::Kind::Jump: return WIRE_SITE_JUMP;
    case FunctionSite::Kind::Behind: return WIRE_SITE_RETURNED;
    case FunctionSite::Kind::Outward: break;
  }
  return WIRE_SITE_OUTWARD;
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
    std::string path = opened_path(pid, mapping);
    if (::stat(path.c_str(), &file) == 0 && file.st_dev == code.device && file.st_ino == code.inode) return path;
  }
  return {};
}

bool lives(Tid tid) {
  auto status = process_status(tid);
  return status && status->state != 'Z' && status->state != 'X';
}

bool has_living(Pid pid) {
  auto threads = threads_of(pid);
  return threads && std::ranges::any_of(*threads, lives);
}

constexpr uint64_t kEnding_ns = 1'000'000'000;  ///< no thread takes longer to end
constexpr int kLookAgain_ms = 100;              ///< whether it has

constexpr size_t kLinkerNewsBytes = 4096;  // linker_news of kernel/linker.bpf.h

}  // namespace

FunctionArming::FunctionArming(const TraceRequest& request, FunctionPrograms& programs, wire_pressure& pressure,
                               std::function<void()> let_go_on)
    : request_(request),
      functions_(*request.functions),
      programs_(programs),
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
  for (const Part& part : parts_)
    if (!part.is_armed) give_up(part, "who had it mapped was gone too soon");
  std::atomic_ref(pressure_.linker_answered).store(UINT64_MAX);
  let_go_on_();
  Uprobes all;
  for (auto& [pid, armed] : armed_) all.join(std::move(armed.uprobes));
  armed_.clear();
  parts_.clear();
}

// -- whose code -------------------------------------------------------------------------------------------

void FunctionArming::work() {
  pollfd wanted[] = {{bell_.number(), POLLIN, 0}, {watch_->news(), POLLIN, 0}, {programs_.linker_news(), POLLIN, 0}};
  bool somebody_leaves = false;
  for (int ready; (ready = ::poll(wanted, std::size(wanted), somebody_leaves ? kLookAgain_ms : -1)) >= 0 || errno == EINTR;) {
    if (ready > 0 && wanted[0].revents != 0) return;
    if (ready > 0 && wanted[2].revents != 0) answer_linkers();
    else take_changes();
    std::lock_guard lock(mutex_);
    somebody_leaves = !leaving_.empty();
  }
}

/// What a linker had mapped when it asked is among the changes that are there by now.
void FunctionArming::answer_linkers() {
  for (auto news = linker_news_->peek(kLinkerNewsBytes); !news.empty(); news = linker_news_->peek(kLinkerNewsBytes)) {
    arm_anew(news);
    linker_news_->release(news.size());
  }
  uint64_t asked = std::atomic_ref(pressure_.linker_asked).load();
  take_changes();
  std::atomic_ref(pressure_.linker_answered).store(asked);
  let_go_on_();
}

/// Each record is a word behind a header.
void FunctionArming::arm_anew(std::span<const std::byte> news) {
  constexpr size_t kHeader = 8;
  uint64_t word;
  for (; news.size() >= kHeader + sizeof word; news = news.subspan(kHeader + sizeof word)) {
    std::memcpy(&word, news.data() + kHeader, sizeof word);
    Pid pid{static_cast<int32_t>(word >> WIRE_NEWS_ANEW)};
    if (raw(pid) == 0) continue;
    {
      std::lock_guard lock(mutex_);
      auto gone = armed_.find(pid);
      if (gone == armed_.end() || stopped_) continue;
      dead_.take(std::move(gone->second.uprobes));
      armed_.erase(gone);
    }
    look_at(pid);
  }
}

void FunctionArming::take_changes() {
  std::set<Pid> changed;
  {
    std::lock_guard lock(mutex_);
    for (const ProcessChange& change : watch_->read()) take(change, changed);
    bury(changed);
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
  if (change.kind == Kind::Exited) {
    leaving_[change.pid] = monotonic_ns();
    return;
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
  if (stopped_ || !followed_.contains(pid)) return;
  looked_ns_[raw(pid)] = monotonic_ns();
  auto maps = maps_of(pid);
  if (maps) arm_own_places(pid, *maps);
  size_t before = parts_.size();
  for (FunctionCode& code : functions_.code_changed(pid)) add(std::move(code));
  if (maps) arm_parts(pid, *maps);
  if (parts_.size() != before && programs_.arms_processes()) arm_others(pid);
  if (!request_.function_errors) return;
  if (auto place = functions_.errno_place(pid)) static_cast<void>(programs_.set_errno_place(pid, *place));
}

/// What is new in one process may be mapped by others.
void FunctionArming::arm_others(Pid pid) {
  for (Pid other : followed_) {
    if (other == pid) continue;
    if (auto maps = maps_of(other)) arm_parts(other, *maps);
  }
}

/// Who ends is told of before it has, and the first thread of a process ends, too, where another takes its place.
void FunctionArming::bury(std::set<Pid>& changed) {
  for (auto& [pid, since_ns] : std::map(leaving_)) {
    if (has_living(pid)) {
      if (monotonic_ns() - since_ns > kEnding_ns) leaving_.erase(pid);
      continue;
    }
    forget(pid);
    changed.erase(pid);
  }
}

void FunctionArming::forget(Pid pid) {
  followed_.erase(pid);
  leaving_.erase(pid);
  looked_ns_.erase(raw(pid));
  if (!programs_.arms_processes()) return;
  auto gone = armed_.find(pid);
  if (gone == armed_.end()) return;
  dead_.take(std::move(gone->second.uprobes));
  armed_.erase(gone);
}

FunctionArming::Armed& FunctionArming::armed_in(Pid pid) { return armed_[programs_.arms_processes() ? pid : Pid{0}]; }

/// Whom a link is for.
std::optional<Pid> FunctionArming::only(Pid pid) const { return programs_.arms_processes() ? std::optional(pid) : std::nullopt; }

/// Where threads are held until what they have mapped, or made, is armed.
const std::vector<UprobePoint>& FunctionArming::own_places(Pid pid, const Mapping& mapping) {
  auto [at, is_new] = own_places_.try_emplace({mapping.device_major, mapping.device_minor, mapping.inode});
  std::vector<UprobePoint>& points = at->second;
  if (!is_new) return points;
  auto linker = is_linker(mapping.path) ? linker_breakpoint(pid, mapping) : std::nullopt;
  if (linker) points.push_back({linker->file_offset, wire_cookie_of_linker(linker->to_debug)});
  if (!request_.follow || !programs_.arms_processes()) return points;
  for (uint64_t offset : makers_of_processes(pid, mapping)) points.push_back({offset, wire_cookie_of(0, WIRE_SITE_MAKER, 0, 0)});
  return points;
}

/// False: the process has gone, or has not come so far that its files can be opened.
bool FunctionArming::arm_points(Armed& armed, Pid pid, const Mapping& mapping, const std::vector<UprobePoint>& points) {
  if (points.empty()) return true;
  UprobeRequest request{opened_path(pid, mapping), points, UprobeRequest::When::Executed, only(pid)};
  auto done = armed.uprobes.arm(programs_.program(request.when), programs_.mechanism(), request);
  return done || !is_of_somebody_gone(done.error().code);
}

/// Without those uprobes libraries and children are armed a moment late.
void FunctionArming::arm_own_places(Pid pid, const std::vector<Mapping>& maps) {
  Armed& armed = armed_in(pid);
  for (const Mapping& mapping : maps) {
    FileId file(mapping.device_major, mapping.device_minor, mapping.inode);
    if (!mapping.executable || mapping.inode == 0 || armed.own_places.contains(file)) continue;
    const std::vector<UprobePoint>& points = own_places(pid, mapping);
    if (arm_points(armed, pid, mapping, points)) armed.own_places.insert(file);
  }
}

void FunctionArming::give_up(const Part& part, std::string_view why) {
  for (const FunctionSite& site : part.code.sites)
    if (site.uprobe_offset && cookie_of(site, part.when)) functions_.refused(part.code, site, why);
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

void FunctionArming::add(FunctionCode code) {
  for (const FunctionSite& site : code.sites)
    if (!site.uprobe_offset && cookie_of(site, UprobeRequest::When::Executed))
      functions_.refused(code, site, "no uprobe is safe on this instruction");
  if (programs_.has_sessions()) {
    auto [called, executed] = parted(code);
    add_part(std::move(called), UprobeRequest::When::Called);
    add_part(std::move(executed), UprobeRequest::When::Executed);
  } else {
    add_part(code, UprobeRequest::When::Executed);
    add_part(std::move(code), UprobeRequest::When::Returned);
  }
}

void FunctionArming::add_part(FunctionCode code, UprobeRequest::When when) {
  std::erase_if(code.sites, [&](const FunctionSite& site) { return !site.uprobe_offset || !cookie_of(site, when); });
  if (!code.sites.empty()) parts_.push_back({std::move(code), when});
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

/// What is to be armed, and is not yet, of the files that the process has mapped.
void FunctionArming::arm_parts(Pid pid, const std::vector<Mapping>& maps) {
  Armed& armed = armed_in(pid);
  std::set<uint64_t> mapped;
  for (const Mapping& mapping : maps)
    if (mapping.executable) mapped.insert(mapping.inode);
  for (size_t i = 0; i < parts_.size(); i++)
    if (!armed.parts.contains(i) && mapped.contains(parts_[i].code.inode)) arm(pid, i);
}

/// Of consumers of one instruction the latest is run first (6.18), so what is to be told first comes last.
void FunctionArming::arm(Pid pid, size_t index) {
  Part& part = parts_[index];
  UprobeRequest request{part.code.path, {}, part.when, only(pid)};
  for (const FunctionSite& site : std::views::reverse(part.code.sites))
    request.points.push_back({*site.uprobe_offset, *cookie_of(site, part.when)});
  std::ranges::stable_sort(request.points, std::greater<>{}, &UprobePoint::file_offset);
  Armed& armed = armed_in(pid);
  if (request.pid && !lives(leader_of(pid)) && has_living(pid)) {
    armed.parts.insert(index);
    part.is_armed = true;
    return give_up(part, "the first thread of its process has ended, by which the kernel knows it");
  }
  auto done = armed.uprobes.arm(programs_.program(part.when), programs_.mechanism(), request);
  // The way that the file was found by may have ended with a process.
  if (!done && is_of_somebody_gone(done.error().code)) {
    request.path = path_in(pid, part.code);
    if (!request.path.empty()) done = armed.uprobes.arm(programs_.program(part.when), programs_.mechanism(), request);
  }
  if (!done && is_of_somebody_gone(done.error().code)) return;
  armed.parts.insert(index);
  part.is_armed = true;
  if (!done) return give_up(part, describe(done.error()));
  report(part, *done);
}

void FunctionArming::report(const Part& part, const std::vector<RefusedUprobe>& refused) {
  for (const RefusedUprobe& one : refused)
    for (const FunctionSite& site : part.code.sites)
      if (*site.uprobe_offset == one.file_offset) functions_.refused(part.code, site, why_refused(one.error));
}

}  // namespace strut

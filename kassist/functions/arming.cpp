#include "kassist/functions/arming.hpp"

#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/loader/without_signals.hpp"
#include "kassist/uprobes/expected_linker.hpp"
#include "procfs/maps.hpp"

namespace strut {

namespace {

/// Whether a followed process has ended, or has mapped code without its linker's asking.
constexpr int kLookAgain_ms = 100;

}  // namespace

FunctionArming::FunctionArming(const TraceRequest& request, FunctionPrograms& programs, ArmingQuestions questions,
                               Holding holding, UprobeCostText cost_text)
    : request_(request),
      functions_(*request.functions),
      programs_(programs),
      let_go_on_(std::move(holding.let_go_on)),
      questions_(std::move(questions)),
      processes_(request, programs, holding.is_held),
      cost_(std::move(cost_text)) {}

Result<std::unique_ptr<FunctionArming>> FunctionArming::make(const TraceRequest& request, FunctionPrograms& programs,
                                                             wire_control& control, Holding holding,
                                                             UprobeCostText cost_text) {
  ArmingQuestions questions = TRY(ArmingQuestions::open(programs.questions(), control.arming));
  std::unique_ptr<FunctionArming> arming(
      new FunctionArming(request, programs, std::move(questions), std::move(holding), std::move(cost_text)));
  arming->watch_ = TRY(ProcessWatch::start(ProcessWatch::Wakes::WhenMany));
  arming->bell_ = OwnedFd(::eventfd(0, EFD_CLOEXEC));
  if (!arming->bell_) return fail({errno, "eventfd", {}, {}, {}});
  return arming;
}

void FunctionArming::start() {
  thread_ = without_signals([this] { work(); });
}

FunctionArming::~FunctionArming() { stop(); }

void FunctionArming::give_up() {
  stopped_ = true;
  processes_.give_up();
}

void FunctionArming::stop() {
  give_up();
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(bell_.number(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
  questions_.answer_all();
  let_go_on_();
  processes_.disarm();
}

// -- the thread -------------------------------------------------------------------------------------------

void FunctionArming::work() {
  pollfd wanted[] = {{bell_.number(), POLLIN, 0}, {watch_->news(), POLLIN, 0}, {questions_.news(), POLLIN, 0}};
  for (int ready; (ready = ::poll(wanted, std::size(wanted), kLookAgain_ms)) >= 0 || errno == EINTR;) {
    answer();  // also at the end: threads that went on without a reply are reported
    if (ready > 0 && wanted[0].revents != 0) return;
  }
}

/// The mappings of a requesting process are among the changes that have come by now.
void FunctionArming::answer() {
  std::vector<wire_question> asked = questions_.take();
  std::set<Pid> changed, changed_meanwhile;
  {
    std::lock_guard lock(mutex_);
    take_changes(changed);
    for (const wire_question& question : asked) prepare(question, changed);
  }
  std::map<Pid, ArmedProcesses::Look> looks;
  for (Pid pid : changed) looks[pid] = look(pid);
  {
    std::lock_guard lock(mutex_);
    take_changes(changed_meanwhile);  // the inspected program may not be the requesting one
    for (const wire_question& question : asked) {
      auto seen = looks.find(Pid{static_cast<int32_t>(question.process)});
      if (question.kind & WIRE_WENT_ON) lateness_.went_on(question);
      else lateness_.answered(question, answer_of(question, seen == looks.end() ? nullptr : &seen->second));
    }
  }
  for (Pid pid : changed_meanwhile) look(pid);
  if (asked.empty()) return;
  questions_.answer(asked);
  let_go_on_();
}

/// Sites that are armed late if no thread waited for them. A new program runs its dynamic linker first, which requests
/// arming before other code runs, if it was armed from the beginning. `look`: nullptr: nothing new was known of the
/// process, and it was not inspected again.
Answer FunctionArming::answer_of(const wire_question& question, const ArmedProcesses::Look* look) const {
  // Also by a look for another reason that was under way when it was asked.
  Answer answer{Answer::Life::There, lateness_.armed_since(question.process, question.at_ns)};
  bool is_there = followed_.contains(Pid{static_cast<int32_t>(question.process)}) && (!look || look->is_there);
  if (!is_there || lateness_.has_executed_since(question.process, question.at_ns)) answer.life = Answer::Life::Gone;
  bool its_linker_asks = question.kind == WIRE_ASKS_PROGRAM && look && look->has_linker && !look->asks_from_now_on;
  if (its_linker_asks) answer.armed.clear();
  return answer;
}

void FunctionArming::prepare(const wire_question& question, std::set<Pid>& changed) {
  Pid pid{static_cast<int32_t>(question.process)};
  switch (question.kind) {
    case WIRE_ASKS_BIRTH: followed_.insert(pid); break;
    case WIRE_ASKS_PROGRAM: break;
    case WIRE_ASKS_PROGRAM_ANEW: processes_.forget(pid); break;
    default: return;  // code that was mapped is among the changes
  }
  changed.insert(pid);
}

void FunctionArming::take_changes(std::set<Pid>& changed) {
  for (const ProcessChange& change : watch_->read()) take(change, changed);
  for (Pid pid : leaving_.gone()) {
    processes_.forget(pid);
    followed_.erase(pid);
    lateness_.forget(static_cast<uint32_t>(raw(pid)));
    looked_ns_.erase(raw(pid));
    unseen_.forget(pid);
    changed.erase(pid);
  }
}

void FunctionArming::take(const ProcessChange& change, std::set<Pid>& changed) {
  using Kind = ProcessChange::Kind;
  if (change.kind == Kind::Lost) changed.insert(followed_.begin(), followed_.end());
  if (!followed_.contains(change.pid)) return;
  if (change.kind == Kind::Exited) return leaving_.begins(change.pid);
  if (change.kind == Kind::Executed) lateness_.executed(static_cast<uint32_t>(raw(change.pid)), change.at_ns);
  bool is_code = change.kind == Kind::Executed || (change.kind == Kind::Mapped && change.mapping.inode != 0);
  auto looked = looked_ns_.find(raw(change.pid));
  bool is_news = looked == looked_ns_.end() || looked->second < change.at_ns;
  if (!is_code || !is_news) return;
  changed.insert(change.pid);
  if (change.kind == Kind::Executed) unseen_.forget(change.pid);
  else unseen_.mapped(change.pid, change.mapping.inode, change.mapping.path);
}

// -- processes --------------------------------------------------------------------------------------------

void FunctionArming::follow(Pid pid) {
  std::lock_guard lock(mutex_);
  followed_.insert(pid);
}

void FunctionArming::expect(Pid pid, const std::string& program) {
  std::lock_guard lock(mutex_);
  if (auto linker = stopped_ ? std::nullopt : expected_linker(program)) processes_.expect_linker(pid, *linker);
}

void FunctionArming::look_ahead(Pid pid) {
  std::lock_guard lock(mutex_);
  for (FunctionCode& code : functions_.code_changed(pid)) processes_.add(std::move(code));
}

void FunctionArming::look_at(Pid pid) { look(pid); }

ArmedProcesses::Look FunctionArming::look(Pid pid) {
  std::lock_guard lock(mutex_);
  if (stopped_ || !followed_.contains(pid)) return {};
  looked_ns_[raw(pid)] = monotonic_ns();
  bool is_more = false;
  for (FunctionCode& code : functions_.code_changed(pid)) is_more |= processes_.add(std::move(code));
  ArmedProcesses::Look seen = processes_.arm(pid);
  // A library that was closed again before this look can only be named.
  if (seen.is_there)
    for (std::string& name : unseen_.looked(pid, seen.mapped)) seen.armed.push_back(std::move(name));
  lateness_.armed(static_cast<uint32_t>(raw(pid)), seen.armed, monotonic_ns());
  // Other processes may map the new code of one.
  for (Pid other : is_more&& processes_.one_by_one() ? followed_ : std::set<Pid>{})
    if (other != pid) processes_.arm(other);
  if (is_more || !seen.armed.empty()) {
    cost_.armed();
    look_at_cost();
  }
  if (!request_.function_errors) return seen;
  if (auto place = functions_.errno_place(pid)) static_cast<void>(programs_.set_errno_place(pid, *place));
  return seen;
}

void FunctionArming::look_at_cost() {
  uint64_t now_ns = monotonic_ns();
  if (!cost_.is_due(now_ns)) return;
  cost_.look(processes_.demands(), std::vector<Pid>(followed_.begin(), followed_.end()), now_ns);
}

std::vector<std::string> FunctionArming::complaints() {
  std::lock_guard lock(mutex_);
  look_at_cost();  // of what came within a second after the last look
  std::vector<std::string> lines = lateness_.take();
  if (std::optional<std::string> line = cost_.take()) lines.push_back(*std::move(line));
  return lines;
}

}  // namespace strut

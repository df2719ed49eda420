#include "cli/dtrace/output.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "cli/dtrace/call_argument.hpp"
#include "dlang/output/format_text.hpp"
#include "formatters/json/beginning.hpp"
#include "process/interruption.hpp"

namespace strut {
namespace {

DtraceRows::Layout layout_of(const DSettings& settings) {
  return settings.flowindent ? DtraceRows::Layout::Flow  // with -q too
         : settings.quiet    ? DtraceRows::Layout::Quiet
                             : DtraceRows::Layout::Columns;
}

/// A function's name comes from a file that the target chose.
bool is_harmless(std::string_view name) {
  for (char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) return false;
  return true;
}

/// Until a descriptor that does not block takes more. False: a signal came instead.
bool await_room(int fd) {
  pollfd ready{fd, POLLOUT, 0};
  return ::poll(&ready, 1, -1) >= 0 || !Interruption::is_urgent();
}

/// Progress is no output and no message: nothing is lost if it cannot be written.
void show(const std::string& text) {
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// A command has the mask of the thread that runs it, and the tracer blocks SIGCHLD (BreakpointLedger).
class SigchldUnblocked {
 public:
  SigchldUnblocked() {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGCHLD);
    ::pthread_sigmask(SIG_UNBLOCK, &only, &before_);
  }
  ~SigchldUnblocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SigchldUnblocked(const SigchldUnblocked&) = delete;
  SigchldUnblocked& operator=(const SigchldUnblocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

DtraceOutput::DtraceOutput(OwnedFd file, std::string name, const DSettings& settings, Messages& messages)
    : file_(std::move(file)),
      name_(std::move(name)),
      settings_(settings),
      messages_(messages),
      rows_(secure_getenv("_DTRACE_TESTING") != nullptr) {}

Result<std::unique_ptr<DtraceOutput>> DtraceOutput::open(const std::string& path, const DSettings& settings,
                                                         Messages& messages) {
  OwnedFd file;
  if (!path.empty()) {
    file = OwnedFd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!file) return fail({errno, "failed to open", path, {}, {}});
  }
  return std::unique_ptr<DtraceOutput>(
      new DtraceOutput(std::move(file), path.empty() ? "standard output" : path, settings, messages));
}

int DtraceOutput::fd() const { return reopened_ ? reopened_.number() : file_ ? file_.number() : STDOUT_FILENO; }

bool DtraceOutput::is_terminal() const { return ::isatty(fd()) == 1; }

Result<void> DtraceOutput::write_json(const DProgram& program, const RunFacts& facts, std::string_view backend) {
  json_.emplace(program);
  TextBuffer line;
  put_json_beginning(line, facts, backend);
  return write(line.view());
}

void DtraceOutput::begin_row(std::string& out, const DRowHead& head, const DSettings& settings) {
  if (json_) return json_->begin(out, head);
  DtraceRow row{head.cpu, head.id, head.tid, head.provider, head.function, head.name};
  std::string plain;
  if (!is_harmless(row.function)) {
    plain = without_controls(row.function);
    row.function = plain;
  }
  rows_.begin(out, row, layout_of(settings));
}

void DtraceOutput::end_row(std::string& out, const DSettings& settings) {
  if (json_) json_->end(out, settings);
  else rows_.end(out, layout_of(settings));
}

void DtraceOutput::end_rows(std::string& out) {
  if (json_) json_->put_aggregations(out);
}

std::string DtraceOutput::call_argument(const DTrigger::Syscall& call, Tid caller, std::string_view recorded) {
  return call_argument_text(call, caller, recorded);
}

Result<void> DtraceOutput::write(std::string_view text) {
  if (json_) text = json_->take_partial(text);
  while (!text.empty()) {
    ssize_t written = ::write(fd(), text.data(), text.size());
    if (written < 0 && errno == EINTR && !Interruption::is_urgent()) continue;
    if (written < 0 && errno == EAGAIN && await_room(fd())) continue;
    if (written < 0) return fail({errno, "write", reopened_ ? reopened_name_ : name_, {}, {}});
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

void DtraceOutput::mention(std::string_view line) {
  if (!settings_.quiet) messages_.say(line);
}

void DtraceOutput::system(const std::string& command) {
  SigchldUnblocked unblocked;
  if (std::system(command.c_str()) == -1) messages_.say(Error{errno, "system", command, {}, {}});
}

Result<void> DtraceOutput::freopen(const std::string& path) {
  OwnedFd file;
  if (!path.empty()) {
    file = OwnedFd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file) return fail({errno, "freopen", path, {}, {}});
  }
  reopened_ = std::move(file);
  reopened_name_ = path;
  return {};
}

void DtraceOutput::ftruncate() {
  // A terminal or a pipe cannot be truncated.
  if (::ftruncate(fd(), 0) == 0) ::lseek(fd(), 0, SEEK_SET);
}

void DtraceOutput::arming(uint64_t done, uint64_t wanted) {
  if (::isatty(STDERR_FILENO) != 1) return;
  if (auto text = progress_.at(monotonic_ns(), done, wanted)) show(*text);
}

void DtraceOutput::armed() {
  if (auto text = progress_.over()) show(*text);
}

bool DtraceOutput::is_interrupted() { return Interruption::caught() != 0; }

}  // namespace strut

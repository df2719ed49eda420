#include "formatters/common/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "process/interruption.hpp"

namespace strut {

namespace {

/// Gathered bytes are written when there are this many, even without flush().
constexpr size_t kGathered = 64 * 1024;

/// A pipe's reader may never read again: an insistent second interruption does not wait for that.
bool goes_on_after(int error) { return error == EINTR && !Interruption::is_urgent(); }

Result<void> write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
      continue;
    }
    if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, -1) >= 0) continue;
    }
    if (!goes_on_after(errno)) return fail({.code = errno, .op = "write", .subject = name});
  }
  return {};
}

/// An open file with the bytes that are not yet in it.
class Log {
 public:
  Log(int fd, Ownership ownership, std::string name, bool gathers)
      : fd_(fd), ownership_(ownership), name_(std::move(name)), gathers_(gathers) {}
  Log(Log&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        ownership_(other.ownership_),
        name_(std::move(other.name_)),
        gathers_(other.gathers_),
        gathered_(std::move(other.gathered_)) {}
  Log& operator=(Log&&) = delete;
  ~Log() {
    if (fd_ < 0) return;
    (void)flush();
    if (ownership_ == Ownership::Owned) ::close(fd_);
  }

  Result<void> write(std::string_view bytes) {
    if (!gathers_) return write_all(fd_, bytes, name_);
    gathered_.append(bytes);
    return gathered_.size() < kGathered ? Result<void>{} : flush();
  }
  Result<void> flush() {
    if (gathered_.empty()) return {};
    Result<void> done = write_all(fd_, gathered_, name_);
    gathered_.clear();
    return done;
  }
  void gather() { gathers_ = true; }
  bool gathers() const { return gathers_; }

 private:
  int fd_;
  Ownership ownership_;
  std::string name_;
  bool gathers_;
  std::string gathered_;
};

bool is_regular(int fd) {
  struct stat found{};
  return ::fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

class FdOutput final : public Output {
 public:
  explicit FdOutput(Log log) : log_(std::move(log)) {}
  Result<void> write(Tid, std::string_view bytes) override { return log_.write(bytes); }
  Result<void> flush() override { return log_.flush(); }
  Result<void> close(Tid) override { return {}; }
  bool separate() const override { return false; }
  void gather() override { log_.gather(); }
  bool immediate() const override { return !log_.gathers(); }

 private:
  Log log_;
};

class SeparateOutput final : public Output {
 public:
  SeparateOutput(std::string prefix, OpenMode mode) : prefix_(std::move(prefix)), mode_(mode) {}

  Result<void> write(Tid thread, std::string_view bytes) override {
    auto found = logs_.find(raw(thread));
    if (found == logs_.end()) found = logs_.emplace(raw(thread), TRY(open(thread))).first;
    return found->second.write(bytes);
  }
  Result<void> flush() override {
    for (auto& [tid, log] : logs_) TRY_VOID(log.flush());
    return {};
  }
  Result<void> close(Tid thread) override {
    auto found = logs_.find(raw(thread));
    if (found == logs_.end()) return {};
    Result<void> done = found->second.flush();
    logs_.erase(found);
    closed_.insert(raw(thread));
    return done;
  }
  bool separate() const override { return true; }
  void gather() override {
    gathers_ = true;
    for (auto& [tid, log] : logs_) log.gather();
  }
  bool immediate() const override { return false; }

 private:
  /// A thread that comes back after it was closed goes on with its file.
  Result<Log> open(Tid thread) {
    std::string name = prefix_ + "." + std::to_string(raw(thread));
    bool append = mode_ == OpenMode::Append || closed_.contains(raw(thread));
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
    if (fd < 0) return fail({.code = errno, .op = "open", .subject = name});
    return Log(fd, Ownership::Owned, std::move(name), gathers_ || is_regular(fd));
  }

  std::string prefix_;
  OpenMode mode_;
  bool gathers_ = false;  ///< whatever a log is
  std::unordered_map<int32_t, Log> logs_;
  std::unordered_set<int32_t> closed_;
};

}  // namespace

std::unique_ptr<Output> make_fd_output(int fd, Ownership ownership, std::string name) {
  bool gathers = ownership == Ownership::Owned && is_regular(fd);
  return std::make_unique<FdOutput>(Log(fd, ownership, std::move(name), gathers));
}

std::unique_ptr<Output> make_separate_output(std::string prefix, OpenMode mode) {
  return std::make_unique<SeparateOutput>(std::move(prefix), mode);
}

}  // namespace strut

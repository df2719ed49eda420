#include "cli/strace/output.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/caller.hpp"

namespace strut {
namespace {

constexpr mode_t kLogMode = 0666;

std::unexpected<Error> cannot(const char* what, const std::string& name) {
  return fail_because(std::string("Can't ") + what + " '" + name + "': " + strerror(errno));
}

Result<int> open_file(const std::string& name, OpenMode mode) {
  int how = mode == OpenMode::Append ? O_APPEND : O_TRUNC;
  int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, kLogMode);
  if (fd < 0) return cannot("fopen", name);
  return fd;
}

/// Checks the folder of files without a known name yet, and that their names, NAME.PID, are not too long.
Result<void> check_files_of(const std::string& name) {
  constexpr size_t kNumberBytes = 3 * sizeof(int);  // strace keeps so much room for the number
  std::filesystem::path path(name);
  if (name.size() >= PATH_MAX - kNumberBytes) return fail_because(name + ": " + strerror(ENAMETOOLONG));
  errno = ENAMETOOLONG;
  if (path.filename().native().size() + 1 + std::to_string(getpid()).size() > NAME_MAX) return cannot("fopen", name);
  std::string folder = path.parent_path();
  if (faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return {};
  return cannot("fopen", name);
}

struct Reader {
  int fd;
  pid_t pid;
};

/// Starts a shell that runs `command` with the other end of a pipe as its standard input.
Result<Reader> start_reader(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot("popen", command);
  pid_t pid = fork();
  if (pid < 0) return cannot("popen", command);
  if (pid == 0) {
    dup2(ends[0], STDIN_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  ::close(ends[0]);
  return Reader{ends[1], pid};
}

}  // namespace

Result<StraceOutput> StraceOutput::open(const StraceOptions& options) {
  StraceOutput opened;
  opened.messages_ = make_fd_output(STDERR_FILENO, Ownership::Borrowed, "stderr");
  if (!options.output) {
    opened.log_ = opened.messages_;
    opened.fd_ = STDERR_FILENO;
    return opened;
  }
  const std::string& name = *options.output;
  OpenMode mode = options.append ? OpenMode::Append : OpenMode::Truncate;
  if (name.starts_with('|') || name.starts_with('!')) {
    Reader reader = TRY(start_reader(name.substr(1)));
    opened.fd_ = reader.fd;
    opened.reader_ = reader.pid;
  } else if (options.separate_output) {
    TRY_VOID(check_files_of(name));
    opened.log_ = make_separate_output(name, mode);
    return opened;
  } else {
    opened.fd_ = TRY(open_file(name, mode));
  }
  opened.log_ = make_fd_output(opened.fd_, Ownership::Owned, name);
  return opened;
}

bool StraceOutput::shows_colours() const {
  const char* terminal = trusted_variable("TERM");
  if (secure_getenv("NO_COLOR")) return false;
  return fd_ >= 0 && isatty(fd_) && terminal && strcmp(terminal, "dumb") != 0;
}

void StraceOutput::close() {
  log_.reset();
  messages_.reset();
  if (reader_ < 0) return;
  // The tracer waits for every child and may have taken its status already.
  while (waitpid(reader_, nullptr, 0) < 0 && errno == EINTR) {
  }
  reader_ = -1;
}

}  // namespace strut

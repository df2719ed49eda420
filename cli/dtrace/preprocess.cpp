#include "cli/dtrace/preprocess.hpp"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "cli/common/command_lookup.hpp"

namespace strut {
namespace {

struct Pipe {
  OwnedFd out, in;
};

Result<Pipe> open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail({errno, "pipe2", {}, {}, {}});
  return Pipe{OwnedFd(ends[0]), OwnedFd(ends[1])};
}

/// A file without a name that holds the text, read from its beginning.
Result<OwnedFd> file_of(std::string_view text) {
  OwnedFd file(::memfd_create("d", MFD_CLOEXEC));
  if (!file) return fail({errno, "memfd_create", {}, {}, {}});
  while (!text.empty()) {
    ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written <= 0) return fail({errno, "write", "a program for cpp", {}, {}});
    text.remove_prefix(static_cast<size_t>(written));
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

std::string read_all(int fd) {
  std::string text;
  char buffer[16384];
  for (;;) {
    ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

/// A #! line is D's, not cpp's.
std::string without_interpreter(const std::string& text) {
  return text.starts_with("#!") ? "//" + text.substr(2) : text;
}

}  // namespace

Result<std::string> preprocess(const std::string& text, const DSettings& settings) {
  auto cpp = settings.cpppath.empty() ? find_helper("cpp") : Result<std::string>(settings.cpppath);
  if (!cpp)
    return fail(
        {0, "-C", {}, "it needs cpp, which is not installed", "Install it (Debian: apt install cpp), or leave out -C"});
  OwnedFd given = TRY(file_of(without_interpreter(text)));
  Pipe from = TRY(open_pipe());
  std::vector<std::string> line{*cpp, "-D__sun", "-D__unix", "-D__SVR4"};
  line.insert(line.end(), settings.cpp_words.begin(), settings.cpp_words.end());
  line.push_back("-");
  std::vector<char*> argv;
  for (std::string& word : line) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, given.number(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, from.in.number(), STDOUT_FILENO);
  pid_t pid = 0;
  int error = ::posix_spawn(&pid, cpp->c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail({error, "run", *cpp, {}, {}});
  from.in = OwnedFd();
  std::string made = read_all(from.out.number());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return fail({0, "-C", {}, "cpp failed", {}});
  return made;
}

}  // namespace strut

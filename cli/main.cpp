// strut's entry.
#include <cstdio>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/personality.hpp"
#include "process/caller.hpp"

namespace {

/// Puts /dev/null where a standard descriptor is closed, so that no file of strut's own gets its number and is taken
/// for stderr. Commands that strut starts find it closed again.
void reserve_standard_descriptors() {
  for (int fd; (fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0;) {
    if (fd <= STDERR_FILENO) continue;
    close(fd);
    return;
  }
}

/// A file with capabilities (setcap) makes a process that only CAP_SYS_PTRACE may trace; its children, the command
/// among them, are such processes until they exec another program. capabilities(7) still excludes callers with fewer
/// capabilities.
void let_children_be_traced() { prctl(PR_SET_DUMPABLE, 1); }

}  // namespace

int main(int argc, char** argv) {
  if (auto become = strut::become_caller(); !become)
    return std::fprintf(stderr, "strut: %s\n", strut::describe(become.error()).c_str()), 1;
  let_children_be_traced();
  reserve_standard_descriptors();
  return strut::run_strut(std::vector<std::string>(argv, argv + argc));
}

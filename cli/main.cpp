// strut's entry.
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "cli/personality.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  reserve_standard_descriptors();
  return strut::run_strut(std::vector<std::string>(argv, argv + argc));
}

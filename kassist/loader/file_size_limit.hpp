// RLIMIT_FSIZE applies to files in memory (memfd_create(2)) as well, and is not meant for strut's own.
#pragma once

#include <sys/resource.h>

namespace strut {

/// Raises the limit for its life as far as the process may. To be made after commands were forked, which are to have
/// the limit that strut was started with.
class FileSizeLimitRaised {
 public:
  FileSizeLimitRaised() {
    if (::getrlimit(RLIMIT_FSIZE, &before_) != 0 || before_.rlim_cur == RLIM_INFINITY) return;
    rlimit none{RLIM_INFINITY, RLIM_INFINITY}, most{before_.rlim_max, before_.rlim_max};
    is_raised_ = ::setrlimit(RLIMIT_FSIZE, &none) == 0 || ::setrlimit(RLIMIT_FSIZE, &most) == 0;
  }
  ~FileSizeLimitRaised() {
    if (is_raised_) ::setrlimit(RLIMIT_FSIZE, &before_);
  }
  FileSizeLimitRaised(const FileSizeLimitRaised&) = delete;
  FileSizeLimitRaised& operator=(const FileSizeLimitRaised&) = delete;

 private:
  rlimit before_{};
  bool is_raised_ = false;
};

}  // namespace strut

// The CPUs on which threads ran last.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/ids.hpp"

namespace strut {

/// Reads /proc/TID/stat, and keeps the files of the latest few threads open.
class LastCpus {
 public:
  LastCpus() { files_.fill({0, -1}); }
  ~LastCpus();
  LastCpus(const LastCpus&) = delete;
  LastCpus& operator=(const LastCpus&) = delete;

  /// nullopt: the thread has ended.
  std::optional<int> of(Tid tid);

 private:
  struct File {
    int32_t tid;
    int fd;
  };
  std::array<File, 8> files_;  ///< by the lowest bits of the tid
};

}  // namespace strut

// Places where threads request arming of new code: in dynamic linkers, and in the functions of C libraries that make
// processes or exec programs.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kassist/uprobes/uprobes.hpp"
#include "procfs/maps.hpp"

namespace strut {

class AskingPlaces {
 public:
  using FileId = std::tuple<uint32_t, uint32_t, uint64_t>;  ///< device and inode, as maps have them
  static FileId file_of(const Mapping& mapping) { return {mapping.device_major, mapping.device_minor, mapping.inode}; }

  /// `executors`: a thread that execs a program is stopped first; `makers`: a thread that makes a process.
  struct Held {
    bool executors = false, makers = false;
    bool is_of_followed = false;  ///< the places are armed in followed processes only
  };
  explicit AskingPlaces(Held held) : held_(held) {}

  /// The places in a file that a process maps, as strut opens it, or will map; empty: it has none. Without them
  /// libraries, programs and children are armed slightly late. The reference is valid as long as this object.
  const std::vector<UprobePoint>& in(const std::string& opened, const Mapping& mapping);

 private:
  const Held held_;
  std::map<FileId, std::vector<UprobePoint>> known_;
};

}  // namespace strut

#include "kassist/dtrace/seen_code.hpp"

#include <csignal>

namespace strut {

bool DSeenCode::is_reported(const ProcessChange& change) const {
  auto looked = looked_ns_.find(change.pid);
  return looked != looked_ns_.end() && looked->second >= change.at_ns;
}

bool DSeenCode::is_new_file(const ProcessChange& mapped) {
  File file{mapped.mapping.device_major, mapped.mapping.device_minor, mapped.mapping.inode};
  return !files_.contains(file) && ::kill(raw(mapped.pid), 0) == 0 && files_.insert(file).second;
}

}  // namespace strut

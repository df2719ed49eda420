// Code that processes have mapped and that strut has not looked at yet: code that is gone at the time of a look ran
// unseen.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"

namespace strut {

class UnseenCode {
 public:
  /// A process has mapped code of this file; `path` as proc(5) has it.
  void mapped(Pid pid, uint64_t inode, const std::string& path) { files_[pid].insert_or_assign(inode, path); }
  /// A look at the process has found these files (inodes) mapped. Returns the last names of those that it had mapped
  /// since the look before, and has not any more.
  std::vector<std::string> looked(Pid pid, const std::set<uint64_t>& found) {
    std::vector<std::string> gone;
    auto known = files_.extract(pid);
    if (known.empty()) return gone;
    for (const auto& [inode, path] : known.mapped())
      if (!found.contains(inode)) gone.push_back(path.substr(path.rfind('/') + 1));
    return gone;
  }
  /// The process is gone, or has exec'd another program.
  void forget(Pid pid) { files_.erase(pid); }

 private:
  std::unordered_map<Pid, std::unordered_map<uint64_t, std::string>> files_;
};

}  // namespace strut

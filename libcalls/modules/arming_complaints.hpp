// Why functions cannot be traced, in lines for users.
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace strut {

class ArmingComplaints {
 public:
  /// "puts@libc.so.6: why". The same line is kept once.
  void add(std::string line) {
    if (known_.insert(line).second) lines_.push_back(std::move(line));
  }
  /// "libz.so.1: why": a requested function may be none of the known ones.
  void add_hidden(std::string line) { hidden_.push_back(std::move(line)); }

  /// In the order in which they came.
  const std::vector<std::string>& lines() const { return lines_; }
  const std::vector<std::string>& hidden() const { return hidden_; }

 private:
  std::vector<std::string> lines_, hidden_;
  std::unordered_set<std::string> known_;
};

}  // namespace strut

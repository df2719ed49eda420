// Several users of a backend's probes in one run: library calls, probes of a description …
#pragma once

#include <vector>

#include "trace/function_points.hpp"

namespace strut {

/// Each user has its own numbers of functions; hits have the numbers of all, in one stream of events.
class JoinedPoints final : public FunctionPoints {
 public:
  /// At least one; they outlive this.
  explicit JoinedPoints(std::vector<FunctionPoints*> users) : users_(std::move(users)) {}

  void hits_cost_alike() override {
    for (FunctionPoints* user : users_) user->hits_cost_alike();
  }
  std::vector<FunctionCode> code_changed(Pid pid) override;
  std::vector<FunctionCode> behind(uint32_t function, Pid pid, uint64_t return_address) override;
  void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) override;
  const TracedFunction& function(uint32_t index) const override;
  std::optional<int64_t> errno_place(Pid pid) const override;

  /// A hit's user, by its place among the users, and the user's number of the function.
  struct Owned {
    size_t user = 0;
    uint32_t function = 0;
  };
  Owned owned(uint32_t function) const {
    auto count = static_cast<uint32_t>(users_.size());
    return {function % count, function / count};
  }

 private:
  std::vector<FunctionCode> with_numbers_of_all(size_t user, std::vector<FunctionCode> codes) const;

  const std::vector<FunctionPoints*> users_;
};

}  // namespace strut

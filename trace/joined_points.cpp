#include "trace/joined_points.hpp"

#include <iterator>

namespace strut {

std::vector<FunctionCode> JoinedPoints::with_numbers_of_all(size_t user, std::vector<FunctionCode> codes) const {
  auto count = static_cast<uint32_t>(users_.size()), place = static_cast<uint32_t>(user);
  for (FunctionCode& code : codes) {
    for (FunctionSite& site : code.sites) site.function = site.function * count + place;
    code.displace = [displace = std::move(code.displace), count](FunctionSite site) {
      site.function /= count;
      return displace(site);
    };
  }
  return codes;
}

std::vector<FunctionCode> JoinedPoints::code_changed(Pid pid) {
  std::vector<FunctionCode> all;
  for (size_t user = 0; user < users_.size(); user++) {
    std::vector<FunctionCode> codes = with_numbers_of_all(user, users_[user]->code_changed(pid));
    std::move(codes.begin(), codes.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<FunctionCode> JoinedPoints::behind(uint32_t function, Pid pid, uint64_t return_address) {
  Owned own = owned(function);
  return with_numbers_of_all(own.user, users_[own.user]->behind(own.function, pid, return_address));
}

void JoinedPoints::refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) {
  Owned own = owned(site.function);
  FunctionSite its = site;
  its.function = own.function;
  users_[own.user]->refused(code, its, why);
}

const TracedFunction& JoinedPoints::function(uint32_t index) const {
  Owned own = owned(index);
  return users_[own.user]->function(own.function);
}

std::optional<int64_t> JoinedPoints::errno_place(Pid pid) const {
  for (const FunctionPoints* user : users_)
    if (auto place = user->errno_place(pid)) return place;
  return std::nullopt;
}

}  // namespace strut

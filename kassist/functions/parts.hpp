// Function sites as uprobes: the part of a file's code that one link arms, and the cookie of each site.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "kassist/functions/programs.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// Sites of one file that are armed by one link.
struct FunctionPart {
  FunctionCode code;
  UprobeRequest::When when;
};

class FunctionParts {
 public:
  /// `functions` and `programs` must outlive this.
  FunctionParts(FunctionPoints& functions, FunctionPrograms& programs);

  /// Sites where there can be no uprobe are said to be refused.
  std::vector<FunctionPart> of(FunctionCode code);
  /// In the order in which they are to be armed; without a process, and with the file as strut opened it.
  UprobeRequest request(const FunctionPart& part);
  /// These sites of the part have no uprobe.
  void refused(const FunctionPart& part, const std::vector<RefusedUprobe>& refused);
  /// Nor has any other.
  void give_up(const FunctionPart& part, std::string_view why);

 private:
  bool is_armed_by_return(const FunctionSite& site) const;
  bool is_return_seen(const FunctionSite& site) const;
  std::pair<FunctionCode, FunctionCode> parted(const FunctionCode& code) const;
  std::optional<uint64_t> cookie_of(const FunctionSite& site, UprobeRequest::When when);
  void add(FunctionCode code, UprobeRequest::When when, std::vector<FunctionPart>& into);

  FunctionPoints& functions_;
  FunctionPrograms& programs_;
  const bool replaces_returns_;
};

}  // namespace strut

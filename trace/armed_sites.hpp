// Code with sites, armed by breakpoints in all processes that map it: for every user of a BreakpointHost.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "trace/armed_code.hpp"

namespace strut {

/// `Code`: CodeSites, or that with what its user adds. Codes stay where they are: sites may be reported while more are
/// added.
template <typename Code>
class ArmedSites {
 public:
  using Site = typename decltype(Code::sites)::value_type;
  explicit ArmedSites(BreakpointHost& host, UprobeConflictReport conflicts = {}) : armed_(host, std::move(conflicts)) {}

  /// It is armed by the next update() of each process.
  const Code& add(Code code) {
    armed_.add<Site>(code);
    return codes_.emplace_back(std::move(code));
  }
  size_t codes() const { return codes_.size(); }

  /// As ArmedCode::update(): calls refused(code, site) for each that could not be armed.
  template <typename Refused>
  void update(Pid pid, Refused refused) {
    for (ArmedCode::SiteRef ref : armed_.update(pid)) refused(codes_[ref.code], codes_[ref.code].sites[ref.site]);
  }
  void update(Pid pid) { armed_.update(pid); }
  /// Their reason, for messages.
  static constexpr std::string_view kNotInserted = ArmedCode::kNotInserted;

  /// What a breakpoint is for. Null: the dynamic linker has changed mappings (watch_linker()).
  struct Place {
    const Code* code = nullptr;
    const Site* site = nullptr;
  };
  /// The places of a breakpoint's tag, in the order in which they were added. Their number may grow while one is
  /// reported.
  size_t places(uint64_t tag) const { return armed_.sites(tag).size(); }
  Place place(uint64_t tag, size_t i) const {
    ArmedCode::SiteRef ref = armed_.sites(tag)[i];
    if (ArmedCode::is_linker(ref)) return {};
    return {&codes_[ref.code], &codes_[ref.code].sites[ref.site]};
  }
  /// nullopt: it is the linker's alone.
  std::optional<Displaced> displaced(uint64_t tag) const {
    for (size_t i = 0; i < places(tag); i++)
      if (Place one = place(tag, i); one.site) return one.code->displace(*one.site);
    return std::nullopt;
  }

  void watch_linker(Pid pid, Addr at) { armed_.watch_linker(pid, at); }
  void copy(Pid parent, Pid child) { armed_.copy(parent, child); }
  void forget(Pid pid) { armed_.forget(pid); }
  void end_run() { armed_.end_run(); }
  uint64_t instructions() const { return armed_.instructions(); }

 private:
  ArmedCode armed_;
  std::deque<Code> codes_;  ///< by their indexes in armed_
};

}  // namespace strut

// Which instructions of which processes are halted at, and for which sites of which code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "procfs/maps.hpp"
#include "trace/code_sites.hpp"
#include "trace/probe_host.hpp"
#include "trace/uprobe_conflicts.hpp"

namespace strut {

/// Breakpoints' tags stand for sets of sites: one address may have sites of several codes.
class ArmedCode {
 public:
  explicit ArmedCode(BreakpointHost& host, UprobeConflictReport conflicts = {})
      : host_(host), conflicts_(std::move(conflicts)) {}

  /// By their index in CodeSites::sites.
  struct SiteRef {
    uint32_t code = 0, site = 0;
    auto operator<=>(const SiteRef&) const = default;
  };

  /// Adds code, which is not armed anywhere yet; its index: 0, 1, 2 …
  template <PlacedInFile Site>
  uint32_t add(const CodeSites<Site>& code) {
    Code known{{code.device, code.inode, {}, {}}, code.pid, {}};
    known.offsets.reserve(code.sites.size());
    for (const Site& site : code.sites) {
      if constexpr (HasSemaphore<Site>)
        if (site.semaphore) known.semaphores[static_cast<uint32_t>(known.offsets.size())] = site.semaphore->distance;
      known.offsets.push_back(site.file_offset);
    }
    return add(std::move(known));
  }
  /// In the order in which they were added, those of one code in theirs.
  std::span<const SiteRef> sites(uint64_t tag) const { return sets_[tag]; }

  /// Reads a process's mappings, and arms its new ones, of all code that it may have. Returns the failures; an address
  /// of a piece that was tried before is not tried again.
  std::vector<SiteRef> update(Pid pid);
  /// The reason of a failure of update(), for messages.
  static constexpr std::string_view kNotInserted =
      "another breakpoint or uprobe is there, or its memory cannot be written to";
  /// A thread is halted there whenever the dynamic linker has changed mappings: is_linker() of the sites.
  void watch_linker(Pid pid, Addr at);
  static bool is_linker(SiteRef site) { return site.code == kLinker; }

  /// A child has its parent's breakpoints, in memory of its own: those that are not meant for it go.
  void copy(Pid parent, Pid child);
  /// The process runs another program, or is gone.
  void forget(Pid pid);
  /// No more is armed: reports uprobes of other tracers that came after the breakpoints.
  void end_run() { look_for_conflicts(); }

  uint64_t instructions() const { return instructions_; }

 private:
  struct Code : BreakpointsInFile {  ///< equal offsets are sites of their own
    std::optional<Pid> pid;
    std::unordered_map<uint32_t, int64_t> semaphores;  ///< by site: its semaphore's distance from it
  };
  /// Where a piece of a code lies in a process.
  struct Piece {
    uint32_t code = 0;
    uint64_t start = 0, end = 0, offset = 0;
    auto operator<=>(const Piece&) const = default;
  };
  struct Process {
    std::set<Piece> pieces;
    std::unordered_map<uint64_t, uint64_t> tags;  ///< by address
  };

  uint32_t add(Code code);
  static bool may_have(const Code& code, Pid pid) { return !code.pid || *code.pid == pid; }
  std::set<Piece> pieces_of(Pid pid, std::span<const Mapping> mappings) const;
  void arm(Pid pid, Process& process, const Piece& piece, std::vector<SiteRef>& failed);
  void note_inserted(uint32_t code, std::span<const SiteRef> refs, const std::set<uint64_t>& refused,
                     std::vector<SiteRef>& failed);
  void disarm(Pid pid, Process& process, const Piece& piece, std::span<const Mapping> mappings);
  Addr semaphore_of(SiteRef site, uint64_t address) const;
  uint64_t tag_with(uint64_t tag, SiteRef site);
  uint64_t tag_of_set(uint64_t tag, SiteRef and_site);
  void look_for_conflicts();

  static constexpr uint32_t kLinker = UINT32_MAX;
  static constexpr uint64_t kNone = 0;  ///< the tag of the empty set
  BreakpointHost& host_;
  UprobeConflicts conflicts_;
  std::vector<Code> codes_;
  std::multimap<uint64_t, uint32_t> by_inode_;
  std::vector<std::vector<SiteRef>> sets_{{}};
  std::vector<std::vector<uint64_t>> alone_;  ///< by code and site: the set that is this site; kNone: not made yet
  std::map<std::pair<uint64_t, SiteRef>, uint64_t> larger_;  ///< the set that is another, not empty, and one site more
  std::unordered_map<int32_t, Process> processes_;
  uint64_t instructions_ = 0;
};

}  // namespace strut

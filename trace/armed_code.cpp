#include "trace/armed_code.hpp"

#include <algorithm>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "procfs/proc_file.hpp"

namespace strut {
namespace {

/// Where file systems lie on others, /proc/PID/maps names another device than stat(2) does.
bool is_of(Pid pid, const Mapping& mapping, uint64_t device, uint64_t inode) {
  if (mapping.inode != inode) return false;
  if (makedev(mapping.device_major, mapping.device_minor) == device) return true;
  struct stat file{};
  std::string path = std::string(proc_path(raw(pid), "root")) + mapping.path;
  return ::stat(path.c_str(), &file) == 0 && file.st_dev == device && file.st_ino == inode;
}

}  // namespace

uint32_t ArmedCode::add(Code code) {
  auto index = static_cast<uint32_t>(codes_.size());
  by_inode_.emplace(code.inode, index);
  alone_.emplace_back(code.offsets.size(), kNone);
  code.inserted.resize(code.offsets.size());
  codes_.push_back(std::move(code));
  return index;
}

std::set<ArmedCode::Piece> ArmedCode::pieces_of(Pid pid, std::span<const Mapping> mappings) const {
  std::set<Piece> pieces;
  for (const Mapping& mapping : mappings) {
    if (!mapping.executable || mapping.inode == 0) continue;
    auto [begin, end] = by_inode_.equal_range(mapping.inode);
    for (auto at = begin; at != end; ++at)
      if (const Code& code = codes_[at->second]; may_have(code, pid) && is_of(pid, mapping, code.device, code.inode))
        pieces.insert({at->second, raw(mapping.start), raw(mapping.end), mapping.offset});
  }
  return pieces;
}

std::vector<ArmedCode::SiteRef> ArmedCode::update(Pid pid) {
  std::vector<SiteRef> failed;
  auto mappings = maps_of(pid);
  if (!mappings) return failed;
  Process& process = processes_[raw(pid)];
  std::set<Piece> now = pieces_of(pid, *mappings);
  for (const Piece& piece : process.pieces)
    if (!now.contains(piece)) disarm(pid, process, piece, *mappings);
  for (const Piece& piece : now)
    if (!process.pieces.contains(piece)) arm(pid, process, piece, failed);
  process.pieces = std::move(now);
  if (conflicts_.is_due()) look_for_conflicts();
  return failed;
}

/// When the last process goes, uprobes that came during the run are to be found.
void ArmedCode::forget(Pid pid) {
  if (processes_.contains(raw(pid)) && (processes_.size() == 1 || conflicts_.is_due())) look_for_conflicts();
  processes_.erase(raw(pid));
}

void ArmedCode::look_for_conflicts() {
  if (!conflicts_.is_looked_for()) return;
  std::vector<const BreakpointsInFile*> files;
  for (const Code& code : codes_) files.push_back(&code);
  std::vector<Pid> processes;
  for (const auto& [pid, process] : processes_) processes.push_back(Pid{pid});
  conflicts_.look(files, processes);
}

uint64_t ArmedCode::tag_of_set(uint64_t tag, SiteRef and_site) {
  std::vector<SiteRef> set = sets_[tag];
  set.push_back(and_site);
  sets_.push_back(std::move(set));
  return sets_.size() - 1;
}

/// Nearly all sets are one site.
uint64_t ArmedCode::tag_with(uint64_t tag, SiteRef site) {
  if (tag == kNone && !is_linker(site)) {
    uint64_t& alone = alone_[site.code][site.site];
    if (alone == kNone) alone = tag_of_set(tag, site);
    return alone;
  }
  auto known = larger_.find({tag, site});
  if (known == larger_.end()) known = larger_.emplace(std::pair(tag, site), tag_of_set(tag, site)).first;
  return known->second;
}

Addr ArmedCode::semaphore_of(SiteRef site, uint64_t address) const {
  const auto& distances = codes_[site.code].semaphores;
  auto found = distances.find(site.site);
  return found == distances.end() ? Addr{} : Addr{address + static_cast<uint64_t>(found->second)};
}

void ArmedCode::arm(Pid pid, Process& process, const Piece& piece, std::vector<SiteRef>& failed) {
  const std::vector<uint64_t>& offsets = codes_[piece.code].offsets;
  auto first = std::lower_bound(offsets.begin(), offsets.end(), piece.offset);
  auto last = std::lower_bound(first, offsets.end(), piece.offset + (piece.end - piece.start));
  auto count = static_cast<size_t>(last - first);
  std::vector<HostBreakpoint> breakpoints;
  std::vector<SiteRef> refs;
  breakpoints.reserve(count);
  refs.reserve(count);
  process.tags.reserve(process.tags.size() + count);
  auto index = static_cast<uint32_t>(first - offsets.begin());
  for (auto site = first; site != last; ++site, ++index) {
    Addr address{piece.start + (*site - piece.offset)};
    SiteRef ref{piece.code, index};
    uint64_t& tag = process.tags.try_emplace(raw(address), kNone).first->second;
    tag = tag_with(tag, ref);
    refs.push_back(ref);
    if (!breakpoints.empty() && breakpoints.back().at == address) breakpoints.back().tag = tag;
    else breakpoints.push_back({address, tag, semaphore_of(ref, raw(address))});
  }
  std::vector<size_t> refused = host_.insert(pid, breakpoints);
  instructions_ += breakpoints.size() - refused.size();
  std::set<uint64_t> refused_offsets;
  for (size_t at : refused) {
    process.tags.erase(raw(breakpoints[at].at));
    refused_offsets.insert(raw(breakpoints[at].at) - piece.start + piece.offset);
  }
  note_inserted(piece.code, refs, refused_offsets, failed);
}

void ArmedCode::note_inserted(uint32_t code, std::span<const SiteRef> refs, const std::set<uint64_t>& refused,
                              std::vector<SiteRef>& failed) {
  Code& known = codes_[code];
  size_t failed_before = failed.size();
  for (SiteRef ref : refs)
    if (refused.contains(known.offsets[ref.site])) failed.push_back(ref);
    else known.inserted[ref.site] = true;
  if (failed.size() - failed_before < refs.size()) conflicts_.inserted(known);
}

void ArmedCode::watch_linker(Pid pid, Addr at) {
  uint64_t& tag = processes_[raw(pid)].tags.try_emplace(raw(at), kNone).first->second;
  if (std::any_of(sets_[tag].begin(), sets_[tag].end(), is_linker)) return;
  tag = tag_with(tag, {kLinker, 0});
  HostBreakpoint breakpoint{at, tag, {}};
  host_.insert(pid, {&breakpoint, 1});
}

/// The memory there may be another file's by now, or unmapped: then the breakpoints are gone already.
void ArmedCode::disarm(Pid pid, Process& process, const Piece& piece, std::span<const Mapping> mappings) {
  auto still_there = [&](uint64_t address) {
    for (const Mapping& mapping : mappings)
      if (address >= raw(mapping.start) && address < raw(mapping.end))
        return mapping.inode == codes_[piece.code].inode &&
               mapping.offset - raw(mapping.start) == piece.offset - piece.start;
    return false;
  };
  std::vector<Addr> there, gone;
  for (auto at = process.tags.begin(); at != process.tags.end();) {
    bool within = at->first >= piece.start && at->first < piece.end;
    if (within) (still_there(at->first) ? there : gone).push_back(Addr{at->first});
    at = within ? process.tags.erase(at) : std::next(at);
  }
  host_.remove(pid, there);
  host_.forget(pid, gone);
}

void ArmedCode::copy(Pid parent, Pid child) {
  auto from = processes_.find(raw(parent));
  if (from == processes_.end()) return;
  Process process = from->second;
  std::vector<Addr> foreign;
  for (auto at = process.tags.begin(); at != process.tags.end();) {
    const auto& set = sets_[at->second];
    bool meant = std::any_of(set.begin(), set.end(),
                             [&](SiteRef site) { return is_linker(site) || may_have(codes_[site.code], child); });
    if (!meant) foreign.push_back(Addr{at->first});
    at = meant ? std::next(at) : process.tags.erase(at);
  }
  std::erase_if(process.pieces, [&](const Piece& piece) { return !may_have(codes_[piece.code], child); });
  host_.remove(child, foreign);
  processes_[raw(child)] = std::move(process);
}

}  // namespace strut
